"""Logarithms of normal densities with independent columns, row by row."""

import numpy as np

from infimum.compiled.chains.lanes import LANES, UNSIGNED, filled_up, scale_row
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Matrix, Vector

__all__ = ["gaussian_logs", "gaussian_moments"]

#: Steps whose moments are summed together.
TOGETHER = 256


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


@inner_loop(fastmath={"contract", "nsz"}, forceinline=True)
def _add_moments(
    x: Vector, middle: Vector, shares: Matrix, k: int, first: Vector, second: Vector
) -> None:
    """Add the moments of one column to those of eight states."""
    at = k & UNSIGNED
    a = b = c = d = e = f = g = h = 0.0
    p = q = r = s = u = v = w = y = 0.0
    for t in range(x.size):
        g0, g1 = x[t] - middle[at], x[t] - middle[at + 1]
        g2, g3 = x[t] - middle[at + 2], x[t] - middle[at + 3]
        g4, g5 = x[t] - middle[at + 4], x[t] - middle[at + 5]
        g6, g7 = x[t] - middle[at + 6], x[t] - middle[at + 7]
        p0 = g0 * shares[t, at]
        p1 = g1 * shares[t, at + 1]
        p2 = g2 * shares[t, at + 2]
        p3 = g3 * shares[t, at + 3]
        p4 = g4 * shares[t, at + 4]
        p5 = g5 * shares[t, at + 5]
        p6 = g6 * shares[t, at + 6]
        p7 = g7 * shares[t, at + 7]
        a, b, c, d = a + p0, b + p1, c + p2, d + p3
        e, f, g, h = e + p4, f + p5, g + p6, h + p7
        p, q, r, s = p + p0 * g0, q + p1 * g1, r + p2 * g2, s + p3 * g3
        u, v, w, y = u + p4 * g4, v + p5 * g5, w + p6 * g6, y + p7 * g7
    for lane, each in enumerate((a, b, c, d, e, f, g, h)):
        first[at + lane] += each
    for lane, each in enumerate((p, q, r, s, u, v, w, y)):
        second[at + lane] += each


@loop(superwords=True, fastmath={"contract", "nsz"})
def gaussian_moments(X: Matrix, means: Matrix, shares: Matrix) -> tuple[Matrix, Matrix]:
    """Return Σ share·(x - mean) and Σ share·(x - mean)², by column and state."""
    steps, columns = X.shape
    n_states, middle = means.shape[1], filled_up(means)
    first, second = np.zeros(middle.shape), np.zeros(middle.shape)
    wide, x = np.zeros((TOGETHER, middle.shape[1])), np.empty(TOGETHER)
    for low in range(0, steps, TOGETHER):
        size = min(TOGETHER, steps - low)
        for t in range(size):
            scale_row(shares, low + t, 1.0, wide, t)
        for d in range(columns):
            for t in range(size):
                x[t] = X[low + t, d]
            for k in range(0, n_states, LANES):
                _add_moments(x[:size], middle[d], wide, k, first[d], second[d])
    return first[:, :n_states], second[:, :n_states]
