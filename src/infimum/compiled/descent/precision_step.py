"""The inner loop of sparse precisions: a Newton step, one pair of entries at a time."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["newton_step"]


@loop()
def newton_step(
    covariance: Matrix,
    gradient: Matrix,
    precision: Matrix,
    alpha: float,
    rows: Indices,
    columns: Indices,
    sweeps: int,
    share: float,
    step: Matrix,
) -> int:
    """Minimise the quadratic model of the objective over some pairs of entries.

    The model at the precision Θ with inverse W is tr(G D) + ½ tr(W D W D) + α‖Θ + D‖₁
    off the diagonal. `step` receives the symmetric D, 0 but for the pairs of `rows` and
    `columns`. Sweeps end when the largest move is that `share` of the first sweep's;
    their number is returned.
    """
    p = len(covariance)
    product = np.zeros((p, p))  # D W
    first = 0.0
    for sweep in range(sweeps):
        moved = 0.0
        for at in range(len(rows)):
            i, j = rows[at], columns[at]
            slope = gradient[i, j] + _across(covariance, product, i, j)
            size = _move(covariance, precision, alpha, slope, i, j, step, product)
            moved = max(moved, size)
        first = moved if sweep == 0 else first
        if moved <= share * first:
            return sweep + 1
    return sweeps


@inner_loop()
def _move(
    covariance: Matrix,
    precision: Matrix,
    alpha: float,
    slope: float,
    i: int,
    j: int,
    step: Matrix,
    product: Matrix,
) -> float:
    """Put one pair where the model is least; return how far it moved."""
    bend = covariance[i, j] ** 2
    if i != j:
        bend += covariance[i, i] * covariance[j, j]
    value = precision[i, j] + step[i, j]
    aim = value - slope / bend
    if i != j:
        aim = np.sign(aim) * max(abs(aim) - alpha / bend, 0.0)
    move = aim - value
    if move != 0.0:
        step[i, j] += move
        _add(product[i], move, covariance[j])
        if i != j:
            step[j, i] += move
            _add(product[j], move, covariance[i])
    return float(abs(move) * np.sqrt(bend))


@inner_loop()
def _add(total: Vector, factor: float, other: Vector) -> None:
    for m in range(len(total)):
        total[m] += factor * other[m]


@inner_loop()
def _across(covariance: Matrix, product: Matrix, i: int, j: int) -> float:
    """Return entry (i, j) of W D W, summed four ways at once."""
    p = len(covariance)
    whole = p - p % 4
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for k in range(0, whole, 4):
        a += covariance[i, k] * product[k, j]
        b += covariance[i, k + 1] * product[k + 1, j]
        c += covariance[i, k + 2] * product[k + 2, j]
        d += covariance[i, k + 3] * product[k + 3, j]
    for k in range(whole, p):
        a += covariance[i, k] * product[k, j]
    return float((a + b) + (c + d))
