r"""The log-determinant bound of Wainwright and Jordan, for two labels.

With x ∈ {0, 1}ⁿ of means μ and second moments M, x plus uniform noise has the entropy
of x, and no law has more entropy than the normal one of the same covariance:

.. math:: \log Z \le \max_M \langle θ, M\rangle
          + \tfrac12 \log\det(M - μμ^\top + \tfrac1{12} I) + \tfrac n2 \log 2πe

Its dual has one precision P for the normal law, whose entries outside the diagonal are
minus the scores of pairs. Any positive definite P gives an upper bound.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize

from infimum.errors import DataError
from infimum.typing import Indices, Matrix, Vector

__all__ = ["determinant_bound"]

STEPS, SWEEPS, STILL = 500, 1000, 1e-13


def determinant_bound(u: Matrix, A: Matrix, edges: Indices) -> tuple[float, Matrix]:
    """Return the bound and its derivative: shares of both labels at each node."""
    if u.shape[1] != 2:  # noqa: PLR2004
        raise DataError("The log-determinant bound is for two labels.")
    base, single, double = _binary(u, A, edges)
    i, j = edges.T
    pairs = np.zeros((len(u), len(u)))
    pairs[i, j] = pairs[j, i] = -double
    # A dominant diagonal keeps P positive definite, whatever is tried.
    floor = np.abs(pairs).sum(axis=1)

    def bound(z: Vector) -> tuple[float, Vector, Vector]:
        free = np.exp(z)
        P = pairs + np.diag(floor + free)
        mean, top = _highest(P, single + 0.5 * np.diag(P))
        size = float(np.linalg.slogdet(P)[1])
        value = top + np.trace(P) / 24.0 - 0.5 * size + 0.5 * len(u) * np.log(2 * np.pi)
        slope = 0.5 * mean * (1.0 - mean) + 1 / 24 - 0.5 * np.diag(np.linalg.inv(P))
        return float(value), free * slope, mean

    def lowered(z: Vector) -> tuple[float, Vector]:
        return bound(z)[:2]

    tight: Any = {"maxiter": STEPS, "ftol": 1e-15, "gtol": 1e-10}
    start = np.full(len(u), np.log(3.0))
    found = minimize(lowered, start, jac=True, method="L-BFGS-B", options=tight)
    value, _, mean = bound(found.x)
    return base + value, np.column_stack([1.0 - mean, mean])


def _highest(P: Matrix, c: Vector) -> tuple[Vector, float]:
    """Return where c·μ - ½μᵀPμ is highest in the box [0, 1]ⁿ, and a bound on it."""
    mean: Vector = np.clip(c / np.diag(P), 0.0, 1.0)
    for _ in range(SWEEPS):
        for k in range(len(c)):
            pull = c[k] - P[k] @ mean + P[k, k] * mean[k]
            mean[k] = min(max(pull / P[k, k], 0.0), 1.0)
        rise = c - P @ mean
        gap = float(np.maximum(rise * (1.0 - mean), -rise * mean).sum())
        if gap <= STILL * len(c):
            break
    return mean, float(c @ mean - 0.5 * mean @ P @ mean) + max(gap, 0.0)


def _binary(u: Matrix, A: Matrix, edges: Indices) -> tuple[float, Vector, Vector]:
    """Write a score as a constant, a part of each x and one of each product."""
    single = u[:, 1] - u[:, 0]
    i, j = edges.T
    np.add.at(single, i, A[1, 0] - A[0, 0])
    np.add.at(single, j, A[0, 1] - A[0, 0])
    double = np.full(len(edges), A[1, 1] - A[1, 0] - A[0, 1] + A[0, 0])
    return float(u[:, 0].sum() + len(edges) * A[0, 0]), single, double
