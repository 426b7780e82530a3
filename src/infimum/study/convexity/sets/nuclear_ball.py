"""The ball of the nuclear norm: matrices whose singular values add up to little."""

from dataclasses import dataclass, field

import numpy as np
import scipy.linalg

from infimum.parameters import check_domains, positive
from infimum.study.convexity.sets.ball import Ball
from infimum.study.convexity.sets.convex_set import ConvexSet
from infimum.typing import Matrix, Vector

__all__ = ["NuclearBall"]


@dataclass(frozen=True, eq=False)
class NuclearBall(ConvexSet):
    """Matrices of a `shape`, flattened row by row, with nuclear norm at most `radius`.

    Its corners are the matrices of rank one, so the farthest point in a direction needs
    one pair of singular vectors only, while the projection needs all of them.

    >>> import numpy as np
    >>> ball = NuclearBall((2, 2), 1.0)
    >>> ball.support_point(np.diag([3.0, 1.0]).ravel()).round(9).reshape(2, 2).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    >>> ball.project(np.diag([3.0, 1.0]).ravel()).round(9).tolist()
    [1.0, 0.0, 0.0, 0.0]
    """

    shape: tuple[int, int]
    radius: float = field(default=1.0, metadata={"domain": positive})

    def __post_init__(self) -> None:
        check_domains(self)

    def violation(self, x: Vector) -> float:
        return float(np.sum(self._parts(x)[1])) - self.radius

    def support_point(self, direction: Vector) -> Vector:
        left, values, right = self._parts(direction)
        if values[0] == 0.0:
            return np.zeros(direction.size)
        return np.asarray(self.radius * np.outer(left[:, 0], right[0]).ravel())

    def support(self, direction: Vector) -> float:
        return self.radius * float(self._parts(direction)[1][0])

    def project(self, x: Vector) -> Vector:
        left, values, right = self._parts(x)
        if np.sum(values) <= self.radius:
            return np.array(x, dtype=float)
        # The norm sees singular values only: they go to the ball of the 1-norm.
        kept = Ball(1.0, self.radius).project(values)
        return np.asarray(((left * kept) @ right).ravel())

    def _parts(self, x: Vector) -> tuple[Matrix, Vector, Matrix]:
        left, values, right = scipy.linalg.svd(
            np.reshape(x, self.shape), full_matrices=False
        )
        return left, values, right
