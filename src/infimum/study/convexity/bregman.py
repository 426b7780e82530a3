"""Bregman divergences: distance as the error of a tangent plane."""

from dataclasses import dataclass

import numpy as np

from infimum.study.convexity.convex_function import ConvexFunction
from infimum.typing import Vector

__all__ = ["Bregman"]


@dataclass(frozen=True, eq=False)
class Bregman:
    r"""The divergence a differentiable convex function generates.

    .. math:: D_f(x, y) = f(x) - f(y) - \langle x - y, \nabla f(y)\rangle

    Non-negative and convex in x, zero at x = y, in general not symmetric.

    >>> import numpy as np
    >>> from infimum.study.convexity import SquaredNorm
    >>> Bregman(SquaredNorm()).divergence(np.array([3.0, 0.0]), np.array([0.0, 4.0]))
    12.5
    """

    generator: ConvexFunction

    def divergence(self, x: Vector, y: Vector) -> float:
        """Return D(x, y)."""
        tangent = float((x - y) @ self.generator.gradient(y))
        return self.generator.value(x) - self.generator.value(y) - tangent

    def gradient(self, x: Vector, y: Vector) -> Vector:
        """Return the gradient of D(x, y) with respect to x."""
        return np.asarray(self.generator.gradient(x) - self.generator.gradient(y))

    def three_point_residual(self, x: Vector, y: Vector, z: Vector) -> float:
        """Return D(x, y) + D(y, z) - D(x, z) - ⟨∇f(z) - ∇f(y), x - y⟩, which is 0."""
        around = self.divergence(x, y) + self.divergence(y, z) - self.divergence(x, z)
        return around - float(self.gradient(z, y) @ (x - y))

    def dual(self) -> "Bregman":
        """Return the divergence of the conjugate: D*(∇f(y), ∇f(x)) = D(x, y)."""
        return Bregman(self.generator.conjugate())
