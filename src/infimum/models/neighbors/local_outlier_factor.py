"""Local outlier factor: a sample is strange where its neighbours live more densely."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import OutlierMixin
from sklearn.utils.metaestimators import available_if

from infimum.data.doors import check_fitted
from infimum.errors import DataError
from infimum.kernels._kernel import size_of
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.neighbors._door import admit_samples
from infimum.models.neighbors._neighbors_model import KNeighborsQueries
from infimum.parameters import Domains, Interval, check_domain, check_parameters, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["LocalOutlierFactor"]

#: Added to mean distances, so that copies of a sample are dense and not infinitely so.
SMALLEST = 1e-10
#: Factors beyond this come from copies.
ABSURD = 1e7
#: Above this factor a sample is an outlier, unless their share is given.
USUAL = 1.5


def _told(*, novelty: bool) -> Any:
    def known(model: Any) -> bool:
        if bool(model.novelty) is not novelty:
            raise AttributeError(
                f"LocalOutlierFactor has this with novelty={novelty} only: new samples "
                "are judged with novelty=True, those of the fit with novelty=False."
            )
        return True

    return available_if(known)


class LocalOutlierFactor(OutlierMixin, KNeighborsQueries):  # type: ignore[misc]
    r"""A detector that compares how densely a sample and its neighbours live.

    .. math:: \mathrm{lof}(x) = \frac1k \sum_{o ∈ N(x)} \frac{ρ(o)}{ρ(x)},
              \qquad \frac1{ρ(x)} = \frac1k \sum_{o ∈ N(x)} \max(d(x, o), d_k(o))

    where d_k(o) is the distance of o to its k-th neighbour. About 1 inside a cluster,
    whether it is dense or thin; larger for what is outside.

    Parameters
    ----------
    n_neighbors : int, default=20
    algorithm, leaf_size, metric, p, metric_params, n_jobs
        As in `NearestNeighbors`.
    contamination : 'auto' or float, default='auto'
        Share of outliers among the samples, in (0, 0.5]; 'auto' calls so what has a
        factor above 1.5.
    novelty : bool, default=False
        Whether new samples are to be judged (`predict`, `score_samples`,
        `decision_function`), or those of the fit (`fit_predict`).

    Attributes
    ----------
    negative_outlier_factor_ : ndarray of shape (n_samples,)
    n_neighbors_ : int
        How many were used: at most all others.
    offset_ : float
    effective_metric_ : str
    effective_metric_params_ : dict
    n_samples_fit_ : int
    n_features_in_ : int

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [5.0]]
    >>> LocalOutlierFactor(n_neighbors=2).fit_predict(X)
    array([ 1,  1,  1, -1])

    References
    ----------
    Breunig, Kriegel, Ng & Sander (2000), SIGMOD.
    """

    _domains: ClassVar[Domains] = {
        "n_neighbors": whole(1),
    }

    def __init__(
        self,
        n_neighbors: int = 20,
        *,
        algorithm: str = "auto",
        leaf_size: int = 30,
        metric: Any = "minkowski",
        p: float = 2,
        metric_params: dict[str, Any] | None = None,
        contamination: Any = "auto",
        novelty: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.contamination = contamination
        self.novelty = novelty
        self.n_jobs = n_jobs

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn how densely each sample lives; return self.

        Parameters
        ----------
        X : array-like, sparse matrix or collection of n_samples
            Samples; their distances for ``metric='precomputed'``.
        y : ignored
        """
        owner = type(self).__name__
        check_parameters(self)
        automatic = isinstance(self.contamination, str) and self.contamination == "auto"
        if not automatic:
            share = Interval(0, 0.5, open_low=True)
            check_domain(f"{owner}.contamination", self.contamination, share)
        X, _ = admit_samples(self, X)
        if size_of(X) == 1:
            raise DataError(f"{owner} needs 2 samples or more, got n_samples = 1.")
        self._keep_samples(X)
        self.n_neighbors_ = self._allowed()
        distances, names = self.kneighbors(n_neighbors=self.n_neighbors_)
        self._reaches = distances[:, -1]
        self._densities = self._density(distances, names)
        self.negative_outlier_factor_ = self._factors(self._densities, names)
        self.offset_ = -USUAL
        if not automatic:
            percent = 100.0 * self.contamination
            self.offset_ = float(np.percentile(self.negative_outlier_factor_, percent))
        self._warn_of_copies()
        return self

    def _allowed(self) -> int:
        others = self.n_samples_fit_ - 1
        if self.n_neighbors > others + 1:
            warnings.warn(
                f"LocalOutlierFactor.n_neighbors ({self.n_neighbors}) is greater than "
                f"the number of samples ({self.n_samples_fit_}); all {others} others "
                "are used.",
                stacklevel=4,
            )
        return max(1, min(int(self.n_neighbors), others))

    def _warn_of_copies(self) -> None:
        if not self.novelty and self.negative_outlier_factor_.min() < -ABSURD:
            warnings.warn(
                "LocalOutlierFactor: more copies of a sample than n_neighbors make its "
                "density infinite; take more neighbours.",
                stacklevel=4,
            )

    def _density(self, distances: Matrix, names: Indices) -> Vector:
        reached = np.maximum(distances, self._reaches[names])
        return np.asarray(1.0 / (reached.mean(axis=1) + SMALLEST))

    def _factors(self, densities: Vector, names: Indices) -> Vector:
        ratios = self._densities[names] / densities[:, None]
        return np.asarray(-ratios.mean(axis=1))

    @_told(novelty=False)  # type: ignore[untyped-decorator]
    def fit_predict(self, X: Any, y: Any = None) -> NDArray[np.intp]:
        """Return 1 for each of the samples that is usual and -1 for the outliers."""
        factors = self.fit(X).negative_outlier_factor_
        return np.where(factors < self.offset_, -1, 1)

    @_told(novelty=True)  # type: ignore[untyped-decorator]
    def score_samples(self, X: Any) -> Vector:
        """Return minus the factor of each new sample; the higher, the more usual."""
        check_fitted(self)
        distances, names = self.kneighbors(X, self.n_neighbors_)
        return self._factors(self._density(distances, names), names)

    @_told(novelty=True)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Vector:
        """Return the score above the border: negative for outliers."""
        return np.asarray(self.score_samples(X) - self.offset_)

    @_told(novelty=True)  # type: ignore[untyped-decorator]
    def predict(self, X: Any) -> NDArray[np.intp]:
        """Return 1 for each new sample that is usual and -1 for the novel."""
        return np.where(self.decision_function(X) < 0, -1, 1)
