"""Base of stochastic gradient learners: loss, penalty and schedule."""

from __future__ import annotations

from typing import Any

from infimum.errors import IncompatibleError
from infimum.losses import (
    EpsilonInsensitive,
    Hinge,
    SquaredEpsilonInsensitive,
    SquaredHinge,
)
from infimum.models.online._learner import OnlineLinear
from infimum.models.online._losses import StreamLoss, named_loss
from infimum.models.online._schedule import Schedule, named_schedule

__all__ = ["Stochastic"]


class Stochastic(OnlineLinear):
    """Steps down the loss of each row, as long as a schedule says."""

    loss: Any
    learning_rate: str
    epsilon: float
    eta0: float
    power_t: float
    alpha: float

    def _stream_loss(self) -> StreamLoss:
        owner, labels = type(self).__name__, not self._estimator_type_is_regressor()
        loss = named_loss(owner, self.loss, self.epsilon, labels=labels)
        if self.learning_rate == "pa2":
            if isinstance(loss, Hinge):
                return SquaredHinge()
            if isinstance(loss, EpsilonInsensitive):
                return SquaredEpsilonInsensitive(loss.epsilon)
        return loss

    def _schedule(self, loss: StreamLoss) -> Schedule:
        owner = type(self).__name__
        schedule = named_schedule(
            owner, self.learning_rate, self.eta0, self.power_t, self.alpha, loss
        )
        if schedule.proximal and type(loss).prox_formula is None:
            raise IncompatibleError(
                f"{owner} cannot take passive-aggressive steps on {self.loss!r}, which "
                "has no proximal step in closed form."
            )
        if schedule.proximal and self.penalty is not None:
            raise IncompatibleError(
                f"{owner} takes passive-aggressive steps without a penalty only, got "
                f"penalty={self.penalty!r}."
            )
        return schedule
