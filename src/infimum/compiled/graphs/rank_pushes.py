"""Gauss–Seidel sweeps for one rank: each vertex passes on at once what it lacks."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Vector

__all__ = ["push_ranks", "step_away", "step_away_exactly"]

#: Sweeps after which totals are no longer corrected, so that plain sweeps converge.
CORRECTED = 100
#: Vertices whose numbers are added up before the sum joins the total.
CHUNK = 512


@loop()
def push_ranks(
    edges: tuple[Indices, Indices, Vector],
    free: Vector,
    loops: Vector,
    alpha: float,
    right: Vector,
    y: Vector,
    settled: float,
    most: int,
) -> int:
    """Improve y towards (I - αPᵀ) y = right, until the residual is below its limit.

    The limit is `settled` times the sum of y. `edges` list those that leave each
    vertex: starts, targets and weights; `free` is 1 over their weight, and 0 where
    there are none; `loops` is 1 over 1 - α times the share of a vertex's edge to
    itself. After each sweep y is scaled so that its equations hold in sum: the total
    is what sweeps find slowest. Returns the sweeps used.
    """
    (starts, targets, weights), residual = edges, right.copy()
    for i in range(len(y) if y.any() else 0):
        passed = alpha * free[i] * y[i]
        residual[i] -= y[i]
        for k in range(starts[i], starts[i + 1]):
            residual[targets[k]] += passed * weights[k]
    wanted = right.sum()
    for count in range(most):
        kept, total = _sums(free, alpha, y)
        factor = wanted / kept if kept > 0.0 and count < CORRECTED else 1.0
        rest, left = 1.0 - factor, 0.0
        for i in range(len(y)):
            y[i] *= factor
            residual[i] = factor * residual[i] + rest * right[i]
            left += abs(residual[i])
        if left <= settled * factor * total:
            return count
        for i in range(len(y)):
            d = residual[i] * loops[i]
            passed = alpha * free[i] * d
            y[i] += d
            for k in range(starts[i], starts[i + 1]):
                residual[targets[k]] += passed * weights[k]
            residual[i] = 0.0
    return most


@inner_loop()
def _sums(free: Vector, alpha: float, y: Vector) -> tuple[float, float]:
    """Return what the left sides sum to, and the total of y."""
    kept, total = 0.0, 0.0
    for start in range(0, len(y), CHUNK):
        some, part = 0.0, 0.0
        for i in range(start, min(len(y), start + CHUNK)):
            part += y[i]
            some += y[i] * ((1.0 - alpha) if free[i] > 0.0 else 1.0)
        kept += some
        total += part
    return kept, total


@loop()
def step_away(
    starts: Indices,
    targets: Indices,
    weights: Vector,
    free: Vector,
    alpha: float,
    law: Vector,
    jump: Vector,
    stuck: Vector,
) -> float:
    """Return how far a step of the surfer moves a law, in all, by plain sums."""
    n, lost, away = len(law), 0.0, 0.0
    ahead = np.zeros(n)
    for i in range(n):
        lost += law[i] if free[i] == 0.0 else 0.0
        passed = alpha * free[i] * law[i]
        for k in range(starts[i], starts[i + 1]):
            ahead[targets[k]] += passed * weights[k]
    for j in range(n):
        jumped = alpha * lost * stuck[j] + (1.0 - alpha) * jump[j]
        away += abs(law[j] - ahead[j] - jumped)
    return away


@loop()
def step_away_exactly(
    starts: Indices,
    targets: Indices,
    weights: Vector,
    free: Vector,
    alpha: float,
    law: Vector,
    jump: Vector,
    stuck: Vector,
) -> float:
    """Return how far a step of the surfer moves a law, in all.

    What is lost in each sum is kept (Neumaier), so that a vertex's error does not grow
    with the edges that arrive.
    """
    n = len(law)
    ahead, rest = np.zeros(n), np.zeros(n)
    lost, lost_rest = 0.0, 0.0
    for i in range(n):
        if free[i] == 0.0:
            lost, low = _two_sum(lost, law[i])
            lost_rest += low
        passed = alpha * free[i] * law[i]
        for k in range(starts[i], starts[i + 1]):
            j = targets[k]
            ahead[j], low = _two_sum(ahead[j], passed * weights[k])
            rest[j] += low
    lost = alpha * (lost + lost_rest)
    away = 0.0
    for j in range(n):
        jumped = lost * stuck[j] + (1.0 - alpha) * jump[j]
        away += abs((law[j] - ahead[j]) - (rest[j] + jumped))
    return away


@inner_loop()
def _two_sum(a: float, b: float) -> tuple[float, float]:
    """Return the rounded sum, and what rounding took from it."""
    total = a + b
    back = total - a
    return total, (a - (total - back)) + (b - back)
