"""The largest eigenvalues of a symmetric operator, each with a bound on its error."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from infimum.errors import InvalidParameterError
from infimum.typing import Matrix, Vector

__all__ = ["Eigenpairs", "leading_eigenpairs"]

#: Vectors beyond those asked for: they carry what lies just below, so that the last
#: wanted one converges as fast as the first unwanted ones fall behind.
SPARE = 8
#: Vectors kept before the basis is cut back to its best part; at least three blocks.
ROOM = 120


@dataclass(frozen=True)
class Eigenpairs:
    """Eigenvalues, largest first, with unit eigenvectors and their residuals.

    Within `residuals[j]` = ‖Av - θv‖ of `values[j]` there is an eigenvalue of A,
    whoever computed it.
    """

    values: Vector
    vectors: Matrix
    residuals: Vector
    products: int


def leading_eigenpairs(
    multiply: Callable[[Matrix], Matrix],
    size: int,
    count: int,
    *,
    tol: float = 1e-10,
    max_products: int = 200,
    random_state: int = 0,
) -> Eigenpairs:
    """Return the `count` largest eigenvalues of a symmetric operator.

    Block Krylov with restarts: the operator is applied to a block of vectors at a
    time, a matrix product where Lanczos has matrix–vector products; the answer is the
    best one (Rayleigh–Ritz) in the space spanned so far.

    Parameters
    ----------
    multiply : callable
        Blocks of vectors, `size` × b, to the operator applied to each.
    size, count : int
        How many rows the operator has, how many eigenpairs are wanted.
    tol : float, default=1e-10
        Stop when every residual is below `tol` times the largest eigenvalue.
    max_products : int, default=200
        Give up after so many blocks; the residuals tell how far it got.
    random_state : int, default=0
        Seed of the first block.

    Examples
    --------
    >>> import numpy as np
    >>> A = np.diag([5.0, 3.0, 1.0, 0.5])
    >>> leading_eigenpairs(lambda V: A @ V, 4, 2).values.round(6)
    array([5., 3.])
    """
    if not 1 <= count <= size:
        raise InvalidParameterError(
            f"leading_eigenpairs: count must be between 1 and {size}, got {count}."
        )
    width = min(size, count + SPARE)
    start = np.random.default_rng(random_state).standard_normal((size, width))
    block = linalg.qr(start, mode="economic")[0]
    basis, images = np.empty((size, 0)), np.empty((size, 0))
    for products in range(1, max_products + 1):
        basis = np.hstack((basis, block))
        images = np.hstack((images, multiply(block)))
        projected = basis.T @ images
        values, weights = linalg.eigh((projected + projected.T) / 2)
        values, weights = values[::-1], weights[:, ::-1]
        kept = weights[:, :width]
        vectors, moved = basis @ kept, images @ kept
        apart = moved - vectors * values[:width]
        residuals = np.linalg.norm(apart[:, :count], axis=0)
        answer = Eigenpairs(values[:count], vectors[:, :count], residuals, products)
        if residuals.max() <= tol * max(abs(values[0]), abs(values[-1])):
            break
        if basis.shape[1] + width > max(ROOM, 3 * width):
            basis, images = vectors, moved
        block = _new_directions(basis, apart)
        if block.shape[1] == 0:
            break
    return answer


def _new_directions(basis: Matrix, block: Matrix) -> Matrix:
    """Orthonormal directions of the block outside the basis, if any are left.

    Twice is enough: the second pass removes what rounding left of the first.
    """
    lengths = np.linalg.norm(block, axis=0)
    block = block[:, lengths > 0] / lengths[lengths > 0]
    for _ in range(2):
        block = block - basis @ (basis.T @ block)
        block, triangle, _ = linalg.qr(block, mode="economic", pivoting=True)
        scale = np.abs(np.diag(triangle))
        block = block[:, scale > 1e-12]
    room = basis.shape[0] - basis.shape[1]
    return np.asarray(block[:, :room])
