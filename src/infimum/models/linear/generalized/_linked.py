"""Generalised linear models of a mean, with offsets and exposures."""

from __future__ import annotations

from abc import ABC
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.callback import with_callbacks
from sklearn.metrics import d2_tweedie_score

from infimum.certificates import Certificate
from infimum.data.doors.streamed_rows import streams
from infimum.data.doors.weights import known_scores
from infimum.losses import Loss
from infimum.models.linear._regressor import LinearRegressor
from infimum.models.linear.coding import Number
from infimum.models.linear.estimator import certify_linear, concluded, learn
from infimum.models.linear.fit import Recipe, limit_of
from infimum.parameters import Choice, Domains, nonnegative, or_none, whole
from infimum.penalties import NoPenalty, Ridge
from infimum.typing import Vector

__all__ = ["LinkedRegressor"]


class LinkedRegressor(LinearRegressor, ABC):
    """A linear model of the logarithm of a mean, with a ridge penalty."""

    _domains: ClassVar[Domains] = {
        "alpha": nonnegative,
        "max_iter": or_none(whole(1)),
        "solver": Choice(("lbfgs", "newton-cholesky")),
    }

    #: The power of the mean that the variance is proportional to.
    power: float
    alpha: float
    tol: float
    fit_intercept: bool

    @streams("infimum.models.linear.streamed:fit_streamed")
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
        learn(self, X, y, sample_weight, offset=offset, exposure=exposure)
        return concluded(self, expected="stationary")

    def predict(self, X: Any, *, offset: Any = None, exposure: Any = None) -> Vector:
        """Return the expected target of each sample.

        `offset` and `exposure` mean the same as in `fit`; without them the prediction
        is per unit of exposure.
        """
        return np.exp(self._scores(X, offset, exposure))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of the deviance explained (1 is perfect, 0 the mean)."""
        found = self.predict(X)
        share = d2_tweedie_score(
            y, found, sample_weight=sample_weight, power=self.power
        )
        return float(share)

    @streams("infimum.models.linear.streamed:certify_streamed")
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
        how: dict[str, Any] = {"tolerance": tolerance, "rigorous": rigorous}
        how |= {"offset": offset, "exposure": exposure}
        return certify_linear(self, X, y, sample_weight, **how)

    def _scores(self, X: Any, offset: Any, exposure: Any) -> Vector:
        """Return the logarithms of the means, or the means where there is no link."""
        scores = super().predict(X)
        known = known_scores(type(self).__name__, len(scores), offset, exposure)
        return scores if known is None else scores + known

    def _glm(self, loss: Loss) -> Recipe:
        """Return the recipe of a loss under the ridge penalty."""
        penalty = Ridge(float(self.alpha)) if self.alpha > 0 else NoPenalty()
        return Recipe(
            loss,
            penalty,
            Number(),
            tolerance=float(self.tol**2),
            intercept=self.fit_intercept,
            max_iterations=limit_of(self),
        )
