"""Nuclear norm: the sum of singular values, which lowers the rank."""

from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import positive
from infimum.penalties._base import Penalty
from infimum.typing import Matrix, Vector

__all__ = ["NuclearNorm"]


@dataclass(frozen=True)
class NuclearNorm(Penalty):
    r"""Nuclear (trace) norm of the matrix of coefficients, one column per score.

    .. math:: \Omega(W) = \text{strength} \sum_i \sigma_i(W)

    The lasso of singular values: the scores come to share a few directions. A vector of
    coefficients is a matrix with one column, whose nuclear norm is its length.

    References
    ----------
    Fazel, Hindi & Boyd (2001), American Control Conference. Cai, Candès & Shen (2010),
    SIAM J. Optimization 20 (the proximal step).
    """

    strength: float = field(default=1.0, metadata={"domain": positive})

    def value(self, w: Vector) -> float:
        return self.strength * float(_singular_values(w).sum())

    def conjugate(self, v: Vector) -> float:
        return 0.0 if self._largest(v) <= self.strength * (1.0 + 1e-12) else np.inf

    def prox(self, w: Vector, step: float) -> Vector:
        left, sizes, right = np.linalg.svd(_matrix(w), full_matrices=False)
        shrunk = np.maximum(sizes - step * self.strength, 0.0)
        return np.asarray((left * shrunk) @ right).reshape(w.shape)

    def dual_scale(self, v: Vector) -> float:
        largest = self._largest(v)
        return min(1.0, self.strength / largest) if largest > 0 else 1.0

    def _largest(self, v: Vector) -> float:
        return float(_singular_values(v).max(initial=0.0))


def _matrix(w: Vector) -> Matrix:
    return w.reshape(len(w), -1)


def _singular_values(w: Vector) -> Vector:
    return np.asarray(np.linalg.svd(_matrix(w), compute_uv=False))
