"""Follow the regularised leader: the best point so far, held back by a ridge."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.certificates import Regret
from infimum.parameters import check_domain, positive, whole
from infimum.typing import Vector

__all__ = ["FollowTheRegularizedLeader"]


class FollowTheRegularizedLeader:
    r"""The minimiser of all linearised losses so far plus a ridge, on a ball.

    .. math:: w_{t+1} = \arg\min_{‖w‖ ≤ R} \sum_{s≤t} ⟨g_s, w⟩ + \frac{‖w‖²}{2η},
              \qquad \text{regret} ≤ \frac{‖u‖²}{2η} + \frac η2 \sum_t ‖g_t‖²

    Parameters
    ----------
    features : int
        How many coefficients there are.
    rate : float, default=1.0
        The η.
    radius : float, default=1.0
        The R.

    Attributes
    ----------
    point : ndarray
        Where the learner stands.
    incurred : float
        The sum of the losses met.

    Examples
    --------
    >>> import numpy as np
    >>> leader = FollowTheRegularizedLeader(2, rate=0.1)
    >>> leader.learn(0.0, np.array([-3.0, -4.0])).point.round(12).tolist()
    [0.3, 0.4]
    """

    def __init__(
        self, features: int, *, rate: float = 1.0, radius: float = 1.0
    ) -> None:
        owner = type(self).__name__
        check_domain(f"{owner}.features", features, whole(1))
        check_domain(f"{owner}.rate", rate, positive)
        check_domain(f"{owner}.radius", radius, positive)
        self.rate, self.radius = float(rate), float(radius)
        self.total: Any = np.zeros(int(features))
        self.incurred, self.squares = 0.0, 0.0

    @property
    def point(self) -> Vector:
        """Where the learner stands."""
        free = -self.rate * self.total
        length = float(np.linalg.norm(free))
        held = free if length <= self.radius else free * (self.radius / length)
        return np.asarray(held)

    def learn(self, loss: float, gradient: Vector) -> FollowTheRegularizedLeader:
        """Pay the loss at the present point, and remember its subgradient."""
        self.incurred += float(loss)
        self.squares += float(np.asarray(gradient) @ np.asarray(gradient))
        self.total = self.total + gradient
        return self

    def regret(self, comparator: Vector, comparator_loss: float) -> Regret:
        """Return what was paid against a fixed point of the ball, beside the bound."""
        length = float(np.asarray(comparator) @ np.asarray(comparator))
        bound = length / (2.0 * self.rate) + 0.5 * self.rate * self.squares
        return Regret(self.incurred, float(comparator_loss), bound)
