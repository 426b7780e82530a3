"""A kernel from a function that fills whole matrices, as scikit-learn's users write."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.kernels import Kernel
from infimum.typing import Matrix, Vector

__all__ = ["MatrixFunction"]


@dataclass(frozen=True, eq=False)
class MatrixFunction(Kernel):
    """A kernel whose Gram matrix is ``function(X, Z)``; nobody has checked it."""

    function: Callable[[Any, Any], Any]

    @property
    def definite(self) -> bool:
        """Unknown, so not claimed."""
        return False

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        return np.asarray(self.function(X, X if Z is None else Z), dtype=np.float64)

    def diagonal(self, X: Any) -> Vector:
        rows = range(X.shape[0] if hasattr(X, "shape") else len(X))
        single = [self(X[i : i + 1])[0, 0] for i in rows]
        return np.array(single, dtype=np.float64)
