"""Steps of stochastic gradient descent: Adam, and momentum with a schedule."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from infimum.typing import Vector

__all__ = ["Adam", "Momentum", "steps_of"]

#: The least rate of the schedule 'adaptive'.
LEAST_RATE = 1e-6
#: Every parameter.
ALL = slice(None)


class Adam:
    """Steps in units of the recent size of each derivative (Kingma & Ba, ICLR 2015)."""

    def __init__(self, model: Any, memory: list[Vector], taken: int) -> None:
        self.model, self.memory, self.taken = model, memory, taken
        self.rate = float(model.learning_rate_init)
        one, two = float(model.beta_1), float(model.beta_2)
        self.betas = one, two
        #: Weight decay first and the rate last change with every step.
        self.numbers = np.array(
            [0.0, one, 1 - one, two, 1 - two, model.epsilon, self.rate],
            dtype=memory[0].dtype,
        )

    def prepare(self, decay: float) -> None:
        """Put down the numbers of the next step."""
        self.taken += 1
        one, two = self.betas
        grown = sqrt(1.0 - two**self.taken) / (1.0 - one**self.taken)
        self.rate = float(self.model.learning_rate_init * grown)
        self.numbers[0], self.numbers[-1] = decay, self.rate

    def apply(
        self, theta: Vector, gradient: Vector, n_decayed: int, part: slice = ALL
    ) -> None:
        """Take the step for a part of the parameters, of which so many are decayed."""
        from infimum.compiled.descent.adam_step import adam_step

        first, second = (own[part] for own in self.memory)
        adam_step(theta[part], gradient[part], first, second, n_decayed, self.numbers)

    def end_pass(self, rows_seen: int) -> None:
        """Adapt to the end of a pass."""

    def goes_on(self) -> bool:
        """Whether there is something to try when the loss no longer falls."""
        return False


class Momentum:
    """Steps that keep some of the last one, Nesterov's way or plainly."""

    def __init__(self, model: Any, memory: list[Vector], rate: float) -> None:
        self.model, self.memory, self.rate = model, memory, rate
        self.taken, keep = 0, float(model.momentum)
        ahead = keep if model.nesterovs_momentum else 0.0
        #: Weight decay first and the rate last change with every step.
        self.numbers = np.array([0.0, keep, ahead, rate], dtype=memory[0].dtype)

    def prepare(self, decay: float) -> None:
        """Put down the numbers of the next step."""
        self.numbers[0], self.numbers[-1] = decay, self.rate

    def apply(
        self, theta: Vector, gradient: Vector, n_decayed: int, part: slice = ALL
    ) -> None:
        """Take the step for a part of the parameters, of which so many are decayed."""
        from infimum.compiled.descent.momentum_step import momentum_step

        velocity = self.memory[0][part]
        momentum_step(theta[part], gradient[part], velocity, n_decayed, self.numbers)

    def end_pass(self, rows_seen: int) -> None:
        """Adapt to the end of a pass."""
        if self.model.learning_rate == "invscaling":
            slow = (rows_seen + 1) ** self.model.power_t
            self.rate = float(self.model.learning_rate_init) / slow

    def goes_on(self) -> bool:
        """Whether there is something to try when the loss no longer falls."""
        if self.model.learning_rate != "adaptive" or self.rate <= LEAST_RATE:
            return False
        self.rate /= 5.0
        return True


def steps_of(model: Any, theta: Vector, *, fresh: bool) -> Adam | Momentum:
    """Return the steps that the parameters name, going on from those before."""
    adam = model.solver == "adam"
    count = 2 if adam else 1
    # Another solver than the one before begins anew.
    fresh = fresh or len(getattr(model, "_memory", ())) != count
    memory = [np.zeros_like(theta) for _ in range(count)] if fresh else model._memory
    if adam:
        return Adam(model, memory, 0 if fresh else model._taken)
    rate = float(model.learning_rate_init) if fresh else model._rate
    return Momentum(model, memory, rate)
