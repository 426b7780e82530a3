"""Distances from kernels: lengths in feature space."""

from typing import Any

import numpy as np

from infimum.kernels._kernel import Kernel
from infimum.typing import Matrix

__all__ = ["gram_from_distances", "kernel_distances"]


def kernel_distances(kernel: Kernel, X: Any, Z: Any = None) -> Matrix:
    r"""Return the distances between things in the feature space of a kernel.

    .. math:: d(x, z) = \|Φ(x) - Φ(z)\| = \sqrt{k(x, x) + k(z, z) - 2 k(x, z)}

    Different things may have the same features, and then distance 0.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.kernels import Linear
    >>> kernel_distances(Linear(), np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]]))
    array([[5.]])
    """
    left = kernel.diagonal(X)
    right = left if Z is None else kernel.diagonal(Z)
    squares = np.add.outer(left, right) - 2.0 * kernel(X, Z)
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))


def gram_from_distances(distances: Matrix) -> Matrix:
    r"""Return the Gram matrix of centred points that have these distances.

    .. math:: K = -\tfrac12 J D^{(2)} J, \qquad J = I - \tfrac1n 1 1^\top

    Positive semi-definite exactly when points with these distances exist in some
    Euclidean space; classical multidimensional scaling starts here.

    Examples
    --------
    >>> import numpy as np
    >>> gram_from_distances(np.array([[0.0, 2.0], [2.0, 0.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    squares = np.asarray(distances, dtype=np.float64) ** 2
    rows = squares.mean(axis=0)
    return np.asarray(-0.5 * (squares - np.add.outer(rows, rows) + rows.mean()))
