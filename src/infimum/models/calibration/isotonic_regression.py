"""Isotonic regression: the nearest function that never falls."""

from __future__ import annotations

import math
import warnings
from typing import Any, ClassVar, Self

import numpy as np
from scipy import stats
from sklearn.base import BaseEstimator, RegressorMixin, TransformerMixin

from infimum.certificates import Certificate, gamma
from infimum.certificates.rounding import UNIT
from infimum.compiled.descent.pooled_violators import pool_violators
from infimum.data.doors import array, check_fitted, same_length, weighed
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.parameters import Choice, Domains, check_parameters
from infimum.typing import Vector

__all__ = ["IsotonicRegression", "check_increasing", "isotonic_regression"]

#: Half the width of a 95 % interval of a normal variable.
WIDTH = 1.96
#: Kinds of numbers that stay what they are; all others become the first.
KINDS = (np.float64, np.float32)


def check_increasing(x: Any, y: Any) -> bool:
    """Tell whether y goes up with x, by the sign of their rank correlation.

    Parameters
    ----------
    x, y : array-like of shape (n_samples,)

    Examples
    --------
    >>> check_increasing([1, 2, 3], [2, 3, 9])
    True
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if len(x) <= 1 or (x == x[0]).all() or (y == y[0]).all():
        return True
    rho = float(stats.spearmanr(x, y).statistic)
    if abs(rho) < 1.0 and len(x) > 3:  # noqa: PLR2004
        middle, half = np.arctanh(rho), WIDTH / np.sqrt(len(x) - 3)
        if np.sign(middle - half) != np.sign(middle + half):
            warnings.warn(
                "Confidence interval of the Spearman correlation coefficient spans "
                "zero. Determination of ``increasing`` may be suspect.",
                stacklevel=2,
            )
    return rho >= 0


def isotonic_regression(
    y: Any,
    *,
    sample_weight: Any = None,
    y_min: float | None = None,
    y_max: float | None = None,
    increasing: bool = True,
) -> Vector:
    """Return the nearest vector that never falls (or never rises).

    Parameters
    ----------
    y : array-like of shape (n_samples,)
    sample_weight : array-like of shape (n_samples,), optional
    y_min, y_max : float, optional
        What the values are cut off at.
    increasing : bool, default=True

    Examples
    --------
    >>> isotonic_regression([1, 3, 2])
    array([1. , 2.5, 2.5])
    """
    y = np.asarray(array(y, dtype=KINDS, ensure_2d=False))
    weights = weighed(sample_weight, y)
    weights = np.ones(len(y)) if weights is None else weights
    values = _nearest(y.astype(np.float64), weights, increasing=increasing)
    return _cut(values, y_min, y_max).astype(y.dtype)


def _nearest(y: Vector, weights: Vector, *, increasing: bool) -> Vector:
    step = 1 if increasing else -1
    values = np.ascontiguousarray(y[::step], dtype=np.float64).copy()
    # A row of weight 0 follows the one before it.
    pool_violators(values, np.ascontiguousarray(np.maximum(weights[::step], 1e-300)))
    return values[::step]


def _between(places: Any, corners: Vector, values: Vector) -> Vector:
    """Return values of the broken line; corners may be as close as numbers can be."""
    places = np.asarray(places)
    if len(corners) == 1:
        return np.where(np.isnan(places), np.nan, values[0])
    left = np.searchsorted(corners[1:-1], places, side="right")
    share = (places - corners[left]) / (corners[left + 1] - corners[left])
    share = np.clip(share, 0.0, 1.0)
    return np.asarray(values[left] * (1.0 - share) + values[left + 1] * share)


def _cut(values: Vector, low: Any, high: Any) -> Vector:
    if low is None and high is None:
        return values
    return np.clip(
        values, -np.inf if low is None else low, np.inf if high is None else high
    )


class IsotonicRegression(
    RegressorMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    r"""Least squares by a function of one feature that never falls.

    .. math:: \min_{f_1 ≤ … ≤ f_n} \; \tfrac12 \sum_i w_i (y_i - f_i)^2

    The minimum is found by pooling neighbours that violate the order, and proved: the
    dual variable of each neighbouring pair is a partial sum of residuals.

    Parameters
    ----------
    y_min, y_max : float or None, default=None
        What predictions are cut off at.
    increasing : bool or 'auto', default=True
        Whether the function rises or falls; 'auto' asks the rank correlation.
    out_of_bounds : {'nan', 'clip', 'raise'}, default='nan'
        What becomes of new values outside of the training range.

    Attributes
    ----------
    X_min_, X_max_ : float
    X_thresholds_, y_thresholds_ : ndarray
        The corners of the function, which is linear between them.
    f_ : callable
        The function.
    increasing_ : bool
    certificate_ : Certificate

    Examples
    --------
    >>> model = IsotonicRegression().fit([1, 2, 3, 4], [1.0, 3.0, 2.0, 5.0])
    >>> model.predict([1.5, 3.5])
    array([1.75, 3.75])
    >>> model.certificate_.closed
    True
    """

    _domains: ClassVar[Domains] = {
        "increasing": Choice((True, False, "auto")),
        "out_of_bounds": Choice(("nan", "clip", "raise")),
    }

    def __init__(
        self,
        *,
        y_min: float | None = None,
        y_max: float | None = None,
        increasing: Any = True,
        out_of_bounds: str = "nan",
    ) -> None:
        self.y_min = y_min
        self.y_max = y_max
        self.increasing = increasing
        self.out_of_bounds = out_of_bounds

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the function; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        check_parameters(self)
        x = self._column(X)
        y = np.asarray(array(y, ensure_2d=False), dtype=x.dtype)
        if y.ndim != 1:
            raise DataError(f"y should be a 1d array, got an array of shape {y.shape}.")
        same_length(x, y)
        weights = weighed(sample_weight, x)
        weights = np.ones(len(x)) if weights is None else weights
        there = weights > 0
        x, y, weights = x[there], y[there].astype(np.float64), weights[there]
        self.increasing_ = bool(self.increasing)
        if self.increasing == "auto":
            self.increasing_ = check_increasing(x, y)
        self._fit_sorted(x, y, weights)
        return self

    def _fit_sorted(self, x: Vector, y: Vector, weights: Vector) -> None:
        places, own = np.unique(x, return_inverse=True)
        totals = np.asarray(np.bincount(own, weights=weights), dtype=np.float64)
        means = np.bincount(own, weights=weights * y) / totals
        means += np.bincount(own, weights=weights * (y - means[own])) / totals
        free = _nearest(means, totals, increasing=self.increasing_)
        values = _cut(free, self.y_min, self.y_max)
        step = 1 if self.increasing_ else -1
        self.certificate_ = _proof(
            means[::step], totals[::step], free[::step],
            _within(y - means[own], own, weights), self.y_min, self.y_max,
        )  # fmt: skip
        kept = np.ones(len(values), dtype=bool)
        inner = values[1:-1]
        kept[1:-1] = (inner != values[:-2]) | (inner != values[2:])
        self.X_min_, self.X_max_ = x.dtype.type(places[0]), x.dtype.type(places[-1])
        self.X_thresholds_ = places[kept]
        self.y_thresholds_ = values[kept].astype(x.dtype)

    def _column(self, X: Any) -> Vector:
        found = np.asarray(array(X, dtype=KINDS, ensure_2d=False))
        if found.ndim > 2 or (found.ndim == 2 and found.shape[1] != 1):  # noqa: PLR2004
            raise DataError(
                "Isotonic regression input X should be a 1d array or 2d array with 1 "
                f"feature, got shape {found.shape}."
            )
        return found.reshape(-1)

    @property
    def f_(self) -> Any:
        """The fitted function of one value."""
        check_fitted(self)
        return lambda T: _between(T, self.X_thresholds_, self.y_thresholds_)

    def transform(self, T: Any) -> Vector:
        """Return the value of the function at new places."""
        return self._values(T)

    def _values(self, T: Any) -> Vector:
        check_fitted(self)
        places = self._column(T)
        low, high = self.X_min_, self.X_max_
        outside = (places < low) | (places > high)
        if self.out_of_bounds == "raise" and outside.any():
            raise DataError(
                f"IsotonicRegression: {places[outside][0]!r} is outside of the "
                f"training range [{low!r}, {high!r}]."
            )
        told = np.asarray(self.f_(places))
        if self.out_of_bounds == "nan":
            told = np.where(outside, np.nan, told)
        return told.astype(places.dtype, copy=False)

    def predict(self, T: Any) -> Vector:
        """Return the value of the function at new places."""
        return self._values(T)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the name of what `transform` returns."""
        check_fitted(self)
        return np.asarray([f"{type(self).__name__.lower()}0"], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _within(apart: Vector, own: Any, weights: Vector) -> tuple[float, float]:
    """Return the sum of squares within places; and how far their means may be off.

    The latter as √(Σ r²/w), r = Σ w (y - mean) at each place, rounding included.
    """
    totals = np.bincount(own, weights=weights)
    sizes = np.bincount(own, weights=weights * np.abs(apart))
    left = np.abs(np.bincount(own, weights=weights * apart))
    left = left + gamma(float(np.bincount(own).max(initial=0)) + 4.0) * sizes
    off = math.sqrt(float(np.sum(left**2 / totals)))
    return float(weights @ apart**2), off


@np.errstate(over="ignore", invalid="ignore")
def _proof(
    y: Vector, weights: Vector, free: Vector, apart: tuple[float, float],
    low: Any, high: Any,
) -> Certificate:  # fmt: skip
    """Return the objective and a bound below it, from multipliers of the order.

    With multipliers λ ≥ 0 of f_i ≤ f_{i+1}, the least of the Lagrangian over f in the
    interval is taken at each i alone. Partial sums of the residuals of the function
    before it is cut off, themselves cut off at 0, are such multipliers. What rounding
    may have added is subtracted.
    """
    (within, off), values = apart, _cut(free, low, high)
    sums = np.maximum(np.cumsum(weights * (y - free))[:-1], 0.0)
    pull = np.diff(sums, prepend=0.0, append=0.0)
    best = _cut(y - pull / weights, low, high)
    mean = float(weights @ y / weights.sum())  # the pulls add up to 0
    lower = 0.5 * float(weights @ (y - best) ** 2) + float(pull @ (best - mean))
    # Each pull is a difference of two sums, and faces what may be off in best - mean.
    sizes = weights @ (y - best) ** 2 + np.abs(pull) @ np.abs(best - mean)
    reach = np.abs(best) + abs(mean) + np.abs(y)
    lost = gamma(len(y) + 8.0) * float(sizes + 4.0 * UNIT * (np.abs(pull) @ reach))
    lost += float(np.abs(sums).max(initial=0.0)) * 4.0 * UNIT * float(np.ptp(best))
    # The best f are rounded, and curvature prices that; so are the sums of squares.
    steps = 4.0 * UNIT * (np.abs(y) + np.abs(pull) / weights)
    lost += 0.5 * float(weights @ steps**2) + gamma(len(y) + 8.0) * within
    upper = 0.5 * float(weights @ (y - values) ** 2)
    # A mean that is off by r/w meets y - f, whose length a better f does not exceed.
    lost += off * (2.0 * off + math.sqrt(2.0 * upper))
    scale = 0.5 * float(weights @ (y - mean) ** 2) + 0.5 * within
    total = float(weights.sum())
    lower = lower - lost if math.isfinite(lower - lost) else -math.inf
    return Certificate(
        (upper + 0.5 * within) / total, (lower + 0.5 * within) / total, scale / total,
        1e-9, "pooled", lost / total,
    )  # fmt: skip
