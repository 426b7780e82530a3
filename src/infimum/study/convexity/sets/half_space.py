"""Half-spaces: everything on one side of a plane."""

from dataclasses import dataclass

import numpy as np

from infimum.errors import IncompatibleError
from infimum.study.convexity.sets.convex_set import ConvexSet
from infimum.typing import Vector

__all__ = ["HalfSpace"]


@dataclass(frozen=True, eq=False)
class HalfSpace(ConvexSet):
    """A half-space {x : ⟨normal, x⟩ ≤ offset}.

    >>> import numpy as np
    >>> HalfSpace(np.array([1.0, 1.0]), 1.0).project(np.array([1.0, 1.0])).tolist()
    [0.5, 0.5]
    """

    normal: Vector
    offset: float = 0.0

    def violation(self, x: Vector) -> float:
        return (float(self.normal @ x) - self.offset) / float(
            np.linalg.norm(self.normal)
        )

    def support(self, direction: Vector) -> float:
        multiple = self._multiple(direction)
        return np.inf if multiple is None else multiple * self.offset

    def support_point(self, direction: Vector) -> Vector:
        if self._multiple(direction) is None:
            raise IncompatibleError(
                "HalfSpace is unbounded in this direction, so no point of it reaches "
                "farthest; ask in a non-negative multiple of its normal."
            )
        return np.asarray(self.normal * (self.offset / (self.normal @ self.normal)))

    def project(self, x: Vector) -> Vector:
        excess = max(self.violation(x), 0.0)
        return np.asarray(x - excess * self.normal / np.linalg.norm(self.normal))

    def _multiple(self, direction: Vector) -> float | None:
        """Return t ≥ 0 with direction = t normal, or None when there is none."""
        multiple = float(direction @ self.normal) / float(self.normal @ self.normal)
        rest = float(np.max(np.abs(direction - multiple * self.normal)))
        parallel = rest <= self._rounding(direction)
        return multiple if parallel and multiple >= 0.0 else None
