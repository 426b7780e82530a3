"""Balls of the p-norms."""

from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import check_domains, positive
from infimum.study.convexity.norms import EUCLIDEAN, dual_order, dual_vector, norm
from infimum.study.convexity.sets.convex_set import ConvexSet
from infimum.study.convexity.sets.simplex import Simplex
from infimum.typing import Vector

__all__ = ["Ball"]


@dataclass(frozen=True, eq=False)
class Ball(ConvexSet):
    """A ball {x : the p-norm of x - centre is at most radius}, 1 ≤ p ≤ ∞.

    The projection is known for p = 1, 2 and infinity.

    >>> import numpy as np
    >>> Ball(1.0).project(np.array([2.0, -0.5])).tolist()
    [1.0, 0.0]
    >>> Ball(2.0, 5.0).support(np.array([3.0, 4.0]))
    25.0
    """

    order: float = 2.0
    radius: float = field(default=1.0, metadata={"domain": positive})
    centre: Vector | float = 0.0

    def __post_init__(self) -> None:
        check_domains(self)

    def violation(self, x: Vector) -> float:
        return norm(x - self.centre, self.order) - self.radius

    def support_point(self, direction: Vector) -> Vector:
        reach = dual_vector(direction, dual_order(self.order))
        return np.asarray(self.centre + self.radius * reach)

    def support(self, direction: Vector) -> float:
        shift = float(np.sum(self.centre * direction))
        return shift + self.radius * norm(direction, dual_order(self.order))

    def project(self, x: Vector) -> Vector:
        offset = np.asarray(x - self.centre)
        size = norm(offset, self.order)
        if size <= self.radius:
            return np.array(x, dtype=float)
        if self.order == np.inf:
            nearest = np.clip(offset, -self.radius, self.radius)
        elif self.order == EUCLIDEAN:
            nearest = offset * (self.radius / size)
        elif self.order == 1.0:
            # By symmetry the signs stay and the sizes go to the simplex.
            shares = Simplex(self.radius).project(np.abs(offset))
            nearest = np.sign(offset) * shares
        else:
            return super().project(x)
        return np.asarray(self.centre + nearest)
