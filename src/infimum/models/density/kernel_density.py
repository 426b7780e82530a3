"""Kernel density estimate: the mass of each sample, spread by a window."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar, Self
from weakref import WeakKeyDictionary

import numpy as np
from sklearn.base import BaseEstimator

from infimum.data.doors import check_fitted, refuse_tiny, rows, samples
from infimum.errors import DataError, InvalidParameterError
from infimum.kernels import windows
from infimum.kernels.windows import Window
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.density._bandwidths import (
    given_widths,
    local_widths,
    normal_reference_width,
    scott_factor,
    silverman_factor,
)
from infimum.models.density._sampling import draw_around
from infimum.models.density._window_sums import (
    DenseSums,
    TreeSums,
    Widths,
    log_bounds,
    log_sums,
    sums_over,
)
from infimum.models.neighbors._metric import Metric, choose_metric
from infimum.models.neighbors.nearest_neighbors import NearestNeighbors
from infimum.parameters import (
    Choice,
    Domains,
    check_domain,
    check_parameters,
    nonnegative,
    positive,
    whole,
)
from infimum.typing import Mask, Matrix, Vector

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["KernelDensity"]

#: Scikit-learn's names of windows.
SYNONYMS = {"tophat": "uniform", "linear": "triangle", "exponential": "laplace"}
#: Widths below have squares that vanish.
NARROW = 1e-150
#: Made from the samples, no part of a model's state.
_sums: WeakKeyDictionary[Any, TreeSums | DenseSums] = WeakKeyDictionary()


class KernelDensity(BaseEstimator):  # type: ignore[misc]
    r"""A density that is high where samples are: each spreads its mass by a window.

    .. math:: \hat p(x) = \frac{1}{\sum_i w_i} \sum_i \frac{w_i}{h_i^d}\,
              K\!\left(\frac{\|x - x_i\|}{h_i}\right), \qquad
              \int_{ℝ^d} K(\|u\|)\,du = 1

    Sums are taken in a k-d tree: far nodes, and nodes that are small against the
    widths, are counted at once as long as the error stays within `rtol` and `atol`.
    `density_bounds` returns the interval in which the exact value lies.

    Parameters
    ----------
    bandwidth : float, array-like of shape (n_samples,) or str, default=1.0
        The width h, or one for each sample. Rules: 'scott' and 'silverman' are
        scikit-learn's, for samples of unit variance and Gaussian windows;
        'normal_reference' is Silverman's with the spread of the samples and for the
        window at hand: it would be best if they were normal; 'leave_one_out' maximises
        the likelihood of each sample under the others; 'local' gives each sample half
        the mean distance to its `n_neighbors` nearest others, copies among them.
    algorithm, breadth_first, leaf_size : ignored
    kernel : str or Window, default='gaussian'
        'gaussian', 'tophat', 'epanechnikov', 'exponential', 'linear', 'cosine', the
        lower-case name of another window of `infimum.kernels.windows`, or a window.
    metric : str, default='euclidean'
        Other distances than Euclidean are computed to all samples.
    atol, rtol : float, default=0
        Tolerated errors of the density, absolute and relative.
    metric_params : dict, optional
    n_neighbors : int, default=9
        For ``bandwidth='local'``.

    Attributes
    ----------
    bandwidth_ : float
        The width; the mean one if samples have their own.
    widths_ : ndarray of shape (n_samples,)
    window_ : Window
    X_fit_ : ndarray of shape (n_samples, n_features)
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> model = KernelDensity(bandwidth=0.5).fit([[0.0], [1.0]])
    >>> np.exp(model.score_samples([[0.5]])).round(4)
    array([0.4839])
    >>> low, high = model.density_bounds([[0.5]])
    >>> bool(0.4839 < low[0] <= high[0] < 0.4840)
    True
    """

    _domains: ClassVar[Domains] = {
        "algorithm": Choice(("kd_tree", "ball_tree", "auto")),
        "atol": nonnegative,
        "rtol": nonnegative,
    }

    def __init__(
        self,
        *,
        bandwidth: Any = 1.0,
        algorithm: str = "auto",
        kernel: Any = "gaussian",
        metric: Any = "euclidean",
        atol: float = 0,
        rtol: float = 0,
        breadth_first: bool = True,
        leaf_size: int = 40,
        metric_params: dict[str, Any] | None = None,
        n_neighbors: int = 9,
    ) -> None:
        self.bandwidth = bandwidth
        self.algorithm = algorithm
        self.kernel = kernel
        self.metric = metric
        self.atol = atol
        self.rtol = rtol
        self.breadth_first = breadth_first
        self.leaf_size = leaf_size
        self.metric_params = metric_params
        self.n_neighbors = n_neighbors

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Keep the samples and find the widths of their windows; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        check_parameters(self)
        found = rows(self, X, sample_weight, moderate=True, accept_sparse=False)
        X, weights = found.X, found.weights
        kept = np.ones(len(X), dtype=bool) if weights is None else weights > 0
        self.X_fit_ = np.asarray(X[kept], dtype=np.float64)
        self._weights = np.ones(len(X)) if weights is None else weights[kept]
        self.window_ = self._named_window()
        self.widths_ = self._choose_widths(kept)
        low, high = _moderate(self.widths_)
        mean = float(np.average(self.widths_, weights=self._weights))
        self.bandwidth_ = mean if low < high else low
        _sums[self] = self._make_sums()
        return self

    def score_samples(self, X: Any) -> Vector:
        """Return the logarithm of the density at each sample.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
        """
        return self._log_density(self._queries(X))

    def density_bounds(self, X: Any) -> tuple[Vector, Vector]:
        """Return two densities between which the exact one lies at each sample.

        How far they are apart is up to `rtol` and `atol`; rounding is not counted.
        """
        tolerances = float(self.rtol), self._atol()
        low, high = log_bounds(
            self._sums(), self._around(), self._queries(X), tolerances
        )
        unit = self._log_unit()
        with np.errstate(over="ignore"):
            return np.exp(low - unit), np.exp(high - unit)

    def score(self, X: Any, y: Any = None) -> float:
        """Return the log-likelihood of all samples together."""
        return float(np.sum(self.score_samples(X)))

    def leave_one_out(self) -> float:
        r"""Return the log-likelihood of each sample under the others.

        .. math:: \sum_i \log \frac{1}{n - 1} \sum_{j ≠ i} h_j^{-d}
                  K\bigl(\|x_i - x_j\|/h_j\bigr)

        The sum over the others is taken as it is: subtracting the own window from the
        whole would lose all digits where windows are narrow. A weight of k counts as k
        samples, so weights below 1 are refused.
        """
        check_fitted(self)
        self._refuse_fractions()
        owns = np.arange(len(self.X_fit_))
        logs = log_sums(self._sums(), self._around(), self.X_fit_, owns=owns)
        mass = float(self._weights.sum())
        others = self._log_unit() + math.log1p(-1.0 / mass)
        return float(self._weights @ logs - mass * others)

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Matrix:
        """Draw from the density: a sample of the fit, moved by its window.

        Parameters
        ----------
        n_samples : int, default=1
        random_state : int, RandomState or None, default=None
        """
        check_fitted(self)
        check_domain("KernelDensity.sample: n_samples", n_samples, whole(1))
        return draw_around(
            self.X_fit_, self._shape(), self._window(), int(n_samples), random_state
        )

    def plot(self, *, points: bool = True) -> Figure:
        """Draw the density of one feature as a curve, that of two as contours.

        Parameters
        ----------
        points : bool, default=True
            Whether to show the samples, too.
        """
        from infimum.models.density._density_picture import draw

        check_fitted(self)
        return draw(self, points=points)

    def _log_density(self, queries: Matrix) -> Vector:
        """Return the log-density at rows that have been admitted."""
        tolerances = float(self.rtol), self._atol()
        logs = log_sums(self._sums(), self._around(), queries, tolerances)
        return np.asarray(logs - self._log_unit())

    def _queries(self, X: Any) -> Matrix:
        X = samples(self, X, moderate=True, accept_sparse=False)
        return np.asarray(X, dtype=np.float64)

    def _window(self) -> Window:
        return self.window_

    def _named_window(self) -> Window:
        if isinstance(self.kernel, Window):
            return self.kernel
        names = {name.lower(): name for name in windows.__all__ if name != "Window"}
        name = SYNONYMS.get(str(self.kernel), self.kernel)
        if not isinstance(name, str) or name not in names:
            known = ", ".join(sorted({*names, *SYNONYMS}))
            raise InvalidParameterError(
                f"KernelDensity.kernel must be a window or one of {known}, got "
                f"{self.kernel!r}."
            )
        part: Window = getattr(windows, names[name])()
        return part

    def _choose_widths(self, kept: Mask) -> Vector:
        rule = self.bandwidth
        if isinstance(rule, str):
            refuse_tiny(self, self.X_fit_)
        if isinstance(rule, str) and rule == "local":
            check_domain("KernelDensity.n_neighbors", self.n_neighbors, whole(1))
            search = NearestNeighbors(
                metric=self.metric, metric_params=self.metric_params
            )
            return local_widths(
                "KernelDensity", search, self.X_fit_, self._weights, self.n_neighbors
            )
        if isinstance(rule, str):
            return np.full(len(self.X_fit_), self._ruled_width(rule))
        if np.ndim(rule):
            return given_widths("KernelDensity.bandwidth", rule, kept)
        check_domain("KernelDensity.bandwidth", rule, positive)
        return np.full(len(self.X_fit_), float(rule))

    def _ruled_width(self, rule: str) -> float:
        count, dimension = float(self._weights.sum()), self.X_fit_.shape[1]
        if rule == "scott":
            return scott_factor(count, dimension)
        if rule == "silverman":
            return silverman_factor(count, dimension)
        if rule == "normal_reference":
            return normal_reference_width(
                "KernelDensity", self.X_fit_, self._weights, self.window_
            )
        if rule == "leave_one_out":
            self._refuse_fractions()
            from infimum.models.density.bandwidth_choice import best_leave_one_out

            return best_leave_one_out(self)
        raise InvalidParameterError(
            "KernelDensity.bandwidth must be a positive number, one for each sample, "
            "or one of 'scott', 'silverman', 'normal_reference', 'leave_one_out', "
            f"'local', got {rule!r}."
        )

    def _refuse_fractions(self) -> None:
        """Refuse what has no sample to leave out, or only a part of one."""
        least = float(self._weights.min())
        if least < 1.0:
            raise DataError(
                "KernelDensity: leaving one out takes weights for numbers of copies, "
                f"which are 1 or more, got {least:.3g}."
            )
        if self._weights.sum() <= 1.0:
            raise DataError("KernelDensity: leaving one out of 1 sample leaves none.")

    def _shape(self) -> Widths:
        return Widths(self.widths_, self._weights, self.X_fit_.shape[1])

    def _metric(self) -> Metric:
        return choose_metric(
            "KernelDensity", self.metric, 2.0, self.metric_params, self.X_fit_
        )

    def _around(self) -> tuple[Matrix, Widths, Window, Metric]:
        return self.X_fit_, self._shape(), self._window(), self._metric()

    def _log_unit(self) -> float:
        """Return the logarithm of what sums are divided by to become densities."""
        dimension = int(self.X_fit_.shape[1])
        volume = _log_constant(self._window(), dimension)
        volume += dimension * math.log(self._shape().base)
        return math.log(float(self._weights.sum())) + volume

    def _atol(self) -> float:
        if not self.atol:
            return 0.0
        with np.errstate(over="ignore"):
            return float(np.exp(np.log(float(self.atol)) + self._log_unit()))

    def _make_sums(self) -> TreeSums | DenseSums:
        return sums_over(*self._around())

    def _sums(self) -> TreeSums | DenseSums:
        found = _sums.get(self)
        if found is None:
            found = _sums[self] = self._make_sums()
        return found


def _moderate(widths: Vector) -> tuple[float, float]:
    """Return the least and the greatest width, whose squares are numbers."""
    low, high = float(widths.min()), float(widths.max())
    if low < NARROW or high > 1.0 / NARROW:
        raise DataError(
            f"KernelDensity takes widths from {NARROW:.0e} to {1.0 / NARROW:.0e}, got "
            f"{low if low < NARROW else high:.3g}: scale the samples."
        )
    return low, high


def _log_constant(window: Window, dimension: int) -> float:
    """Return the logarithm of the integral of a window's profile."""
    if isinstance(window, windows.Gaussian):
        return 0.5 * dimension * math.log(2.0 * math.pi)
    try:
        return math.log(window.constant(dimension))
    except (OverflowError, ValueError):
        raise DataError(
            f"KernelDensity: a {type(window).__name__} window in {dimension} dimensions"
            " has no volume in floating point; use kernel='gaussian'."
        ) from None
