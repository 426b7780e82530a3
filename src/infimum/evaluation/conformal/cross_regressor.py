"""Cross-conformal regression: intervals that set no row aside for good."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MetaEstimatorMixin, RegressorMixin, clone

from infimum.data.doors import check_fitted
from infimum.evaluation.conformal.rank import conformal_rank
from infimum.evaluation.conformal.strata import take
from infimum.evaluation.folds import folds
from infimum.parameters import Domains, check_domain, check_parameters, opened, whole
from infimum.typing import Matrix, Vector

__all__ = ["CrossConformalRegressor"]


class CrossConformalRegressor(RegressorMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    r"""CV+ and jackknife+ intervals: every row both teaches and calibrates.

    Each row i gets the error :math:`R_i = |y_i - \hat f_{-k(i)}(x_i)|` of the model
    that was fitted without its fold. The interval at x lies between order statistics of
    :math:`\hat f_{-k(i)}(x) - R_i` and of :math:`\hat f_{-k(i)}(x) + R_i`. For
    exchangeable rows it contains the truth with probability at least
    ``2 * coverage - 1`` (up to a term of order 1/√n for folds), and in practice about
    `coverage`.

    Parameters
    ----------
    estimator : estimator
    coverage : float in (0, 1), default=0.9
    n_folds : int or "leave one out", default=10
        "leave one out" gives the jackknife+, with one fit a row.
    random_state : int, default=0

    Attributes
    ----------
    estimator_ : the estimator fitted on all rows, for `predict`.
    estimators_ : list, one estimator a fold.
    errors_ : ndarray, the held-back absolute error of each row.
    folds_ : ndarray, the fold of each row.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.evaluation import CrossConformalRegressor
    >>> from infimum.models.linear import Ridge
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((1060, 3))
    >>> y = X[:, 0] + rng.standard_normal(1060)
    >>> model = CrossConformalRegressor(Ridge()).fit(X[:60], y[:60])
    >>> low, high = model.predict_interval(X[60:]).T
    >>> bool(np.mean((low <= y[60:]) & (y[60:] <= high)) >= 0.8)
    True

    References
    ----------
    R. Barber, E. Candès, A. Ramdas and R. Tibshirani (2021), Predictive inference with
    the jackknife+, Annals of Statistics 49.
    """

    _domains: ClassVar[Domains] = {
        "coverage": opened(0, 1),
    }

    def __init__(
        self,
        estimator: Any,
        *,
        coverage: float = 0.9,
        n_folds: int | str = 10,
        random_state: int = 0,
    ) -> None:
        self.estimator = estimator
        self.coverage = coverage
        self.n_folds = n_folds
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Fit the regressor on all rows, and once without each fold; return self."""
        check_parameters(self)
        targets = np.asarray(y, dtype=np.float64)
        number = len(targets) if self.n_folds == "leave one out" else self.n_folds
        limits = whole(2, max(2, len(targets)))
        check_domain("CrossConformalRegressor.n_folds", number, limits)
        owners = np.empty(len(targets), dtype=np.intp)
        errors = np.empty(len(targets))
        fitted = []
        splits = folds(targets, int(number), self.random_state, stratified=False)
        for place, (train, held) in enumerate(splits):
            model = clone(self.estimator).fit(take(X, train), targets[train])
            owners[held] = place
            errors[held] = np.abs(targets[held] - model.predict(take(X, held)))
            fitted.append(model)
        self.estimator_ = clone(self.estimator).fit(X, targets)
        self.estimators_, self.folds_, self.errors_ = fitted, owners, errors
        return self

    def predict(self, X: Any) -> Vector:
        """Return the predictions of the regressor that was fitted on all rows."""
        return np.asarray(self.estimator_.predict(X), dtype=np.float64)

    def predict_interval(self, X: Any, coverage: float | None = None) -> Matrix:
        """Return the low and the high end of the interval of each row."""
        check_fitted(self, "estimators_")
        share = self.coverage if coverage is None else coverage
        said = np.array([each.predict(X) for each in self.estimators_])
        n = len(self.errors_)
        rank = conformal_rank(n, share)
        ends = np.full((said.shape[1], 2), [-np.inf, np.inf])
        if rank > n:
            return ends
        step = max(1, (1 << 22) // n)
        for start in range(0, len(ends), step):
            block = said[:, start : start + step][self.folds_].T
            low, high = block - self.errors_, block + self.errors_
            ends[start : start + step, 0] = np.partition(low, n - rank)[:, n - rank]
            ends[start : start + step, 1] = np.partition(high, rank - 1)[:, rank - 1]
        return ends
