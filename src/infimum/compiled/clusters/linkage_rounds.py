"""Linkage on a matrix of distances: all pairs that prefer each other merge at once.

A round folds columns and rows of the whole matrix, one row at a time, so that threads
share the rows and memory is read in order. When few pairs prefer each other a chain of
nearest neighbours takes over, which merges one pair at a time.
"""

from typing import Any, NamedTuple

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["Round", "chain_merges", "fold_rows", "scan_rows"]

SINGLE, COMPLETE, AVERAGE, WEIGHTED, WARD, CENTROID = range(6)
#: Entries whose minimum is taken at once: most runs hold nothing small enough.
RUN = 64


@loop(inline="always")
def join(
    method: int, x: float, y: float, between: float, a: float, b: float, other: float
) -> float:
    """Return the distance of a third cluster to the union of two (Lance–Williams).

    x and y are its distances to the two, `between` is theirs, and a, b and `other` are
    sizes; distances of Ward, centroid and median are squared.
    """
    if method == AVERAGE:
        out = (a * x + b * y) / (a + b)
    elif method == WARD:
        out = ((a + other) * x + (b + other) * y - other * between) / (a + b + other)
    elif method == COMPLETE:
        out = max(x, y)
    elif method == WEIGHTED:
        out = 0.5 * (x + y)
    elif method == SINGLE:
        out = min(x, y)
    elif method == CENTROID:
        share = a / (a + b)
        out = share * x + (1.0 - share) * y - share * (1.0 - share) * between
    else:
        out = 0.5 * (x + y) - 0.25 * between
    return out


@inner_loop(fastmath={"reassoc", "nnan", "nsz"})
def _least(values: Vector) -> float:
    least = values[0]
    for t in range(1, values.size):
        least = min(least, values[t])
    return float(least)


@inner_loop()
def find_least(row: Vector) -> int:
    """Return the place of the smallest entry, the first of equals."""
    place, best = 0, np.inf
    for start in range(0, row.size, RUN):
        part = row[start : start + RUN]
        least = _least(part)
        if least < best:
            best = least
            for t in range(part.size):
                if part[t] == least:
                    place = start + t
                    break
    return place


@loop()
def scan_rows(
    D: Matrix, rows: Indices, wanted: Indices, nearest: Indices, distance: Vector
) -> None:
    """Write the nearest cluster and its distance for each wanted one."""
    count = rows.size
    for at in range(wanted.size):
        i = wanted[at]
        row = D[rows[i], :count]
        nearest[i] = find_least(row)
        distance[i] = row[nearest[i]]


class Round(NamedTuple):
    """Which clusters of a round become which of the next.

    New cluster k is old cluster ``first[k]``, joined with old cluster
    ``pairs[1, second[k]]`` unless ``second[k]`` is -1. `merged` names those that are
    joined; `facts` has their distances and both sizes.
    """

    first: Any
    second: Any
    merged: Any
    pairs: Any
    facts: Any
    sizes: Any


@inner_loop()
def _fold(row: Vector, own: float, round_: Round, method: int, joined: Vector) -> None:
    """Join the columns of the pairs of one row, and close the gaps, in place."""
    first, _, merged, pairs, facts, _ = round_
    left, right = pairs[0], pairs[1]
    between, a, b = facts[0], facts[1], facts[2]
    if method == AVERAGE:
        for at in range(merged.size):
            x, y = row[left[at]], row[right[at]]
            joined[at] = (a[at] * x + b[at] * y) / (a[at] + b[at])
    else:
        for at in range(merged.size):
            x, y = row[left[at]], row[right[at]]
            joined[at] = join(method, x, y, between[at], a[at], b[at], own)
    for c in range(first.size):
        row[c] = row[first[c]]
    for at in range(merged.size):
        row[merged[at]] = joined[at]


@loop()
def fold_rows(
    D: Matrix, rows: Indices, round_: Round, method: int, start: int, stop: int
) -> None:
    """Write rows start..stop of the matrix between the clusters of the next round.

    Old cluster i lies in row ``rows[i]``; a new one takes the row of its first.
    """
    first, second, merged, pairs, facts, new_sizes = round_
    joined = np.empty(merged.size)
    count = first.size
    for k in range(start, stop):
        row, at = D[rows[first[k]]], second[k]
        if at < 0:
            _fold(row, new_sizes[k], round_, method, joined)
        else:
            between, a, b = facts[0, at], facts[1, at], facts[2, at]
            other = D[rows[pairs[1, at]]]
            _fold(row, a, round_, method, joined)
            _fold(other, b, round_, method, joined)
            for c in range(count):
                row[c] = join(method, row[c], other[c], between, a, b, new_sizes[c])
        row[k] = np.inf


@inner_loop()
def _merge_in_place(
    D: Matrix,
    rows: Indices,
    alive: Indices,
    living: int,
    sizes: Vector,
    a: int,
    b: int,
    method: int,
) -> int:
    """Let cluster a take in b; return how many are alive."""
    row, gone, between = D[rows[a]], D[rows[b]], D[rows[a], b]
    kept = 0
    for at in range(living):
        i = alive[at]
        if i == b:
            continue
        alive[kept] = i
        kept += 1
        line = D[rows[i]]
        line[b] = np.inf
        if i != a:
            row[i] = join(
                method, row[i], gone[i], between, sizes[a], sizes[b], sizes[i]
            )
            line[a] = row[i]
    sizes[a] += sizes[b]
    return kept


@loop()
def chain_merges(
    D: Matrix,
    rows: Indices,
    sizes: Vector,
    dead: Mask,
    method: int,
    until: int,
    first: Indices,
    second: Indices,
    heights: Vector,
) -> int:
    """Merge along chains of nearest neighbours until so many are left.

    Writes the pairs and their distances; returns their number.
    """
    count = rows.size
    alive = np.arange(count)
    living, merges, length = count, 0, 0
    chain = np.empty(count + 1, dtype=np.int64)
    while living > until:
        if length == 0 or dead[chain[length - 1]]:
            chain[0], length = alive[0], 1
        tip = chain[length - 1]
        row = D[rows[tip], :count]
        near = find_least(row)
        # A chain longer than all clusters goes in a circle: distances differ by side.
        circle = length > living
        last = near if circle else chain[max(0, length - 2)]
        if length > 1 and row[last] <= row[near]:
            a, b = min(tip, last), max(tip, last)
            first[merges], second[merges], heights[merges] = a, b, D[rows[a], b]
            merges += 1
            dead[b] = True
            living = _merge_in_place(D, rows, alive, living, sizes, a, b, method)
            length = 0 if circle else length - 2
        else:
            chain[length] = near
            length += 1
    return merges
