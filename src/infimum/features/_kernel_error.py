"""How far an approximation of a kernel is from it, on given samples."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.kernels import Kernel
from infimum.typing import Matrix

__all__ = ["KernelError", "measure_error"]


@dataclass(frozen=True)
class KernelError:
    """Distance between a Gram matrix K and its approximation ΦΦᵀ.

    Attributes
    ----------
    largest : float
        The largest |K - ΦΦᵀ| of any pair.
    mean : float
        The root of the mean squared difference.
    relative : float
        ‖K - ΦΦᵀ‖ / ‖K‖ in the Frobenius norm.
    """

    largest: float
    mean: float
    relative: float


def measure_error(kernel: Kernel, X: Any, features: Any) -> KernelError:
    """Compare k(xᵢ, xⱼ) with the inner products of the features, block by block."""
    n = features.shape[0]
    images = np.asarray(features, dtype=np.float64)
    largest = squares = size = 0.0
    step = max(1, 2**20 // max(1, n))
    for start in range(0, n, step):
        rows = slice(start, min(n, start + step))
        exact: Matrix = np.asarray(kernel(X[rows], X), dtype=np.float64)
        apart = exact - images[rows] @ images.T
        largest = max(largest, float(np.abs(apart).max(initial=0.0)))
        squares += float(np.vdot(apart, apart))
        size += float(np.vdot(exact, exact))
    relative = np.sqrt(squares / size) if size > 0 else 0.0
    return KernelError(largest, float(np.sqrt(squares)) / max(1, n), float(relative))
