"""Base of passive-aggressive learners: parameters and the size of a step."""

from __future__ import annotations

from infimum.models.online._learner import OnlineLinear
from infimum.models.online._losses import StreamLoss
from infimum.models.online._schedule import Schedule, named_schedule
from infimum.parameters import check_domain, positive

__all__ = ["PassiveAggressive"]


class PassiveAggressive(OnlineLinear):
    """Steps no longer than the loss of a row asks, and no longer than C allows."""

    C: float

    def _schedule(self, loss: StreamLoss) -> Schedule:
        owner = type(self).__name__
        check_domain(f"{owner}.C", self.C, positive)
        return named_schedule(owner, "pa1", self.C, 0.0, 0.0, loss)
