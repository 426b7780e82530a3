"""Pairs of queries and samples that are near: doubted in float32, measured exactly."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["keep_near"]

#: Products that are compared with a bar at once: most runs hold nothing near.
RUN = 64


@inner_loop()
def _any_up_to(row: Vector, shifts: Vector, bar: float) -> bool:
    """Tell whether a run, shifted, has an entry that is not above a bar."""
    found = np.int32(0)
    for t in range(RUN):
        found |= np.int32(not row[t] + shifts[t] > bar)
    return bool(found > 0)


@loop()
def keep_near(
    products: Matrix,
    shifts: Vector,
    bars: Vector,
    Q: Matrix,
    X: Matrix,
    limit: float,
    counts: Indices,
    names: Indices,
    squares: Vector,
) -> int:
    """Write the names and ‖q - x‖² of what is within a limit, query by query.

    A product that is above the bar of its query, shifted, is of a pair that is far;
    what is not a number may be near. Returns how many pairs were written.
    """
    width, features, total = products.shape[1], Q.shape[1], 0
    for i in range(products.shape[0]):
        row, bar, q, before = products[i], bars[i], Q[i], total
        for start in range(0, width, RUN):
            stop = start + RUN
            if stop <= width and not _any_up_to(row[start:], shifts[start:], bar):
                continue
            for j in range(start, min(stop, width)):
                if row[j] + shifts[j] > bar:
                    continue
                square = 0.0
                for f in range(features):
                    apart = q[f] - X[j, f]
                    square += apart * apart
                if square <= limit:
                    names[total], squares[total] = j, square
                    total += 1
        counts[i] = total - before
    return total
