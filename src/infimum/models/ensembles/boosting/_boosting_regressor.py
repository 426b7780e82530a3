"""Base of boosted regressors: targets in, predictions out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.base import RegressorMixin

from infimum.data.doors.tables import moderate_targets
from infimum.errors import DataError, IncompatibleError
from infimum.losses import Absolute, Gamma, Huber, Loss, Poisson, Quantile, Squared
from infimum.models.ensembles.boosting._boosting_loss import BoostingLoss
from infimum.models.ensembles.boosting._gradient_boosting import GradientBoostingModel
from infimum.parameters import Choice, check_domain, opened
from infimum.typing import Matrix, Vector

__all__ = ["BoostingRegressor"]

#: What the targets of a loss must be, in words and as a test.
_DOMAINS: dict[str, tuple[str, Any]] = {
    "count": ("not negative, and some positive", lambda y: y.min() >= 0 and y.any()),
    "positive": ("positive", lambda y: y.min() > 0),
    "fraction": ("in [0, 1]", lambda y: y.min() >= 0 and y.max() <= 1),
}


class BoostingRegressor(RegressorMixin, GradientBoostingModel):  # type: ignore[misc]
    """A boosted model whose scores are numbers, or their logarithms."""

    loss: Any

    @property
    def _target_rules(self) -> dict[str, Any]:
        return {"numeric": True}

    def _named_loss(self) -> Loss:
        """Return the loss that the parameters name."""
        owner, loss = type(self).__name__, self.loss
        if isinstance(loss, Loss):
            return loss
        names = ("squared_error", "absolute_error", "huber", "gamma", "poisson",
                 "quantile")  # fmt: skip
        check_domain(f"{owner}.loss", loss, Choice(names))
        if loss == "quantile":
            level = self._level()
            check_domain(f"{owner}'s quantile", level, opened(0, 1))
            return Quantile(float(level))
        kinds: dict[str, Any] = {
            "squared_error": Squared,
            "absolute_error": Absolute,
            "gamma": Gamma,
            "poisson": Poisson,
            "huber": Huber,
        }
        chosen: Loss = kinds[loss]()
        return chosen

    def _level(self) -> Any:
        return getattr(self, "quantile", None)

    def _loss(self, y: Vector) -> BoostingLoss:
        owner, loss = type(self).__name__, self._named_loss()
        if loss.target == "sign":
            raise IncompatibleError(
                f"{owner}.loss must be one of numbers, got {type(loss).__name__}, "
                "which is one of labels."
            )
        words, holds = _DOMAINS.get(loss.target, ("", lambda _: True))
        if not holds(y):
            raise DataError(f"{owner}: y must be {words} for {type(loss).__name__}.")
        return BoostingLoss(owner, loss)

    def _admit_targets(self, y: Any, weights: Any) -> tuple[Vector, Vector | None]:
        self._codes = None
        return moderate_targets(self, y), weights

    def _admit_more_targets(self, y: Any, weights: Any) -> tuple[Vector, Vector | None]:
        return moderate_targets(self, y), weights

    def predict(self, X: Any) -> Vector:
        """Return the predicted numbers."""
        return self._unlinked(self._raw(X))

    def staged_predict(self, X: Any) -> Iterator[Vector]:
        """Return the predictions after each round."""
        yield from map(self._unlinked, self._staged_raw(X))

    def _unlinked(self, raw: Matrix) -> Vector:
        target = self._named_loss().target
        if target in {"count", "positive"}:
            return np.asarray(np.exp(raw[:, 0]))
        return np.asarray(expit(raw[:, 0]) if target == "fraction" else raw[:, 0])
