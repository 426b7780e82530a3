"""Split conformal regression: intervals around any regressor, with their coverage."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MetaEstimatorMixin, RegressorMixin, clone

from infimum.data.doors import check_fitted
from infimum.errors import DataError, IncompatibleError
from infimum.evaluation.conformal.strata import Strata, apart, group_names, take
from infimum.evaluation.folds import folds
from infimum.parameters import Choice, Domains, Kind, check_parameters, opened
from infimum.typing import Matrix, Vector

__all__ = ["ConformalRegressor"]

_METHODS = Choice(("absolute", "normalized", "quantile"))


def _is_learner(value: object) -> bool:
    given = value if isinstance(value, tuple | list) else (value,)
    return len(given) in (1, 2) and all(hasattr(each, "fit") for each in given)


class ConformalRegressor(RegressorMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    r"""A regressor whose intervals contain the truth as often as they promise.

    Some rows are set aside, and the interval is as wide as a share `coverage` of their
    errors needs. If these rows and a new one are exchangeable,

    .. math:: P\bigl(y \in [\ell(x), u(x)]\bigr) \ge \text{coverage},

    whatever the law of the data and however bad the regressor.

    ============ ====================================================================
    absolute     :math:`\hat y(x) \pm q`: all intervals have the same width
    normalized   :math:`\hat y(x) \pm q\,\hat s(x)` with a second regressor ŝ for the
                 size of the errors: wide where predictions are bad
    quantile     :math:`[\hat q_{low}(x) - q, \hat q_{high}(x) + q]`: conformalised
                 quantile regression
    ============ ====================================================================

    Parameters
    ----------
    estimator : estimator
        The regressor. For "quantile" it has the parameter `quantile_parameter`, or is
        a pair (regressor of the low quantile, regressor of the high one).
    method : {"absolute", "normalized", "quantile"}, default="absolute"
    coverage : float in (0, 1), default=0.9
    calibration : float in (0, 1), default=0.25
        Share of the rows that `fit` sets aside.
    spread : estimator, default=None
        The regressor of the size of the errors for "normalized"; None takes a clone of
        `estimator`.
    quantile_parameter : str, default="quantile"
        Name of the parameter that says which quantile `estimator` estimates.
    random_state : int, default=0
        Decides which rows are set aside.

    Attributes
    ----------
    estimator_ : estimator or tuple of estimators
    strata_ : the calibration scores, by group.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.evaluation import ConformalRegressor
    >>> from infimum.models.linear import Ridge
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((2000, 3))
    >>> y = X[:, 0] + rng.standard_normal(2000)
    >>> model = ConformalRegressor(Ridge(), coverage=0.9).fit(X[:1000], y[:1000])
    >>> low, high = model.predict_interval(X[1000:]).T
    >>> bool(np.mean((low <= y[1000:]) & (y[1000:] <= high)) >= 0.88)
    True

    References
    ----------
    J. Lei et al. (2018), Distribution-free predictive inference for regression, JASA.
    Y. Romano, E. Patterson and E. Candès (2019), Conformalized quantile regression,
    NeurIPS.
    """

    _domains: ClassVar[Domains] = {
        "estimator": Kind(_is_learner, "an estimator with `fit`, or two"),
        "method": _METHODS,
        "coverage": opened(0, 1),
    }

    def __init__(
        self,
        estimator: Any,
        *,
        method: str = "absolute",
        coverage: float = 0.9,
        calibration: float = 0.25,
        spread: Any = None,
        quantile_parameter: str = "quantile",
        random_state: int = 0,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.coverage = coverage
        self.calibration = calibration
        self.spread = spread
        self.quantile_parameter = quantile_parameter
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike, groups: ArrayLike | None = None) -> Self:
        """Fit on some of the rows, calibrate on the others; return self.

        With `groups`, one entry a row, every group gets intervals of its own, which
        keep the promise within the group.
        """
        self._check()
        targets = np.asarray(y, dtype=np.float64)
        train, held = apart(len(targets), self.calibration, self.random_state)
        names = None if groups is None else group_names(groups, len(targets))[held]
        self._learn(take(X, train), targets[train])
        self.fitted_here_ = True
        return self.calibrate(take(X, held), targets[held], names)

    def calibrate(
        self,
        X: Any,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        *,
        weights: ArrayLike | None = None,
        heaviest: float | None = None,
    ) -> Self:
        """Choose the width on rows the regressor has not seen; return self.

        An estimator that is already fitted may be calibrated without `fit`. With
        `weights` the promise is about a population in which each row stands for so many
        (see `weighted_threshold`); rows heavier than the `heaviest`, which is that of
        these rows unless it is given, count as that.
        """
        self._check()
        if not getattr(self, "fitted_here_", False):
            self.estimator_ = self._already_fitted()
        targets = np.asarray(y, dtype=np.float64)
        if len(targets) == 0:
            raise DataError("ConformalRegressor needs calibration rows, got none.")
        low, high, scale = self._frame(X)
        scores = np.maximum(low - targets, targets - high) / scale
        self.strata_ = Strata.of(scores, groups, weights, heaviest)
        return self

    def predict(self, X: Any) -> Vector:
        """Return the point predictions; for quantiles the middle of the two."""
        low, high, _ = self._frame(X)
        return 0.5 * (low + high)

    def predict_interval(
        self,
        X: Any,
        coverage: float | None = None,
        groups: ArrayLike | None = None,
    ) -> Matrix:
        """Return the low and the high end of the interval of each row.

        A group that calibration has not seen, or has seen too little of, gets the
        whole line: nothing less can be promised.
        """
        check_fitted(self, "strata_")
        low, high, scale = self._frame(X)
        share = self.coverage if coverage is None else coverage
        margin = self.strata_.thresholds(share, groups, len(low)) * scale
        middle = 0.5 * (low + high)
        low, high = low - margin, high + margin
        # Quantiles that cross and a negative margin can leave an empty interval; one
        # point stands for it, which cannot lower the coverage.
        crossed = low > high
        return np.column_stack(
            [np.where(crossed, middle, low), np.where(crossed, middle, high)]
        )

    def _already_fitted(self) -> Any:
        if self.method == "normalized":
            raise IncompatibleError(
                "ConformalRegressor: the regressor of error sizes that "
                "method='normalized' needs is made by fit; call fit instead."
            )
        if self.method == "quantile" and not isinstance(self.estimator, tuple):
            raise IncompatibleError(
                "ConformalRegressor(method='quantile') calibrates a pair of fitted "
                "estimators, or makes the pair in fit; one is not enough."
            )
        return self.estimator

    def _check(self) -> None:
        check_parameters(self)
        if isinstance(self.estimator, tuple) and self.method != "quantile":
            raise IncompatibleError(
                "ConformalRegressor takes a pair of estimators for method='quantile' "
                f"only, got method={self.method!r}."
            )

    def _learn(self, X: Any, y: Vector) -> None:
        if self.method != "quantile":
            self.estimator_ = clone(self.estimator).fit(X, y)
            if self.method == "normalized":
                self.spread_ = self._learn_spread(X, y)
            return
        if isinstance(self.estimator, tuple):
            pair = [clone(each) for each in self.estimator]
        else:
            tail = (1 - self.coverage) / 2
            pair = [
                clone(self.estimator).set_params(**{self.quantile_parameter: quantile})
                for quantile in (tail, 1 - tail)
            ]
        self.estimator_ = tuple(each.fit(X, y) for each in pair)

    def _learn_spread(self, X: Any, y: Vector) -> Any:
        # Errors on rows that were learned are too small; held-back rows tell the size.
        sizes = np.empty(len(y))
        splits = folds(y, min(5, len(y)), self.random_state, stratified=False)
        for train, held in splits:
            fitted = clone(self.estimator).fit(take(X, train), y[train])
            sizes[held] = np.abs(y[held] - fitted.predict(take(X, held)))
        # No size is believed to be far below the usual one.
        self.smallest_spread_ = max(0.1 * float(np.median(sizes)), 1e-12)
        learner = self.estimator if self.spread is None else self.spread
        return clone(learner).fit(X, sizes)

    def _frame(self, X: Any) -> tuple[Vector, Vector, Any]:
        """Return what the margin is added to, and the unit it is measured in."""
        if isinstance(self.estimator_, tuple):
            low, high = (np.asarray(each.predict(X)) for each in self.estimator_)
            return low, high, 1.0
        middle = np.asarray(self.estimator_.predict(X), dtype=np.float64)
        if self.method != "normalized":
            return middle, middle, 1.0
        sizes = np.asarray(self.spread_.predict(X), dtype=np.float64)
        return middle, middle, np.maximum(sizes, self.smallest_spread_)
