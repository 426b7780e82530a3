"""Steps of mini-batch k-means, many of them in one loop.

A step takes so little time that calling it would take longer. Distances are sums of
squared differences.
"""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["AT_REST", "GO_ON", "IDLE", "REASSIGN", "descend_batches"]

#: Places in the account of a descent: the smoothed cost, its least value, for how many
#: steps it has been idle, and how many steps there were in all.
SMOOTH, LEAST, IDLE, STEPS = range(4)
#: Why the loop has ended.
GO_ON, REASSIGN, AT_REST = range(3)


@inner_loop()
def _meet(
    Z: Matrix,
    weights: Vector,
    some: Indices,
    across: Matrix,
    sums: Matrix,
    mass: Vector,
    odds: Vector,
    room: Vector,
) -> tuple[float, float]:
    """Sum rows by their nearest centre; return the summed cost, and the weight."""
    sums[:] = 0.0
    mass[:] = 0.0
    cost, total = 0.0, 0.0
    for at in range(some.size):
        i = some[at]
        room[:] = 0.0
        for t in range(Z.shape[1]):
            value = Z[i, t]
            for j in range(room.size):
                apart = value - across[t, j]
                room[j] += apart * apart
        own = np.argmin(room)
        odds[at] = weights[i] * room[own]
        cost += odds[at]
        total += weights[i]
        mass[own] += weights[i]
        for t in range(Z.shape[1]):
            sums[own, t] += weights[i] * Z[i, t]
    return cost, total


@inner_loop()
def _move(across: Matrix, counts: Vector, sums: Matrix, mass: Vector) -> float:
    """Move centres towards the means of what they gathered; return squared shifts."""
    shifts = 0.0
    for j in range(mass.size):
        counts[j] += mass[j]
        if mass[j] > 0.0:
            rate = mass[j] / counts[j]
            for t in range(sums.shape[1]):
                step = rate * (sums[j, t] / mass[j] - across[t, j])
                across[t, j] += step
                shifts += step * step
    return shifts


@inner_loop()
def _account(account: Vector, cost: float, forget: float) -> None:
    """Enter the cost of a step."""
    if account[STEPS] == 0.0:
        account[SMOOTH] = cost
    else:
        account[SMOOTH] += forget * (cost - account[SMOOTH])
    account[IDLE] = 0.0 if account[SMOOTH] < account[LEAST] else account[IDLE] + 1.0
    account[LEAST] = min(account[LEAST], account[SMOOTH])
    account[STEPS] += 1.0


@loop()
def descend_batches(
    Z: Matrix,
    weights: Vector,
    order: Indices,
    most: int,
    across: Matrix,
    counts: Vector,
    account: Vector,
    rules: tuple[float, float, float, float],
    odds: Vector,
) -> tuple[int, int]:
    """Take steps, at most so many, with batches cut from an order, over and over.

    A batch has as many rows as there is room for odds. The columns of `across` are the
    centres, `counts` what each has gathered; both are kept up, and so is the account.
    The rules are: how fast costs are forgotten, the squared shifts at which centres
    rest, after how many idle steps they do, and the share of the largest count below
    which a centre is poor. Returns the steps taken and why they ended; `odds` are the
    weighted squares of the last batch.
    """
    d, k = across.shape
    forget, enough, patience, ratio = rules
    sums, mass, room = np.empty((k, d)), np.empty(k), np.empty(k)
    low = 0
    for step in range(most):
        some = order[low : low + odds.size]
        low = low + odds.size if low + odds.size < order.size else 0
        cost, total = _meet(Z, weights, some, across, sums, mass, odds, room)
        shifts = _move(across, counts, sums, mass)
        _account(account, cost / total, forget)
        due = int(account[STEPS]) % (10 + int(counts.min())) == 0
        if due and cost > 0.0 and counts.min() < ratio * counts.max():
            return step + 1, REASSIGN
        if account[IDLE] >= patience or shifts <= enough:
            return step + 1, AT_REST
    return most, GO_ON
