"""Graph Laplacian: coefficients of neighbouring features should agree."""

from dataclasses import dataclass, field

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.parameters import check_domains, positive
from infimum.penalties._penalty import Penalty
from infimum.typing import Matrix, Vector

__all__ = ["GraphLaplacian"]

#: Eigenvalues this small, relative to the largest, count as 0, and so do the parts of
#: a vector outside the range that are this small relative to it.
ROUNDING = 1e-10


@dataclass(frozen=True)
class GraphLaplacian(Penalty):
    r"""Squared differences along the edges of a graph of features.

    .. math:: \Omega(w) = \tfrac{\text{strength}}2 \sum_{(i, j, a)} a\, (w_i - w_j)^2
              = \tfrac{\text{strength}}2\, w^\top L w

    `edges` are triples (i, j, weight); left empty, features form a chain in the order
    of their columns. What is constant on a connected part of the graph is free. The
    eigenvectors of L are computed at every call: meant for up to some hundred features.
    """

    strength: float = field(default=1.0, metadata={"domain": positive})
    edges: tuple[tuple[int, int, float], ...] = ()

    def __post_init__(self) -> None:
        check_domains(self)
        for i, j, weight in self.edges:
            if i == j or min(i, j) < 0 or not 0.0 < weight < np.inf:
                raise InvalidParameterError(
                    "GraphLaplacian.edges must join two different features by a "
                    f"positive weight, got {(i, j, weight)!r}."
                )

    def laplacian(self, features: int) -> Matrix:
        """Return the matrix L = D - W of the graph."""
        chain = tuple((j, j + 1, 1.0) for j in range(features - 1))
        L = np.zeros((features, features))
        for i, j, weight in self.edges or chain:
            L[[i, j], [i, j]] += weight
            L[[i, j], [j, i]] -= weight
        return L

    def value(self, w: Vector) -> float:
        bent = self.laplacian(len(w)) @ w
        return max(0.5 * self.strength * float((w * bent).sum()), 0.0)

    def conjugate(self, v: Vector) -> float:
        if self.dual_scale(v) == 0.0:
            return np.inf
        values, vectors = self._spectrum(v)
        bent = values > ROUNDING * max(values[-1], 0.0)
        along = vectors[:, bent].T @ v
        return 0.5 * float(((along**2).T / (self.strength * values[bent])).sum())

    def prox(self, w: Vector, step: float) -> Vector:
        values, vectors = self._spectrum(w)
        along = (vectors.T @ w).T / (1.0 + step * self.strength * values)
        return np.asarray(vectors @ along.T)

    def stiffness(self, w: Vector, step: float | Vector) -> Matrix:
        values, vectors = self._spectrum(w)
        bent = self.strength * values
        matrix = (vectors * (bent / (1.0 + float(step) * bent))) @ vectors.T
        return np.kron(matrix, np.eye(w.size // len(w)))

    def support(self, sizes: Vector, level: float) -> float:
        values, _ = self._spectrum(sizes)
        bent = values[values > ROUNDING * max(values[-1], 0.0)]
        stiff = self.strength * float(bent.min(initial=np.inf)) * (1.0 - ROUNDING)
        return float(np.sqrt(2.0 * level / stiff) * np.linalg.norm(sizes))

    def dual_scale(self, v: Vector) -> float:
        outside = np.abs(v - self._range(v)).max(initial=0.0)
        return 1.0 if outside <= ROUNDING * np.abs(v).max(initial=0.0) else 0.0

    def admit(self, v: Vector) -> Vector:
        return v if self.dual_scale(v) == 1.0 else self._range(v)

    def free_directions(self, features: int) -> Matrix:
        values, vectors = self._spectrum(np.zeros(features))
        return vectors[:, values <= ROUNDING * max(values[-1], 0.0)]

    def _range(self, v: Vector) -> Vector:
        values, vectors = self._spectrum(v)
        flat = vectors[:, values <= ROUNDING * max(values[-1], 0.0)]
        return np.asarray(v - flat @ (flat.T @ v))

    def _spectrum(self, w: Vector) -> tuple[Vector, Matrix]:
        values, vectors = np.linalg.eigh(self.laplacian(len(w)))
        return np.maximum(values, 0.0), vectors
