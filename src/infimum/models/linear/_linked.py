"""Generalised linear models share a link, and a part of the score that is known."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.callback import with_callbacks
from sklearn.metrics import d2_tweedie_score

from infimum.certificates import Certificate
from infimum.errors import DataError
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear._regressor import LinearRegressor
from infimum.parameters import check_domain, nonnegative
from infimum.penalties import NoPenalty, Penalty, Ridge
from infimum.typing import Vector

__all__ = ["LinkedRegressor", "known_part"]


class LinkedRegressor(LinearRegressor, ABC):
    """A linear model of the logarithm of a mean, with a ridge penalty."""

    alpha: float
    tol: float

    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        offset: Any = None,
        exposure: Any = None,
    ) -> Self:
        """Learn the coefficients, with a proof; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        offset : array-like of shape (n_samples,), optional
            Known part of each score, added to ⟨w, x⟩ + b.
        exposure : array-like of shape (n_samples,), optional
            How long or how much each sample was observed: the mean is proportional to
            it. The same as an offset of its logarithm.
        """
        return self._fit(X, y, _Given(sample_weight, offset, exposure))

    def predict(self, X: Any, *, offset: Any = None, exposure: Any = None) -> Vector:
        """Return the expected target of each sample.

        `offset` and `exposure` mean the same as in `fit`; without them the prediction
        is per unit of exposure.
        """
        scores = self._scores(X)
        known = known_part(type(self).__name__, len(scores), offset, exposure)
        return self._mean(scores if known is None else scores + known)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of the deviance explained (1 is perfect, 0 the mean)."""
        power = self._power()
        return float(
            d2_tweedie_score(
                y, self.predict(X), sample_weight=sample_weight, power=power
            )
        )

    def certify(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        offset: Any = None,
        exposure: Any = None,
    ) -> Certificate:
        """Recompute the proof from the coefficients and the data alone."""
        return super().certify(X, y, _Given(sample_weight, offset, exposure))

    def _mean(self, scores: Vector) -> Vector:
        """Return the mean that the scores stand for."""
        return np.exp(scores)

    @abstractmethod
    def _power(self) -> float:
        """Return the power p of the mean that the variance is proportional to."""

    def _state(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> LinearProblem:
        given = (
            sample_weight
            if isinstance(sample_weight, _Given)
            else _Given(sample_weight)
        )
        problem = super()._state(X, y, given.sample_weight, reset=reset)
        count = len(np.asarray(y))
        known = known_part(type(self).__name__, count, given.offset, given.exposure)
        if known is None:
            return problem
        if given.sample_weight is not None:  # the problem has lost samples of weight 0
            known = known[np.broadcast_to(np.asarray(given.sample_weight) != 0, count)]
        return replace(problem, offset=known)

    def _penalty(self, total: float) -> Penalty:
        check_domain(f"{type(self).__name__}.alpha", self.alpha, nonnegative)
        return Ridge(float(self.alpha)) if self.alpha > 0 else NoPenalty()

    def _tolerance(self) -> float:
        return float(self.tol**2)


class _Given(NamedTuple):
    """What came along with the samples and targets."""

    sample_weight: Any = None
    offset: Any = None
    exposure: Any = None


def known_part(owner: str, count: int, offset: Any, exposure: Any) -> Vector | None:
    """Return the known part of the scores, or None."""
    if offset is None and exposure is None:
        return None
    known = np.zeros(count)
    for name, given in (("offset", offset), ("exposure", exposure)):
        if given is None:
            continue
        values = np.asarray(given, dtype=np.float64)
        if values.shape != (count,) or not np.isfinite(values).all():
            raise DataError(
                f"{owner} takes one finite {name} for each of the {count} samples, got "
                f"an array of shape {values.shape}."
            )
        if name == "exposure" and values.min(initial=1.0) <= 0:
            raise DataError(
                f"{owner} needs exposures above 0, the least is {values.min():g}."
            )
        known += values if name == "offset" else np.log(values)
    return known
