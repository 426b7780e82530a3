"""The simplex: non-negative weights with a given total."""

from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import check_domains, positive
from infimum.penalties.simplex import nearest_shares
from infimum.study.convexity.sets.convex_set import ConvexSet
from infimum.typing import Vector

__all__ = ["Simplex"]


@dataclass(frozen=True, eq=False)
class Simplex(ConvexSet):
    """Weights {x ≥ 0 : Σ x = total}, the probability vectors when total is 1.

    >>> import numpy as np
    >>> Simplex().project(np.array([2.0, 0.0])).tolist()
    [1.0, 0.0]
    """

    total: float = field(default=1.0, metadata={"domain": positive})

    def __post_init__(self) -> None:
        check_domains(self)

    def violation(self, x: Vector) -> float:
        return max(float(-np.min(x)), abs(float(np.sum(x)) - self.total))

    def support_point(self, direction: Vector) -> Vector:
        first = int(np.argmax(direction))
        return np.where(np.arange(direction.size) == first, self.total, 0.0)

    def project(self, x: Vector) -> Vector:
        return nearest_shares(x, self.total)
