"""Generalised linear models share a link, and a part of the score that is known."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.callback import with_callbacks
from sklearn.metrics import d2_tweedie_score

from infimum.certificates import Certificate
from infimum.models.linear._known_part import Given, KnowsPart, known_part
from infimum.models.linear._regressor import LinearRegressor
from infimum.parameters import check_domain, nonnegative
from infimum.penalties import NoPenalty, Penalty, Ridge
from infimum.typing import Vector

__all__ = ["LinkedRegressor"]


class LinkedRegressor(KnowsPart, LinearRegressor, ABC):
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
        return self._fit(X, y, Given(sample_weight, offset, exposure))

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
        tolerance: float | None = None,
        rigorous: bool = False,
    ) -> Certificate:
        """Recompute the proof from the coefficients and the data alone."""
        given = Given(sample_weight, offset, exposure)
        return super().certify(X, y, given, tolerance=tolerance, rigorous=rigorous)

    def _mean(self, scores: Vector) -> Vector:
        """Return the mean that the scores stand for."""
        return np.exp(scores)

    @abstractmethod
    def _power(self) -> float:
        """Return the power p of the mean that the variance is proportional to."""

    def _penalty(self, total: float) -> Penalty:
        check_domain(f"{type(self).__name__}.alpha", self.alpha, nonnegative)
        return Ridge(float(self.alpha)) if self.alpha > 0 else NoPenalty()

    def _tolerance(self) -> float:
        return float(self.tol**2)
