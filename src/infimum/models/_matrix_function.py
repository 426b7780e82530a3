"""A kernel from a function that fills whole matrices, as scikit-learn's users write."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.kernels import FromFunction, Kernel
from infimum.kernels._functions import of_pairs, of_tables
from infimum.typing import Matrix, Vector

__all__ = ["MatrixFunction", "values_of"]

#: Things that are compared with each other at once, for the sake of a diagonal.
BLOCK = 16


@dataclass(frozen=True, eq=False)
class MatrixFunction(Kernel):
    """A kernel whose Gram matrix is ``function(X, Z)``, not checked.

    A function of two samples, which returns a number for them, is asked pair by pair.
    """

    function: Callable[[Any, Any], Any]

    @property
    def definite(self) -> bool:
        """Unknown, so not claimed."""
        return False

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        Z = X if Z is None else Z
        found = values_of(self.function, X, Z)
        dense = found.toarray() if hasattr(found, "toarray") else found
        values = np.asarray(dense, dtype=np.float64)
        wanted = (_count(X), _count(Z))
        if values.shape != wanted:
            raise DataError(
                "A kernel that is a function must return one value for each pair: an "
                f"array of shape {wanted} here, got {values.shape}."
            )
        return values

    def diagonal(self, X: Any) -> Vector:
        pieces = [X[i : i + BLOCK] for i in range(0, _count(X), BLOCK)]
        return np.concatenate([np.diag(self(piece)) for piece in pieces])


def values_of(function: Callable[[Any, Any], Any], X: Any, Z: Any) -> Any:
    """Return what a function says of two tables, or of all their pairs of samples."""
    found = of_tables(function, X, Z)
    if found is None and of_pairs(function, X, Z):
        return FromFunction(function)(X, Z)
    return function(X, Z) if found is None else found


def _count(things: Any) -> int:
    return int(things.shape[0]) if hasattr(things, "shape") else len(things)
