"""Sums of the rows that share a label, whole or by what moved."""

from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["move_rows", "sum_by_label"]


@loop()
def sum_by_label(
    X: Matrix,
    mean: Vector,
    factor: float,
    weights: Vector,
    labels: Indices,
    sums: Matrix,
    mass: Vector,
) -> None:
    """Add each row, centred, scaled and weighted, to the sum of its label.

    Weights of size 0 stand for ones.
    """
    for i in range(X.shape[0]):
        own = labels[i]
        weight = weights[i] if weights.size else 1.0
        mass[own] += weight
        scaled = weight * factor
        for t in range(X.shape[1]):
            sums[own, t] += (X[i, t] - mean[t]) * scaled


@loop()
def move_rows(
    X: Matrix,
    mean: Vector,
    factor: float,
    weights: Vector,
    rows: Indices,
    before: Indices,
    labels: Indices,
    sums: Matrix,
    mass: Vector,
) -> None:
    """Take rows whose label changed from one sum to another."""
    for r in range(rows.size):
        i = rows[r]
        old, new = before[r], labels[i]
        if old == new:
            continue
        weight = weights[i] if weights.size else 1.0
        mass[old] -= weight
        mass[new] += weight
        scaled = weight * factor
        for t in range(X.shape[1]):
            amount = (X[i, t] - mean[t]) * scaled
            sums[old, t] -= amount
            sums[new, t] += amount
