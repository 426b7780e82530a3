"""Nuclear norm: the sum of singular values, which lowers the rank."""

from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import positive
from infimum.penalties._penalty import Penalty
from infimum.typing import Matrix, Vector

__all__ = ["NuclearNorm"]

#: Singular values this close, relative to the largest, count as equal.
NEAR = 1e-9


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

    def stiffness(self, w: Vector, step: float | Vector) -> Matrix:
        matrix, cut = _matrix(w), float(step) * self.strength
        if matrix.shape[0] >= matrix.shape[1]:
            return _taken_off(matrix, cut) / float(step)
        order = np.arange(w.size).reshape(matrix.shape).T.ravel()
        out = np.empty((w.size, w.size))
        out[np.ix_(order, order)] = _taken_off(matrix.T, cut)
        return out / float(step)

    def dual_scale(self, v: Vector) -> float:
        largest = self._largest(v)
        return min(1.0, self.strength / largest) if largest > 0 else 1.0

    def _largest(self, v: Vector) -> float:
        return float(_singular_values(v).max(initial=0.0))


def _matrix(w: Vector) -> Matrix:
    return w.reshape(len(w), -1)


def _singular_values(w: Vector) -> Vector:
    matrix = _matrix(w)
    if not np.isfinite(matrix).all():  # numbers too large have no other values
        return np.array([np.inf])
    return np.asarray(np.linalg.svd(matrix, compute_uv=False))


def _taken_off(matrix: Matrix, cut: float) -> Matrix:
    """Return the derivatives of what a cut takes off a matrix with more rows.

    It takes min(σ, cut) off each singular value; in the frame of the singular vectors
    the derivatives are divided differences, of a symmetric and a twisted part.
    """
    left, sizes, right = np.linalg.svd(matrix)
    n, k = matrix.shape
    padded = np.append(sizes, np.zeros(n - k))
    taken = np.minimum(padded, cut)
    gaps, totals = padded[:, None] - sizes, padded[:, None] + sizes
    near = np.abs(gaps) <= NEAR * padded.max(initial=0.0)
    slopes = (taken[:, None] - taken[:k]) / np.where(near, 1.0, gaps)
    symmetric = np.where(near, np.where(sizes < cut, 1.0, 0.0), slopes)
    ratios = (taken[:, None] + taken[:k]) / np.maximum(totals, 1e-300)
    twisted = np.where(totals <= cut, 1.0, np.minimum(ratios, 1.0))
    symmetric[k:] = twisted[k:]  # below the square there is one part only
    inner = np.diag(0.5 * (symmetric + twisted).ravel())
    half = 0.5 * (symmetric - twisted)[:k].ravel()
    places = np.arange(k * k)
    inner[places, places.reshape(k, k).T.ravel()] += half
    frame = np.einsum("ia,bj->ijab", left, right).reshape(n * k, n * k)
    return np.asarray(frame @ inner @ frame.T)
