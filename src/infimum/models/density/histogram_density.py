"""Histogram density: how many samples fall into each box of a grid."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted, rows, samples
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.parameters import check_domain, positive, whole
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["HistogramDensity"]

#: More boxes along a feature have no number of their own.
MOST = 2.0**52


class HistogramDensity(BaseEstimator):  # type: ignore[misc]
    r"""A density that is constant on the boxes of a grid.

    .. math:: \hat p(x) = \sum_j \frac{N_j}{|B_j|}\, 1[x ∈ B_j], \qquad
              N_j = \frac{1}{n} \#\{i : x_i ∈ B_j\}

    Only boxes with samples are kept, so that memory does not grow with their number,
    which is that of the bins to the power of the features.

    Parameters
    ----------
    bins : int, default=10
        Boxes along each feature.
    width : float, optional
        Side of the boxes, instead of `bins`; the range is extended to whole boxes.
    range : pair of float, or one pair for each feature, optional
        Where the grid begins and ends; from the least to the greatest value by default.
        The density outside is 0, and samples of the fit outside are refused.

    Attributes
    ----------
    low_, sides_ : ndarray of shape (n_features,)
        Corner of the grid, and sides of a box.
    n_bins_ : ndarray of shape (n_features,)
    boxes_ : ndarray of shape (n_occupied, n_features)
        Places of the boxes with samples, in lexicographic order.
    masses_ : ndarray of shape (n_occupied,)
        Their shares N of the samples.

    Examples
    --------
    >>> import numpy as np
    >>> model = HistogramDensity(bins=2, range=(0, 1)).fit([[0.1], [0.2], [0.3], [0.9]])
    >>> np.exp(model.score_samples([[0.4], [0.6]])).round(6)
    array([1.5, 0.5])
    """

    def __init__(
        self,
        bins: int = 10,
        *,
        width: float | None = None,
        range: Any = None,  # noqa: A002
    ) -> None:
        self.bins = bins
        self.width = width
        self.range = range

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Count the samples in each box; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        found = rows(self, X, sample_weight, moderate=True, accept_sparse=False)
        X, weights = found.X, found.shares()
        X, weights = X[weights > 0].astype(np.float64), weights[weights > 0]
        self._lay_grid(X)
        places, inside = self._places(X)
        if not inside.all():
            at = int(np.argmin(inside))
            raise DataError(
                f"HistogramDensity: sample {at} lies outside of the range of the grid."
            )
        boxes, code = np.unique(places, axis=0, return_inverse=True)
        self.boxes_ = boxes
        self.masses_ = np.bincount(code.ravel(), weights) / weights.sum()
        return self

    def score_samples(self, X: Any) -> Vector:
        """Return the logarithm of the density at each sample; that of 0 is -inf."""
        queries = samples(self, X, moderate=True, accept_sparse=False)
        places, inside = self._places(np.asarray(queries, dtype=np.float64))
        found = _find(self.boxes_, places)
        mass = np.where(inside & (found >= 0), self.masses_[np.maximum(found, 0)], 0.0)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(mass) - np.log(self.sides_).sum())

    def score(self, X: Any, y: Any = None) -> float:
        """Return the log-likelihood of all samples together."""
        return float(np.sum(self.score_samples(X)))

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Matrix:
        """Draw from the density: a box by its mass, and any point in it."""
        check_fitted(self)
        check_domain("HistogramDensity.sample: n_samples", n_samples, whole(1))
        draw = check_random_state(random_state)
        chosen = draw.choice(len(self.masses_), int(n_samples), p=self.masses_)
        inside = draw.uniform(size=(int(n_samples), len(self.sides_)))
        return np.asarray(self.low_ + (self.boxes_[chosen] + inside) * self.sides_)

    def _lay_grid(self, X: Matrix) -> None:
        check_domain("HistogramDensity.bins", self.bins, whole(1))
        if self.range is None:
            low, high = X.min(axis=0), X.max(axis=0)
            # A box around equal values is wide enough to be told from them.
            least = 4.0 * (1 + int(self.bins)) * np.spacing(np.abs(low))
            apart = np.where(low == high, np.maximum(0.5, least), 0.0)
            low, high = low - apart, high + apart
        else:
            ends = np.broadcast_to(np.asarray(self.range, float), (X.shape[1], 2))
            low, high = ends[:, 0].copy(), ends[:, 1].copy()
            if not np.all(low < high):
                raise DataError("HistogramDensity.range must have its lower end first.")
        if self.width is None:
            self.n_bins_ = np.full(X.shape[1], int(self.bins))
            self.sides_ = (high - low) / self.n_bins_
        else:
            check_domain("HistogramDensity.width", self.width, positive)
            counts = np.ceil((high - low) / self.width * (1.0 - 1e-12))
            if counts.max() > MOST:
                raise DataError(
                    f"HistogramDensity.width={self.width} cuts a feature into "
                    f"{counts.max():.3g} boxes, more than can be numbered."
                )
            self.n_bins_ = np.maximum(1, counts).astype(np.intp)
            self.sides_ = np.full(X.shape[1], float(self.width))
        self.low_ = low

    def _places(self, X: Matrix) -> tuple[Indices, Mask]:
        """Return the box of each row, and whether it is on the grid."""
        scaled = (X - self.low_) / self.sides_
        places = np.floor(np.clip(scaled, -1.0, self.n_bins_ + 1.0)).astype(np.intp)
        # The last box holds its upper end.
        places[places == self.n_bins_] -= (scaled == self.n_bins_)[
            places == self.n_bins_
        ]
        inside = ((places >= 0) & (places < self.n_bins_)).all(axis=1)
        return places, inside


def _find(boxes: Indices, places: Indices) -> Indices:
    """Return the row of each place among sorted boxes, or -1."""
    known = {tuple(box): at for at, box in enumerate(boxes.tolist())}
    return np.array([known.get(tuple(place), -1) for place in places.tolist()])
