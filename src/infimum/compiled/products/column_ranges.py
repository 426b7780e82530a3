"""Sums, least and greatest entries of all columns, in one reading of the table."""

from infimum.compiled.loop import loop
from infimum.typing import Matrix, Vector

__all__ = ["add_ranges"]


@loop()
def add_ranges(
    X: Matrix, weights: Vector, sums: Vector, low: Vector, high: Vector
) -> None:
    """Take rows into the weighted sums and the ranges of the columns.

    Weights of size 0 stand for ones.
    """
    for i in range(X.shape[0]):
        weight = weights[i] if weights.size else 1.0
        for t in range(X.shape[1]):
            value = X[i, t]
            sums[t] += weight * value
            low[t] = value if value < low[t] else low[t]
            high[t] = value if value > high[t] else high[t]
