"""χ² distances between the rows of two matrices."""

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Matrix

__all__ = ["chi_squared_distances"]


@loop()
def chi_squared_distances(X: Matrix, Z: Matrix) -> Matrix:
    """Return Σ (x - z)²/(x + z) for each pair of rows, with 0/0 read as 0."""
    out = np.empty((X.shape[0], Z.shape[0]), dtype=X.dtype)
    for i in range(X.shape[0]):
        for j in range(Z.shape[0]):
            total = 0.0
            for k in range(X.shape[1]):
                both = X[i, k] + Z[j, k]
                if both > 0.0:
                    apart = X[i, k] - Z[j, k]
                    total += apart * apart / both
            out[i, j] = total
    return out
