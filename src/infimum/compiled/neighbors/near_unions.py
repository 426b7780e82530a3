"""Points of a k-d tree joined wherever two are near, without lists of neighbours.

A node whose box is no wider than the reach is a cell: all its points are near each
other. Two cells are joined by the first near pair, and not looked at again.
"""

import numpy as np

from infimum.compiled.clusters.tree_of_merges import find_root
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["least_near_label", "mark_dense", "unite_near", "unite_pairs"]


@inner_loop()
def _levels(nodes: int) -> int:
    levels = 0
    while (1 << (levels + 1)) - 1 < nodes:
        levels += 1
    return levels


@inner_loop()
def _square(p: Vector, q: Vector) -> float:
    total = 0.0
    for t in range(q.size):
        apart = q[t] - p[t]
        total += apart * apart
    return total


@inner_loop()
def _gap(low: Vector, high: Vector, other_low: Vector, other_high: Vector) -> float:
    """Return the least squared distance of two boxes."""
    total = 0.0
    for t in range(low.size):
        apart = max(other_low[t] - high[t], 0.0, low[t] - other_high[t])
        total += apart * apart
    return total


@inner_loop()
def _weight_near(
    points: Matrix, weights: Vector, q: Vector, limit: float, low: int, high: int
) -> float:
    total = 0.0
    for j in range(low, high):
        if _square(points[j], q) <= limit:
            total += weights[j]
    return total


@loop()
def mark_dense(
    points: Matrix,
    lows: Matrix,
    highs: Matrix,
    weights: Vector,
    limit: float,
    enough: float,
    start: int,
    stop: int,
    out: Mask,
) -> None:
    """Tell which points start..stop have enough weight near them, their own included.

    The leaf of a point is asked first: in dense regions that is all it takes. Weights
    must not be negative.
    """
    count, levels = points.shape[0], _levels(lows.shape[0])
    inner, leaves = (1 << levels) - 1, 1 << levels
    stack = np.empty(2 * levels + 2, dtype=np.int64)
    for i in range(start, stop):
        q = points[i]
        home = ((i + 1) * leaves - 1) // count
        low, high = home * count // leaves, (home + 1) * count // leaves
        total = _weight_near(points, weights, q, limit, low, high)
        stack[0], size = 0, 1
        while size and total < enough:
            size -= 1
            node = stack[size]
            if _gap(q, q, lows[node], highs[node]) > limit or node == inner + home:
                continue
            if node < inner:
                stack[size], stack[size + 1] = 2 * node + 1, 2 * node + 2
                size += 2
                continue
            low = (node - inner) * count // leaves
            high = (node - inner + 1) * count // leaves
            total += _weight_near(points, weights, q, limit, low, high)
        out[i] = total >= enough


@inner_loop()
def _cells(
    lows: Matrix, highs: Matrix, limit: float, count: int
) -> tuple[Indices, Indices]:
    """Return the cells and the leaves that are none, and 2 or 1 for such nodes."""
    levels = _levels(lows.shape[0])
    inner = (1 << levels) - 1
    kind = np.zeros(lows.shape[0], dtype=np.int8)
    found = np.empty(inner + 1, dtype=np.int64)
    stack = np.empty(2 * levels + 2, dtype=np.int64)
    stack[0], size, cells = 0, 1, 0
    while size:
        size -= 1
        node = stack[size]
        tight = _square(lows[node], highs[node]) <= limit
        if tight or node >= inner:
            kind[node] = 2 if tight else 1
            found[cells] = node
            cells += 1
        else:
            stack[size], stack[size + 1] = 2 * node + 2, 2 * node + 1
            size += 2
    return found[:cells], kind


@inner_loop()
def _edges(node: int, count: int) -> tuple[int, int]:
    """Return the first point of a node and the one after its last."""
    level = 0
    while (1 << (level + 1)) - 1 <= node:
        level += 1
    place, width = node - ((1 << level) - 1), 1 << level
    return place * count // width, (place + 1) * count // width


@inner_loop()
def _join(above: Indices, i: int, j: int) -> None:
    i, j = find_root(above, i), find_root(above, j)
    if i != j:
        above[max(i, j)] = min(i, j)


@inner_loop()
def _meet(
    points: Matrix,
    chosen: Mask,
    boxes: tuple[Vector, Vector],
    first: tuple[int, int],
    second: tuple[int, int],
    limit: float,
    above: Indices,
    most: int,
) -> None:
    """Join the chosen points of two nodes that are near, at most so many pairs."""
    low, high = boxes
    for i in range(first[0], first[1]):
        if not chosen[i] or _gap(points[i], points[i], low, high) > limit:
            continue
        for j in range(second[0], second[1]):
            if chosen[j] and j != i and _square(points[j], points[i]) <= limit:
                _join(above, i, j)
                most -= 1
                if most == 0:
                    return


@inner_loop()
def _chosen_first(chosen: Mask, low: int, high: int, above: Indices) -> int:
    """Join all chosen points of a cell; return the first, or -1."""
    first = -1
    for i in range(low, high):
        if chosen[i]:
            if first < 0:
                first = i
            above[i] = first
    return first


@inner_loop()
def _settle_cells(
    points: Matrix,
    chosen: Mask,
    boxes: tuple[Matrix, Matrix],
    cells: Indices,
    kind: Indices,
    limit: float,
    above: Indices,
) -> Indices:
    """Join the chosen points inside each node; return the first of each cell, or -1."""
    lows, highs = boxes
    least = np.full(lows.shape[0], -1)
    for cell in cells:
        edges = _edges(cell, points.shape[0])
        if kind[cell] == 2:  # noqa: PLR2004
            least[cell] = _chosen_first(chosen, edges[0], edges[1], above)
        else:
            box = (lows[cell], highs[cell])
            _meet(points, chosen, box, edges, edges, limit, above, -1)
    return least


@loop()
def unite_near(
    points: Matrix,
    lows: Matrix,
    highs: Matrix,
    chosen: Mask,
    limit: float,
    above: Indices,
) -> None:
    """Join all chosen points that are within a squared distance of each other.

    `above` comes as 0, 1, 2, … and becomes the forest of union and find.
    """
    count, levels = points.shape[0], _levels(lows.shape[0])
    inner = (1 << levels) - 1
    cells, kind = _cells(lows, highs, limit, count)
    stack = np.empty(2 * levels + 2, dtype=np.int64)
    least = _settle_cells(points, chosen, (lows, highs), cells, kind, limit, above)
    for cell in cells:
        edges = _edges(cell, count)
        stack[0], size = 0, 1
        while size:
            size -= 1
            node = stack[size]
            if _gap(lows[cell], highs[cell], lows[node], highs[node]) > limit:
                continue
            if kind[node] == 0 and node < inner:
                stack[size], stack[size + 1] = 2 * node + 1, 2 * node + 2
                size += 2
                continue
            if node <= cell:
                continue
            once = kind[cell] == 2 and kind[node] == 2  # noqa: PLR2004
            if once and _settled(least[cell], least[node], above):
                continue
            box = (lows[node], highs[node])
            others = _edges(node, count)
            _meet(points, chosen, box, edges, others, limit, above, 1 if once else -1)


@inner_loop()
def _settled(i: int, j: int, above: Indices) -> bool:
    return i < 0 or j < 0 or find_root(above, i) == find_root(above, j)


@loop()
def unite_pairs(first: Indices, second: Indices, above: Indices) -> None:
    """Join pairs of points."""
    for at in range(first.size):
        _join(above, first[at], second[at])


@loop()
def least_near_label(
    points: Matrix,
    lows: Matrix,
    highs: Matrix,
    labels: Indices,
    queries: Matrix,
    limit: float,
    out: Indices,
) -> None:
    """Write the least label, not negative, of a point near each query, or else -1."""
    count, levels = points.shape[0], _levels(lows.shape[0])
    inner, leaves = (1 << levels) - 1, 1 << levels
    stack = np.empty(2 * levels + 2, dtype=np.int64)
    for i in range(queries.shape[0]):
        q, best = queries[i], count
        stack[0], size = 0, 1
        while size:
            size -= 1
            node = stack[size]
            if _gap(q, q, lows[node], highs[node]) > limit:
                continue
            if node < inner:
                stack[size], stack[size + 1] = 2 * node + 1, 2 * node + 2
                size += 2
                continue
            low = (node - inner) * count // leaves
            high = (node - inner + 1) * count // leaves
            for j in range(low, high):
                if 0 <= labels[j] < best and _square(points[j], q) <= limit:
                    best = labels[j]
        out[i] = best if best < count else -1
