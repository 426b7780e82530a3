"""Kernel ridge systems of many strengths, solved by one eigendecomposition."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from infimum.models.kernel.kernel_ridges._conjugate_gradients import (
    Product,
    conjugate_gradients,
)
from infimum.models.kernel.kernel_ridges._ridge_system import RidgeSystem
from infimum.typing import Matrix, Vector

__all__ = ["decompose", "leverages", "solve_decomposed"]

#: From this many samples on the decomposition is done in single precision, provided
#: that no strength is below this share of the largest eigenvalue.
WORTH_SINGLE, LEAST_SHARE = 1_500, 1e-5
#: Residuals, relative to the targets, at which refinement stops.
GOAL, MOST_REFINEMENTS = 1e-12, 100


def decompose(gram: Matrix, roots: Vector, least: float) -> tuple[Vector, Matrix]:
    """Return eigenvalues and eigenvectors of W½KW½, good for strengths from `least`."""
    matrix = gram * np.outer(roots, roots) if (roots != 1.0).any() else gram
    largest = float(np.abs(matrix).sum(axis=1).max(initial=0.0))
    if len(gram) >= WORTH_SINGLE and least >= LEAST_SHARE * largest:
        matrix = matrix.astype(np.float32)
    values, vectors = eigh(matrix, driver="evd", check_finite=False)
    return np.maximum(values.astype(np.float64), 0.0), vectors


def solve_decomposed(
    system: RidgeSystem, values: Vector, vectors: Matrix, alphas: Vector
) -> Matrix:
    """Solve for all strengths and right-hand sides, as columns of one matrix."""
    sides = system.right_sides()
    shifts = np.repeat(alphas, sides.shape[1])
    roots = system.roots[:, None]
    right = np.tile(sides, len(alphas))

    def product(z: Matrix) -> Matrix:
        return np.asarray(roots * system.product(roots * z) + shifts * z)

    inverse = _spectral_inverse(values, vectors, shifts)
    return conjugate_gradients(product, inverse, right, GOAL, MOST_REFINEMENTS)[0]


def _spectral_inverse(values: Vector, vectors: Matrix, shifts: Vector) -> Product:
    gains = 1.0 / (values[:, None] + shifts)

    def inverse(columns: Matrix) -> Matrix:
        sizes = np.abs(columns).max(axis=0)
        sizes[sizes == 0.0] = 1.0
        scaled = (columns / sizes).astype(vectors.dtype)
        inside = (vectors.T @ scaled) * gains.astype(vectors.dtype)
        return np.asarray((vectors @ inside).astype(np.float64) * sizes)

    return inverse


def leverages(values: Vector, vectors: Matrix, alphas: Vector) -> Matrix:
    """Return how much each sample (row) decides its own score, for each strength."""
    shares = values[:, None] / (values[:, None] + alphas)
    return np.asarray(vectors**2 @ shares.astype(vectors.dtype), dtype=np.float64)
