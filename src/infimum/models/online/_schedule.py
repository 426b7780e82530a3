"""How long the steps of a learner on a stream are, by scikit-learn's names."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from infimum.models.online._losses import StreamLoss
from infimum.parameters import Choice, check_domain, nonnegative, positive
from infimum.typing import Vector

__all__ = ["Schedule", "named_schedule"]

RATES = ("constant", "optimal", "invscaling", "adaptive", "pa1", "pa2")
SHORTEST = 1e-6


@dataclass(frozen=True)
class Schedule:
    """Step length numerator/(shift + time)^power, or the most of a proximal step."""

    numerator: float
    shift: float = 0.0
    power: float = 0.0
    adaptive: bool = False
    proximal: bool = False

    def lengths(self, times: Vector) -> Vector:
        """Return the lengths of the steps at those times."""
        since = self.shift + times
        # Powers of every time take longer than the steps of a small table.
        fade = since if self.power == 1.0 else since**self.power
        return np.asarray(self.numerator / fade)

    def shorter(self) -> Schedule | None:
        """Return a fifth of the steps where they adapt; None when that is over."""
        if not self.adaptive or self.numerator <= SHORTEST:
            return None
        return replace(self, numerator=self.numerator / 5.0)


def named_schedule(
    owner: str, rate: str, eta0: float, power_t: float, alpha: float, loss: StreamLoss
) -> Schedule:
    """Return the schedule called so."""
    check_domain(f"{owner}.learning_rate", rate, Choice(RATES))
    if rate == "optimal":
        check_domain(f"{owner}.alpha", alpha, positive)
        typical = alpha**-0.25
        slope = _slope_at(loss, -typical)
        first = typical / max(1.0, slope)
        return Schedule(1.0 / alpha, 1.0 / (first * alpha) - 1.0, 1.0)
    check_domain(f"{owner}.eta0", eta0, positive)
    if rate == "invscaling":
        check_domain(f"{owner}.power_t", power_t, nonnegative)
        return Schedule(eta0, 0.0, power_t)
    return Schedule(eta0, adaptive=rate == "adaptive", proximal=rate in {"pa1", "pa2"})


def _slope_at(loss: StreamLoss, score: float) -> float:
    slopes = type(loss).derivative_formula(
        np.ones(1), np.array([score]), loss.parameters
    )
    return float(np.asarray(slopes)[0])
