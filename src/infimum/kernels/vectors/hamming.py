"""Hamming kernel: the share of coordinates that agree."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from infimum.errors import DataError
from infimum.kernels._kernel import Kernel
from infimum.kernels.vectors._rows import is_sparse
from infimum.typing import Matrix, Vector

__all__ = ["Hamming"]

MATRIX = 2


@dataclass(frozen=True)
class Hamming(Kernel):
    r"""Share of the coordinates in which two vectors agree.

    .. math:: k(x, z) = \frac1d \sum_j 1[x_j = z_j]

    For categories, bits and words of one length: the entries may be numbers or
    strings, and only equality counts. Its features are the categories of each
    coordinate, one by one.

    Examples
    --------
    >>> Hamming()([["red", "small"]], [["red", "large"], ["blue", "large"]])
    array([[0.5, 0. ]])
    """

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        left = _entries(X)
        right = left if Z is None else _entries(Z)
        if left.size == 0 or right.size == 0:
            return np.zeros((len(left), len(right)))
        if left.shape[1] != right.shape[1]:
            raise DataError(
                "Hamming compares vectors of one length, got "
                f"{left.shape[1]} and {right.shape[1]} columns."
            )
        codes = _codes(np.concatenate([left, right]))
        there, back = codes[: len(left)], codes[len(left) :]
        return np.asarray(1.0 - cdist(there, back, "hamming"))

    def diagonal(self, X: Any) -> Vector:
        entries = _entries(X)
        return np.full(len(entries), float(entries.size > 0))


def _entries(X: Any) -> NDArray[Any]:
    entries = X.toarray() if is_sparse(X) else np.asarray(X)
    if entries.shape == (0,):
        return np.empty((0, 0))
    if entries.ndim != MATRIX:
        raise DataError(
            f"Hamming expects a table, one row per vector, got shape {entries.shape}."
        )
    return entries


def _codes(entries: NDArray[Any]) -> NDArray[np.float64]:
    if entries.dtype.kind in "fiub":
        return entries.astype(np.float64)
    known: dict[Any, int] = {}
    flat = [known.setdefault(entry, len(known)) for entry in entries.ravel()]
    return np.array(flat, dtype=np.float64).reshape(entries.shape)
