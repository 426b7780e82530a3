"""The inner loop of the graphical lasso: one column of the covariance at a time."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["sweep_columns"]

#: Passes over all entries of one column.
PASSES = 100


@loop()
def sweep_columns(
    sample: Matrix, covariance: Matrix, slopes: Matrix, alpha: float, tolerance: float
) -> float:
    """Solve the lasso of every column once; return how far an entry moved at most.

    `covariance` and `slopes` are updated in place: row j of `slopes` holds the
    coefficients of variable j on the others, and its covariances become what these
    imply. Entries that are 0 are left alone until those that are not have settled.
    """
    p = sample.shape[0]
    implied = np.empty(p)
    active = np.empty(p, dtype=np.int64)
    farthest = 0.0
    for j in range(p):
        beta = slopes[j]
        implied[:] = 0.0
        for k in range(p):
            if beta[k] != 0.0:
                for m in range(p):
                    implied[m] += beta[k] * covariance[k, m]
        _settle(sample[j], covariance, beta, implied, active, j, alpha, tolerance)
        for k in range(p):
            if k != j:
                farthest = max(farthest, abs(covariance[j, k] - implied[k]))
                covariance[j, k] = implied[k]
                covariance[k, j] = implied[k]
    return farthest


@inner_loop()
def _settle(
    pulls: Vector,
    covariance: Matrix,
    beta: Vector,
    implied: Vector,
    active: Indices,
    j: int,
    alpha: float,
    tolerance: float,
) -> None:
    """Move the coefficients of one column until none moves its covariance much."""
    for _ in range(PASSES):
        moved, count = 0.0, 0
        for k in range(len(beta)):
            if k != j:
                moved = max(moved, _move(pulls, covariance, beta, implied, k, alpha))
                if beta[k] != 0.0:
                    active[count] = k
                    count += 1
        if moved <= tolerance:
            return
        _polish(pulls, covariance, beta, implied, active[:count], alpha, tolerance)


@inner_loop()
def _polish(
    pulls: Vector,
    covariance: Matrix,
    beta: Vector,
    implied: Vector,
    active: Indices,
    alpha: float,
    tolerance: float,
) -> None:
    """Move those coefficients that are not 0 until they have settled."""
    for _ in range(PASSES):
        moved = 0.0
        for at in range(len(active)):
            k = active[at]
            moved = max(moved, _move(pulls, covariance, beta, implied, k, alpha))
        if moved <= tolerance:
            return


@inner_loop()
def _move(
    pulls: Vector,
    covariance: Matrix,
    beta: Vector,
    implied: Vector,
    k: int,
    alpha: float,
) -> float:
    """Put one coefficient where it is best; return how far its covariance moved."""
    bend: float = covariance[k, k]
    aim = pulls[k] - implied[k] + bend * beta[k]
    aim = np.sign(aim) * max(abs(aim) - alpha, 0.0)
    step = aim / bend - beta[k]
    if step != 0.0:
        beta[k] += step
        for m in range(len(beta)):
            implied[m] += step * covariance[k, m]
    return float(abs(step) * bend)
