"""The p-norms, their dual orders and the vectors at which duality is attained."""

import numpy as np

from infimum.typing import Vector

__all__ = ["EUCLIDEAN", "dual_order", "dual_vector", "norm"]

#: The order of the norm that is its own dual.
EUCLIDEAN = 2.0


def norm(x: Vector, order: float = 2.0) -> float:
    """Return the p-norm of x, without overflow or underflow of the powers."""
    largest = float(np.max(np.abs(x), initial=0.0))
    if largest == 0.0 or not np.isfinite(largest) or order == np.inf:
        return largest
    return largest * float(np.linalg.norm(x / largest, order))


def dual_order(order: float) -> float:
    """Return q with 1/p + 1/q = 1.

    >>> dual_order(1.0), dual_order(3.0), dual_order(float("inf"))
    (inf, 1.5, 1.0)
    """
    if order == 1.0:
        return np.inf
    return 1.0 if order == np.inf else order / (order - 1.0)


def dual_vector(x: Vector, order: float = 2.0) -> Vector:
    """Return u of dual norm 1 with ⟨u, x⟩ = the p-norm of x; zero when x is zero.

    It is the gradient of the norm. Where the largest entry decides (p infinite) and
    several tie, the first one is taken.
    """
    size = norm(x, order)
    if size == 0.0:
        return np.zeros(np.shape(x))
    if order == np.inf:
        first = int(np.argmax(np.abs(x)))
        return np.where(np.arange(x.size) == first, np.sign(x), 0.0)
    return np.asarray(np.sign(x) * np.abs(x / size) ** (order - 1.0))
