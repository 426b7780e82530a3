"""Tests of positive semi-definiteness, with a witness where it fails."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.kernels._kernel import Kernel
from infimum.typing import Matrix, Vector

__all__ = ["Definiteness", "check_definite"]

MATRIX = 2


@dataclass(frozen=True, eq=False)
class Definiteness:
    """The answer of `check_definite`; true in a condition when the matrix passes.

    Attributes
    ----------
    definite : bool
        Whether the matrix is symmetric and positive semi-definite, up to rounding.
    strictly : bool
        Whether moreover no eigenvalue is 0, up to rounding.
    smallest : float
        The smallest eigenvalue of the symmetric part.
    direction : ndarray of shape (n,)
        Its unit eigenvector c: when the check fails, Σᵢⱼ cᵢcⱼKᵢⱼ = `smallest` < 0
        is the proof.
    asymmetry : float
        The largest |K - Kᵀ|.
    """

    definite: bool
    strictly: bool
    smallest: float
    direction: Vector
    asymmetry: float

    def __bool__(self) -> bool:
        return self.definite


def check_definite(
    kernel: Kernel | Matrix | Any, X: Any = None, *, tolerance: float = 1e-10
) -> Definiteness:
    r"""Decide whether a Gram matrix is positive semi-definite.

    .. math:: \sum_{i,j} c_i c_j K_{ij} ≥ 0 \quad\text{for all } c

    Parameters
    ----------
    kernel : Kernel, callable or square array
        A Gram matrix, or a function that gives one for the collection `X`.
    X : collection or None, default=None
        The things to compare, when `kernel` is a function.
    tolerance : float, default=1e-10
        What counts as 0, as a share of the largest |eigenvalue|.

    Examples
    --------
    >>> import numpy as np
    >>> check = check_definite(np.array([[1.0, 2.0], [2.0, 1.0]]))
    >>> check.definite, round(check.smallest, 6), np.abs(check.direction).round(3)
    (False, -1.0, array([0.707, 0.707]))
    """
    gram = np.asarray(kernel(X, X) if callable(kernel) else kernel, dtype=np.float64)
    if gram.ndim != MATRIX or gram.shape[0] != gram.shape[1]:
        raise DataError(f"A Gram matrix must be square, got shape {gram.shape}.")
    if not np.isfinite(gram).all():
        raise DataError("A Gram matrix must be finite, got NaN or infinity.")
    if gram.size == 0:
        return Definiteness(True, True, 0.0, np.zeros(0), 0.0)
    asymmetry = float(np.abs(gram - gram.T).max())
    values, vectors = np.linalg.eigh(0.5 * (gram + gram.T))
    slack = tolerance * float(np.abs(values).max())
    smallest = float(values[0])
    symmetric = asymmetry <= tolerance * float(np.abs(gram).max())
    return Definiteness(
        definite=symmetric and smallest >= -slack,
        strictly=symmetric and smallest > slack,
        smallest=smallest,
        direction=vectors[:, 0],
        asymmetry=asymmetry,
    )
