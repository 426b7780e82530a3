"""`ConvexSet`: membership, projection and support function."""

from abc import ABC, abstractmethod

import numpy as np

from infimum.errors import IncompatibleError
from infimum.typing import Vector

__all__ = ["ConvexSet"]


class ConvexSet(ABC):
    """A closed convex set of real vectors, asked through four questions.

    Every set can say whether it contains a point; where a formula is known it also
    says how far it reaches in a direction and which of its points is nearest.
    """

    @abstractmethod
    def violation(self, x: Vector) -> float:
        """Return by how much x fails the set's conditions; at most 0 inside."""

    def contains(self, x: Vector, tolerance: float | None = None) -> bool:
        """Return whether x lies in the set, up to `tolerance` (default: rounding)."""
        allowance = self._rounding(x) if tolerance is None else tolerance
        return bool(self.violation(x) <= allowance)

    def support_point(self, direction: Vector) -> Vector:
        """Return a point of the set that maximises ⟨x, direction⟩."""
        raise IncompatibleError(
            f"{type(self).__name__} has no formula for its support point; "
            "minimise a linear function over it instead."
        )

    def support(self, direction: Vector) -> float:
        """Return sup over the set of ⟨x, direction⟩, +inf when unbounded."""
        return float(self.support_point(direction) @ direction)

    def project(self, x: Vector) -> Vector:
        """Return the point of the set nearest to x in the Euclidean norm."""
        raise IncompatibleError(
            f"{type(self).__name__} has no formula for its projection; "
            "describe it as an Intersection of sets that have one."
        )

    def _rounding(self, x: Vector) -> float:
        # A sum of d terms of size at most s carries an error below d·eps·s.
        size = 1.0 + float(np.max(np.abs(x), initial=0.0))
        return 8.0 * np.finfo(float).eps * np.size(x) * size
