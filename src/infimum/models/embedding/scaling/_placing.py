"""Points from inner products, and new points from their distances to old ones."""

from collections.abc import Callable

import numpy as np
from scipy import linalg
from sklearn.utils.extmath import svd_flip

from infimum.compiled.threads import in_parts, one_blas_thread
from infimum.models.leading_eigenpairs import leading_eigenpairs
from infimum.typing import Matrix, Vector

__all__ = ["centre", "mean_squares", "place", "principal_points"]

#: Up to so many points, all eigenvectors cost no more than a few.
DIRECT = 300
#: Rows whose squares are held at a time, and into how many parts all are cut.
ROWS, PARTS = 16, 32


def centre(far: Matrix) -> Callable[[Matrix], Matrix]:
    """Return the operator -½ H D² H of distances, which needs no second matrix.

    Distances are squared a few rows at a time, while they are in a core's cache.
    """
    n = len(far)

    def multiply(V: Matrix) -> Matrix:
        centred = V - V.mean(axis=0)
        out = np.empty((n, V.shape[1]))

        def work(rows: slice) -> None:
            for start in range(rows.start, rows.stop, ROWS):
                some = slice(start, min(rows.stop, start + ROWS))
                out[some] = np.square(far[some]) @ centred

        with one_blas_thread():
            in_parts(n, work, max(1, min(PARTS, n // ROWS)))
        out -= out.mean(axis=0)
        out *= -0.5
        return np.asarray(out)

    return multiply


def mean_squares(far: Matrix) -> Vector:
    """Return the mean squared distance to each point, without a second matrix."""
    return np.asarray(np.einsum("ij,ij->j", far, far) / len(far))


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
        part = [n - count, n - 1]
        ends, along = linalg.eigh((square + square.T) / 2.0, subset_by_index=part)
        values: Vector = ends[::-1]
        vectors: Matrix = along[:, ::-1]
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
