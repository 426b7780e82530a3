"""Logarithms of normal densities with independent columns, row by row."""

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Matrix, Vector

__all__ = ["gaussian_logs", "gaussian_moments"]


@loop(fastmath={"contract"})
def gaussian_logs(
    X: Matrix, means: Matrix, rates: Matrix, sizes: Vector, logs: Matrix
) -> None:
    """Fill -(size + Σ rate·(x - mean)²)/2; tables have a row for each column of X."""
    n_states = means.shape[1]
    for t in range(X.shape[0]):
        for k in range(n_states):
            logs[t, k] = sizes[k]
        for d in range(X.shape[1]):
            x = X[t, d]
            for k in range(n_states):
                gap = x - means[d, k]
                logs[t, k] += gap * gap * rates[d, k]
        for k in range(n_states):
            logs[t, k] *= -0.5


@loop(fastmath={"contract"})
def gaussian_moments(X: Matrix, means: Matrix, shares: Matrix) -> tuple[Matrix, Matrix]:
    """Return Σ share·(x - mean) and Σ share·(x - mean)², by column and state."""
    n_states = means.shape[1]
    first, second = np.zeros(means.shape), np.zeros(means.shape)
    for t in range(X.shape[0]):
        for d in range(X.shape[1]):
            x = X[t, d]
            for k in range(n_states):
                gap = x - means[d, k]
                part = gap * shares[t, k]
                first[d, k] += part
                second[d, k] += part * gap
    return first, second
