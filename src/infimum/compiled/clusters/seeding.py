"""Squared distances from a few rows to all, and which rows would gain by them."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["collect_nearer", "finish_squares", "gather_by_name"]

#: Below this share of ‖x‖² + ‖c‖², rounding shows and differences are taken instead.
NEAR = np.float32(1e-2)
#: Entries judged at once: most runs hold nothing near.
RUN = 32


@inner_loop()
def _measure(x: Vector, c: Vector, unit: float) -> float:
    total = 0.0
    for t in range(x.size):
        apart = (np.float64(x[t]) - c[t]) / unit
        total += apart * apart
    return total


@loop()
def finish_squares(
    tile: Matrix, squares: Vector, X: Matrix, first: int, names: Indices, unit: float
) -> None:
    """Turn -2⟨x, c⟩ into ‖x - c‖², for rows of X from `first` on and rows `names`."""
    for j in range(tile.shape[0]):
        row, norm = tile[j], np.float32(squares[names[j]])
        for r in range(row.size):
            size = np.float32(squares[first + r]) + norm
            row[r] += size
            if row[r] < NEAR * size:
                row[r] = _measure(X[first + r], X[names[j]], unit)


@loop(fastmath={"reassoc", "nnan", "nsz"})
def collect_nearer(
    tile: Matrix,
    squares: Vector,
    X: Matrix,
    first: int,
    names: Indices,
    unit: float,
    nearest: Vector,
    lists: tuple[Indices, Indices, Vector],
) -> int:
    """List rows that are nearer to a row of `names` than `nearest`, name by name.

    ``tile[j, r]`` is -2⟨x, c⟩ for the r-th row from `first` on; `lists` are counts of
    each name, which are added to, rows and distances. Return how many were found.
    """
    counts, found, values = lists
    width, total = tile.shape[1], 0
    sizes = squares[first : first + width].astype(np.float32)
    before = nearest[first : first + width]
    largest = np.float32(squares[names].max())
    # Below these, -2⟨x, c⟩ + ‖c‖² may mean nearer, or too near for products.
    bars = np.maximum(before, NEAR * (sizes + largest)) - sizes
    for j in range(tile.shape[0]):
        norm, start = np.float32(squares[names[j]]), total
        for low in range(0, width, RUN):
            high = min(width, low + RUN)
            some = 0
            for r in range(low, high):
                some |= tile[j, r] < bars[r] - norm
            if some == 0:
                continue
            for r in range(low, high):
                value = tile[j, r] + sizes[r] + norm
                if value < NEAR * (sizes[r] + norm):
                    value = np.float32(_measure(X[first + r], X[names[j]], unit))
                if value < before[r]:
                    found[total], values[total] = first + r, value
                    total += 1
        counts[j] += total - start
    return total


@loop()
def gather_by_name(
    counts: Indices,
    found: Indices,
    values: Vector,
    places: Indices,
    rows: Indices,
    squares: Vector,
) -> None:
    """Copy what one block found to where each name's findings go; move the places."""
    at = 0
    for j in range(counts.size):
        for _ in range(counts[j]):
            rows[places[j]], squares[places[j]] = found[at], values[at]
            places[j] += 1
            at += 1
