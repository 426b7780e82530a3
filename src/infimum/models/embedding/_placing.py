"""Points from inner products, and new points from their distances to old ones."""

from collections.abc import Callable

import numpy as np
from scipy import linalg
from sklearn.utils.extmath import svd_flip

from infimum.matrices import leading_eigenpairs
from infimum.typing import Matrix, Vector

__all__ = ["centre", "place", "principal_points"]

#: Up to so many points, all eigenvectors cost no more than a few.
DIRECT = 300


def centre(squares: Matrix) -> Callable[[Matrix], Matrix]:
    """Return the operator -½ H D² H, which needs no second matrix."""

    def multiply(V: Matrix) -> Matrix:
        out = squares @ (V - V.mean(axis=0))
        out -= out.mean(axis=0)
        out *= -0.5
        return np.asarray(out)

    return multiply


def principal_points(
    multiply: Callable[[Matrix], Matrix],
    n: int,
    count: int,
    *,
    tol: float = 1e-10,
    max_products: int = 200,
) -> tuple[Vector, Matrix, Vector]:
    """Return the largest eigenvalues, points along them, and residuals.

    Directions with a negative eigenvalue have no points: there all are at 0.
    """
    if n <= DIRECT or 4 * count > n:
        square = multiply(np.eye(n))
        every, along = linalg.eigh((square + square.T) / 2.0)
        values: Vector = every[::-1][:count]
        vectors: Matrix = along[:, ::-1][:, :count]
        residuals = np.linalg.norm(square @ vectors - vectors * values, axis=0)
    else:
        found = leading_eigenpairs(
            multiply, n, count, tol=tol, max_products=max_products
        )
        values, vectors, residuals = found.values, found.vectors, found.residuals
    vectors = svd_flip(vectors, None)[0]
    points = vectors * np.sqrt(np.maximum(values, 0.0))
    return np.asarray(values), np.asarray(points), np.asarray(residuals)


def place(points: Matrix, values: Vector, products: Matrix) -> Matrix:
    """Return the points z with ⟨z, xᵢ⟩ nearest to given products, for each row."""
    clear = values > 1e-12 * max(float(values.max(initial=0.0)), 1e-300)
    scale = np.divide(1.0, values, out=np.zeros(len(values)), where=clear)
    return np.asarray((products @ points) * scale)
