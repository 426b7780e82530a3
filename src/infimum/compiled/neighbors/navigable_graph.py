"""A graph in which one walks to the neighbours of anything.

Points are linked to near ones in different directions, as far as those are known (see
`near_lists`), and back. A walk keeps a list of the nearest met so far and looks at the
links of the nearest that was not yet looked at (Malkov and Yashunin, 2018, add layers
to find where to begin; here some points are heads, and a query meets them all).
"""

from typing import Any

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.neighbors.near_lists import apart
from infimum.compiled.prefetch import fetch_row
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["choose_links", "link_both", "walk_to_nearest"]


@loop()
def choose_links(X: Matrix, near: Matrix, names: Indices, links: Indices) -> None:
    """Choose near points none of which is nearer to a chosen one than to the centre.

    Lists have the nearest first, and -1 after the last. Places that are left get the
    nearest of those not chosen; -1 where there are no more.
    """
    most = links.shape[1]
    spare = np.empty(names.shape[1], dtype=np.int32)
    for i in range(names.shape[0]):
        count, left = 0, 0
        for a in range(names.shape[1]):
            name = names[i, a]
            if name < 0 or count == most:
                break
            free = True
            for b in range(count):
                if apart(X, name, X[links[i, b]]) < near[i, a]:
                    free = False
                    break
            if free:
                links[i, count] = name
                count += 1
            else:
                spare[left] = name
                left += 1
        for t in range(min(left, most - count)):
            links[i, count + t] = spare[t]
        links[i, min(most, count + left) :] = -1


@loop()
def link_both(links: Indices, counts: Indices, who: Indices, chosen: Indices) -> None:
    """Link points and those they chose both ways, as long as there is room.

    Row i of `chosen` is of the point who[i]; the nearest come first, whoever chose.
    """
    for t in range(chosen.shape[1]):
        for row in range(who.size):
            if chosen[row, t] >= 0:
                _link(links, counts, who[row], chosen[row, t])
                _link(links, counts, chosen[row, t], who[row])


@inner_loop()
def _link(links: Indices, counts: Indices, i: int, j: int) -> None:
    if counts[i] < links.shape[1] and not _linked(links[i], counts[i], j):
        links[i, counts[i]] = j
        counts[i] += 1


@inner_loop()
def _linked(row: Indices, count: int, name: int) -> bool:
    there = False
    for t in range(count):
        there = there or row[t] == name
    return there


@inner_loop()
def _insert(
    near: Vector, names: Indices, done: Mask, size: int, value: Any, name: int
) -> int:
    """Put a point into the sorted list, a full one's last drops out; return where."""
    at = min(size, near.size - 1)
    while at > 0 and near[at - 1] > value:
        near[at], names[at], done[at] = near[at - 1], names[at - 1], done[at - 1]
        at -= 1
    near[at], names[at], done[at] = value, name, False
    return at


@inner_loop()
def _meet(
    X: Matrix,
    q: Vector,
    candidates: Indices,
    count: int,
    near: Vector,
    names: Indices,
    done: Mask,
    size: int,
    seen: Indices,
    stamp: int,
    fresh: Indices,
) -> tuple[int, int]:
    """Let points not seen yet compete for the list; return its size and first new."""
    new = 0
    for t in range(count):
        j = candidates[t]
        if j >= 0 and seen[j] != stamp:
            seen[j] = stamp
            fresh[new] = j
            new += 1
            fetch_row(X, j)
    first = near.size
    for t in range(new):
        value = apart(X, fresh[t], q)
        if size < near.size or value < near[size - 1]:
            first = min(first, _insert(near, names, done, size, value, fresh[t]))
            size = min(size + 1, near.size)
    return size, first


@loop()
def walk_to_nearest(
    X: Matrix,
    links: Indices,
    counts: Indices,
    entries: Indices,
    breadth: int,
    queries: Matrix,
    found: Indices,
) -> None:
    """Write the names of the nearest met, the nearest first; -1 where none was met."""
    near = np.empty(breadth, dtype=X.dtype)
    names = np.empty(breadth, dtype=np.int32)
    done = np.zeros(breadth, dtype=np.bool_)
    seen = np.full(X.shape[0], -1, dtype=np.int32)
    fresh = np.empty(max(links.shape[1], entries.shape[1]), dtype=np.int32)
    for i in range(queries.shape[0]):
        q, begin = queries[i], entries[i]
        size, at = _meet(
            X, q, begin, begin.size, near, names, done, 0, seen, i, fresh
        )  # fmt: skip
        while at < size:
            if done[at]:
                at += 1
                continue
            done[at] = True
            here = names[at]
            size, first = _meet(
                X, q, links[here], counts[here],
                near, names, done, size, seen, i, fresh,
            )  # fmt: skip
            at = min(at, first)
        found[i] = -1
        for t in range(min(size, found.shape[1])):
            found[i, t] = names[t]
