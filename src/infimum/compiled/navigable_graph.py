"""A graph in which one walks to the neighbours of anything.

Points are linked to near ones in different directions as they are inserted; a search
keeps a list of the nearest met so far and looks at the links of the nearest that was
not yet looked at. The first points, spread over all since the order is random, are
where every walk begins (Malkov and Yashunin, 2018, have several layers of those).
"""

from typing import Any

import numpy as np
from numba import njit

from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["link_points", "walk_to_nearest"]

FAST = {"reassoc", "contract", "nsz"}


@njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _apart(a: Vector, b: Vector) -> Any:
    total = np.float32(0.0)
    for t in range(a.size):
        gap = a[t] - b[t]
        total += gap * gap
    return total


@njit(cache=True, nogil=True)
def _insert(
    near: Vector, names: Indices, done: Mask, size: int, value: float, name: int
) -> int:
    """Put a point into the sorted list, a full one's last drops out; return where."""
    at = min(size, near.size - 1)
    while at > 0 and near[at - 1] > value:
        near[at], names[at], done[at] = near[at - 1], names[at - 1], done[at - 1]
        at -= 1
    near[at], names[at], done[at] = value, name, False
    return at


@njit(cache=True, nogil=True)
def _offer(
    X: Matrix,
    q: Vector,
    name: int,
    near: Vector,
    names: Indices,
    done: Mask,
    size: int,
) -> int:
    """Let a point compete for a place in the list; return its place, or the room."""
    value = _apart(X[name], q)
    if size < near.size or value < near[size - 1]:
        return _insert(near, names, done, size, value, name)
    return near.size


@njit(cache=True, nogil=True)
def _walk(
    X: Matrix,
    links: Indices,
    counts: Indices,
    q: Vector,
    heads: int,
    near: Vector,
    names: Indices,
    done: Mask,
    seen: Indices,
    stamp: int,
) -> int:
    """Fill the list of the nearest to q that a walk meets; return its length."""
    size = 0
    for head in range(heads):
        seen[head] = stamp
        _offer(X, q, head, near, names, done, size)
        size = min(size + 1, near.size)
    at = 0
    while at < size:
        if done[at]:
            at += 1
            continue
        done[at] = True
        here = names[at]
        for t in range(counts[here]):
            j = links[here, t]
            if seen[j] != stamp:
                seen[j] = stamp
                place = _offer(X, q, j, near, names, done, size)
                size = min(size + 1, near.size)
                at = min(at, place)  # a link may have led nearer
    return size


@njit(cache=True, nogil=True)
def _diverse(
    X: Matrix, near: Vector, names: Indices, size: int, most: int, out: Indices
) -> int:
    """Choose near points none of which is nearer to a chosen one than to the centre."""
    count = 0
    for a in range(size):
        if count == most:
            break
        free = True
        for b in range(count):
            if _apart(X[names[a]], X[out[b]]) < near[a]:
                free = False
                break
        if free:
            out[count] = names[a]
            count += 1
    return count


@njit(cache=True, nogil=True)
def _link_back(
    X: Matrix, links: Indices, counts: Indices, i: int, j: int, spare: Vector
) -> None:
    """Link j to i; a full list is thinned to diverse ones first."""
    most = links.shape[1]
    if counts[j] < most:
        links[j, counts[j]] = i
        counts[j] += 1
        return
    names = np.empty(most + 1, dtype=np.int64)
    done = np.zeros(most + 1, dtype=np.bool_)
    for t in range(most):
        other = links[j, t]
        _insert(spare, names, done, t, _apart(X[j], X[other]), other)
    _insert(spare, names, done, most, _apart(X[j], X[i]), i)
    counts[j] = _diverse(X, spare, names, most + 1, most, links[j])


@njit(cache=True, nogil=True)
def link_points(
    X: Matrix, links: Indices, counts: Indices, heads: int, breadth: int
) -> None:
    """Insert the points one by one; half the room for links is for those of others."""
    n, most = links.shape
    near = np.empty(breadth, dtype=X.dtype)
    names = np.empty(breadth, dtype=np.int64)
    done = np.zeros(breadth, dtype=np.bool_)
    seen = np.full(n, -1, dtype=np.int64)
    spare = np.empty(most + 1, dtype=X.dtype)
    chosen = np.empty(most, dtype=np.int64)
    counts[:] = 0
    for i in range(1, n):
        size = _walk(X, links, counts, X[i], min(i, heads), near, names, done, seen, i)
        count = _diverse(X, near, names, size, most // 2, chosen)
        for t in range(count):
            links[i, t] = chosen[t]
        counts[i] = count
        for t in range(count):
            _link_back(X, links, counts, i, chosen[t], spare)


@njit(cache=True, nogil=True)
def walk_to_nearest(
    X: Matrix,
    links: Indices,
    counts: Indices,
    heads: int,
    breadth: int,
    queries: Matrix,
    found: Indices,
) -> None:
    """Write the names of the nearest met, the nearest first; -1 where none was met."""
    near = np.empty(breadth, dtype=X.dtype)
    names = np.empty(breadth, dtype=np.int64)
    done = np.zeros(breadth, dtype=np.bool_)
    seen = np.full(X.shape[0], -1, dtype=np.int64)
    for i in range(queries.shape[0]):
        size = _walk(X, links, counts, queries[i], heads, near, names, done, seen, i)
        found[i] = -1
        for t in range(min(size, found.shape[1])):
            found[i, t] = names[t]
