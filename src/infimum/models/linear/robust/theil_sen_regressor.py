"""Theil-Sen regression: the median of fits to all small sets of samples."""

from __future__ import annotations

from itertools import combinations
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import binom
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import check_random_state

from infimum.data.doors import measured, samples
from infimum.errors import InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.linear._overflow import affine, blames_numbers
from infimum.models.linear.robust._spatial_median import spatial_median
from infimum.parameters import Domains, Interval, check_parameters, nonnegative, whole
from infimum.typing import Matrix, Vector

__all__ = ["TheilSenRegressor"]

#: Numbers in the systems that are solved at a time.
AT_ONCE = 4_000_000


class TheilSenRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Linear regression by the spatial median of least-squares fits to small sets.

    For one feature these are the lines through two samples, and the estimate is robust
    against up to 29 % of outliers in any place. With more features sets are larger and
    fewer outliers are borne (`breakdown_` says how many); sets are drawn at random
    where they are too many to try all.

    The spatial median, the point with the least sum of distances, is a convex problem
    and is solved with a proof.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether to learn b.
    max_subpopulation : int, default=1e4
        Most sets to look at.
    n_subsamples : int or None, default=None
        Samples in a set; None means as few as determine the coefficients.
    max_iter : int, default=300
        Most steps towards the median.
    tol : float, default=1e-3
        The relative duality gap of the median is below its square.
    random_state : int, RandomState or None, default=None
        Where sets are drawn from; they are those of scikit-learn.
    n_jobs, verbose
        Accepted for compatibility; all sets are solved at once.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    breakdown_ : float
        The share of samples that may be anything at all.
    n_subpopulation_ : int
        How many sets were looked at.
    certificate_ : Certificate
        How far the median can be from the point of least distances.
    n_iter_ : int
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(20.0)[:, None]
    >>> y = 2.0 * X.ravel() + 1.0
    >>> y[16:] = -300.0
    >>> model = TheilSenRegressor(random_state=0).fit(X, y)
    >>> model.coef_.round(3), float(model.intercept_.round(3))
    (array([2.]), 1.0)

    References
    ----------
    Dang, Peng, Wang & Zhang (2008), Theil-Sen estimators in a multiple linear
    regression model.
    """

    coef_: Any
    intercept_: Any

    _domains: ClassVar[Domains] = {
        "max_subpopulation": Interval(1, np.inf),
        "max_iter": whole(1),
        "tol": nonnegative,
    }

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        max_subpopulation: float = 1e4,
        n_subsamples: int | None = None,
        max_iter: int = 300,
        tol: float = 1.0e-3,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: Any = False,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.max_subpopulation = max_subpopulation
        self.n_subsamples = n_subsamples
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    @whole_or_not_at_all
    @blames_numbers
    def fit(self, X: Any, y: Any) -> Self:
        """Fit all sets and find the median of the fits; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Targets.
        """
        check_parameters(self)
        random = check_random_state(self.random_state)
        rows = measured(self, X, y, moderate=True, accept_sparse=False)
        X, y = rows.X, rows.y
        n, size = len(X), self._size(*X.shape)
        every = max(1.0, float(np.rint(binom(n, size))))
        self.n_subpopulation_ = int(min(self.max_subpopulation, every))
        share = 0.5 ** (1.0 / size) * (n - size + 1.0) + size - 1.0
        self.breakdown_ = 1.0 - share / n
        if every <= self.max_subpopulation:
            sets = np.array(list(combinations(range(n), size)), dtype=np.intp)
        else:
            draws = range(self.n_subpopulation_)
            sets = np.array([random.choice(n, size, replace=False) for _ in draws])
        A = np.asarray(X, dtype=np.float64)
        if self.fit_intercept:
            A = np.column_stack([np.ones(n), A])
        fits = _fits(A, y, sets)
        median = spatial_median(fits, self.tol**2, int(self.max_iter))
        self.certificate_, self.n_iter_ = median.certificate, median.iterations
        first = int(bool(self.fit_intercept))
        self.coef_ = median.point[first:].astype(X.dtype)
        self.intercept_ = np.float64(median.point[0] if first else 0.0)
        return self

    def predict(self, X: Any) -> Vector:
        """Return ⟨w, x⟩ + b for each sample."""
        X = samples(self, X)
        return affine(self, X, self.coef_, self.intercept_)

    def _size(self, n: int, d: int) -> int:
        """Return how many samples a set has."""
        unknowns, asked = d + int(bool(self.fit_intercept)), self.n_subsamples
        if asked is None:
            return min(unknowns, n)
        least = unknowns if n >= d else n
        if asked not in whole(min(least, n), n):
            raise InvalidParameterError(
                "TheilSenRegressor.n_subsamples must be a whole number from "
                f"{min(least, n)} (coefficients) to {n} (samples), got {asked!r}."
            )
        return int(asked)


def _fits(A: Matrix, y: Vector, sets: NDArray[np.intp]) -> Matrix:
    """Return the shortest least-squares solution of every set, one a row."""
    each = max(1, AT_ONCE // (sets.shape[1] * A.shape[1]))
    parts = [sets[start : start + each] for start in range(0, len(sets), each)]
    return np.vstack([_solved(A[part], y[part]) for part in parts])


def _solved(A: Matrix, y: Matrix) -> Matrix:
    if A.shape[1] == A.shape[2]:
        try:
            found = np.linalg.solve(A, y[:, :, None])[:, :, 0]
        except np.linalg.LinAlgError:  # a set that does not determine a fit
            pass
        else:
            return np.asarray(found)
    inverse = np.linalg.pinv(A, rcond=max(A.shape[1:]) * np.finfo(np.float64).eps)
    return np.asarray((inverse @ y[:, :, None])[:, :, 0])
