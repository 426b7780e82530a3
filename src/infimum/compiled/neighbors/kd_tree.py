"""A k-d tree: points cut in halves along their widest side, again and again.

The tree is a heap: node i has the children 2i + 1 and 2i + 2, and every level is full,
so a node's points are known from its number alone. Points are moved, not named, so that
those of a leaf lie together in memory.
"""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["bound_nodes", "nearest_in_tree", "split_nodes", "within_in_tree"]


@inner_loop()
def _swap(points: Matrix, names: Indices, i: int, j: int) -> None:
    for t in range(points.shape[1]):
        points[i, t], points[j, t] = points[j, t], points[i, t]
    names[i], names[j] = names[j], names[i]


@inner_loop()
def _median_of_three(points: Matrix, axis: int, i: int, j: int, k: int) -> float:
    a, b, c = points[i, axis], points[j, axis], points[k, axis]
    return float(max(min(a, b), min(max(a, b), c)))


@inner_loop()
def _put_in_halves(
    points: Matrix, names: Indices, axis: int, low: int, high: int, middle: int
) -> None:
    """Order rows low..high so that no coordinate before `middle` exceeds one after."""
    last = high - 1
    while last > low:
        pivot = _median_of_three(points, axis, low, (low + last) // 2, last)
        i, j = low, last
        while i <= j:
            while points[i, axis] < pivot:
                i += 1
            while points[j, axis] > pivot:
                j -= 1
            if i <= j:
                _swap(points, names, i, j)
                i += 1
                j -= 1
        if middle <= j:
            last = j
        elif middle >= i:
            low = i
        else:
            return


@inner_loop()
def _edges(level: int, place: int, count: int) -> tuple[int, int]:
    width = 1 << level
    return place * count // width, (place + 1) * count // width


@loop()
def split_nodes(
    points: Matrix, names: Indices, level: int, first: int, last: int, levels: int
) -> None:
    """Split nodes first..last of a level, and all below them down to `levels`."""
    count, sides = points.shape
    for below in range(level, levels):
        shift = below - level
        for place in range(first << shift, last << shift):
            start, stop = _edges(below, place, count)
            axis, widest = 0, -1.0
            for t in range(sides):
                least = most = points[start, t]
                for i in range(start + 1, stop):
                    least = min(least, points[i, t])
                    most = max(most, points[i, t])
                if most - least > widest:
                    axis, widest = t, most - least
            middle, _ = _edges(below + 1, 2 * place + 1, count)
            _put_in_halves(points, names, axis, start, stop, middle)


@loop()
def bound_nodes(points: Matrix, levels: int, lows: Matrix, highs: Matrix) -> None:
    """Write the box around the points of every node, leaves first."""
    count, sides = points.shape
    leaves = 1 << levels
    for place in range(leaves):
        start, stop = _edges(levels, place, count)
        node = leaves - 1 + place
        for t in range(sides):
            least = most = points[start, t]
            for i in range(start + 1, stop):
                least = min(least, points[i, t])
                most = max(most, points[i, t])
            lows[node, t], highs[node, t] = least, most
    for node in range(leaves - 2, -1, -1):
        for t in range(sides):
            lows[node, t] = min(lows[2 * node + 1, t], lows[2 * node + 2, t])
            highs[node, t] = max(highs[2 * node + 1, t], highs[2 * node + 2, t])


@inner_loop()
def _to_box(q: Vector, low: Vector, high: Vector) -> float:
    total = 0.0
    for t in range(q.size):
        apart = max(low[t] - q[t], 0.0, q[t] - high[t])
        total += apart * apart
    return total


@inner_loop()
def _insert(near: Vector, kept: Indices, value: float, name: int) -> None:
    """Put a value into a sorted list in the place of its last."""
    at = near.size - 1
    while at > 0 and (
        near[at - 1] > value or (near[at - 1] == value and kept[at - 1] > name)
    ):
        near[at], kept[at] = near[at - 1], kept[at - 1]
        at -= 1
    near[at], kept[at] = value, name


@inner_loop()
def _offer(
    points: Matrix, names: Indices, q: Vector, near: Vector, kept: Indices
) -> None:
    """Let the points of a leaf compete for the places of the nearest."""
    for j in range(points.shape[0]):
        total = 0.0
        for t in range(points.shape[1]):
            apart = q[t] - points[j, t]
            total += apart * apart
        if total < near[-1] or (total == near[-1] and names[j] < kept[-1]):
            _insert(near, kept, total, names[j])


@loop()
def nearest_in_tree(
    points: Matrix,
    names: Indices,
    lows: Matrix,
    highs: Matrix,
    queries: Matrix,
    near: Matrix,
    kept: Indices,
) -> None:
    """Write squared distances and names of the nearest points of each query.

    Equal distances are given in the order of their names.
    """
    inner = lows.shape[0] // 2
    levels = 0
    while (1 << levels) - 1 < inner:
        levels += 1
    stack = np.empty(2 * levels + 2, dtype=np.int64)
    bounds = np.empty(2 * levels + 2)
    for i in range(queries.shape[0]):
        q, found, who = queries[i], near[i], kept[i]
        found[:] = np.inf
        who[:] = np.iinfo(np.int64).max
        stack[0], bounds[0], size = 0, _to_box(q, lows[0], highs[0]), 1
        while size:
            size -= 1
            node, bound = stack[size], bounds[size]
            if bound > found[-1]:
                continue
            if node < inner:
                left, right = 2 * node + 1, 2 * node + 2
                to_left = _to_box(q, lows[left], highs[left])
                to_right = _to_box(q, lows[right], highs[right])
                if to_left < to_right:
                    left, right, to_left, to_right = right, left, to_right, to_left
                stack[size], bounds[size] = left, to_left
                stack[size + 1], bounds[size + 1] = right, to_right
                size += 2
                continue
            start, stop = _edges(levels, node - inner, points.shape[0])
            _offer(points[start:stop], names[start:stop], q, found, who)


@loop()
def within_in_tree(
    points: Matrix,
    names: Indices,
    lows: Matrix,
    highs: Matrix,
    query: Vector,
    limit: float,
    out: Indices,
    squares: Vector,
) -> int:
    """Write names and squared distances of all points within a squared radius.

    Returns how many there are.
    """
    nodes, sides = lows.shape[0], points.shape[1]
    inner = nodes // 2
    levels = 0
    while (1 << levels) - 1 < inner:
        levels += 1
    stack = np.empty(2 * levels + 2, dtype=np.int64)
    stack[0], size, count = 0, 1, 0
    while size:
        size -= 1
        node = stack[size]
        if _to_box(query, lows[node], highs[node]) > limit:
            continue
        if node < inner:
            stack[size], stack[size + 1] = 2 * node + 1, 2 * node + 2
            size += 2
            continue
        start, stop = _edges(levels, node - inner, points.shape[0])
        for j in range(start, stop):
            total = 0.0
            for t in range(sides):
                apart = query[t] - points[j, t]
                total += apart * apart
            if total <= limit:
                out[count], squares[count] = names[j], total
                count += 1
    return count
