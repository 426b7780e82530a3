"""The nearest point of another component, in a k-d tree: one round of Borůvka.

Nearness is the squared distance, but at least the squared radius of both points. What
a point has found stays its nearest until it is joined to it, and the value stays a
lower bound forever, since components only grow.
"""

import numpy as np

from infimum.compiled.clusters.tree_of_merges import find_root
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.neighbors.kd_tree import _edges, _to_box
from infimum.compiled.neighbors.near_unions import _levels, _square
from infimum.typing import Indices, Matrix, Vector

__all__ = ["join_nearest_others", "mark_nodes", "seek_nearest_others"]


@loop()
def mark_nodes(parts: Indices, radii: Vector, kind: Indices, least: Vector) -> None:
    """Write the component of each node, -1 for several, and its least radius."""
    count, nodes = parts.size, kind.size
    levels = _levels(nodes)
    inner = (1 << levels) - 1
    for node in range(nodes - 1, -1, -1):
        if node < inner:
            one, two = kind[2 * node + 1], kind[2 * node + 2]
            kind[node] = one if one == two else -1
            least[node] = min(least[2 * node + 1], least[2 * node + 2])
            continue
        start, stop = _edges(levels, node - inner, count)
        kind[node], least[node] = parts[start], radii[start]
        for i in range(start + 1, stop):
            least[node] = min(least[node], radii[i])
            if parts[i] != kind[node]:
                kind[node] = -1


@inner_loop()
def _ask_leaf(
    i: int,
    points: Matrix,
    parts: Indices,
    radii: Vector,
    factor: float,
    edges: tuple[int, int],
    limit: float,
    who: int,
) -> tuple[float, int]:
    for j in range(edges[0], edges[1]):
        if parts[j] == parts[i] or radii[j] >= limit:
            continue
        reach = max(_square(points[j], points[i]) * factor, radii[i], radii[j])
        if reach < limit:
            limit, who = reach, j
    return limit, who


@inner_loop()
def _seek(
    i: int,
    tree: tuple[Matrix, Matrix, Matrix],
    marks: tuple[Indices, Vector, Indices, Vector],
    factor: float,
    limit: float,
    stack: Indices,
) -> tuple[float, int]:
    """Return the nearest stranger of point i if it is nearer than a limit, or -1."""
    points, lows, highs = tree
    parts, radii, kind, least = marks
    levels = _levels(kind.size)
    inner, q, own, who = (1 << levels) - 1, points[i], radii[i], -1
    stack[0], size = 0, 1
    while size and limit > own:
        size -= 1
        node = stack[size]
        if kind[node] == parts[i]:
            continue
        bound = max(_to_box(q, lows[node], highs[node]) * factor, least[node])
        if bound >= limit:
            continue
        if node < inner:
            one, two = 2 * node + 1, 2 * node + 2
            if _to_box(q, lows[one], highs[one]) < _to_box(q, lows[two], highs[two]):
                one, two = two, one
            stack[size], stack[size + 1] = one, two
            size += 2
            continue
        edges = _edges(levels, node - inner, points.shape[0])
        limit, who = _ask_leaf(i, points, parts, radii, factor, edges, limit, who)
    return limit, who


@loop()
def seek_nearest_others(
    points: Matrix,
    lows: Matrix,
    highs: Matrix,
    parts: Indices,
    radii: Vector,
    kind: Indices,
    least: Vector,
    factor: float,
    start: int,
    stop: int,
    bounds: Vector,
    known: Indices,
    best: Vector,
    edges: Indices,
) -> None:
    """Find for each component the shortest way out from the points start..stop.

    `bounds` and `known` remember the nearest stranger of each point between the rounds;
    `best` and `edges` receive the length and the two ends for each component.
    """
    stack = np.empty(2 * _levels(kind.size) + 2, dtype=np.int64)
    for i in range(start, stop):
        own = parts[i]
        if bounds[i] >= best[own]:
            continue
        if known[i] < 0 or parts[known[i]] == own:
            bounds[i], known[i] = _seek(
                i,
                (points, lows, highs),
                (parts, radii, kind, least),
                factor,
                best[own],
                stack,
            )
        if known[i] >= 0 and bounds[i] < best[own]:
            best[own], edges[own, 0], edges[own, 1] = bounds[i], i, known[i]


@loop()
def join_nearest_others(
    best: Vector,
    edges: Indices,
    parts: Indices,
    first: Indices,
    second: Indices,
    heights: Vector,
    count: int,
) -> tuple[int, int]:
    """Join components along their shortest ways out; number what is left again.

    Return how many edges there are now, and how many components. Where ways are
    equally short, a cycle of them is left open at one.
    """
    above = np.arange(best.size)
    for part in range(best.size):
        i, j = edges[part]
        p, q = find_root(above, parts[i]), find_root(above, parts[j])
        if p != q:
            above[max(p, q)] = min(p, q)
            first[count], second[count], heights[count] = i, j, best[part]
            count += 1
    number, names = 0, np.empty(best.size, dtype=np.intp)
    for part in range(best.size):
        root = find_root(above, part)
        if root == part:
            names[part] = number
            number += 1
        else:
            names[part] = names[root]
    for i in range(parts.size):
        parts[i] = names[parts[i]]
    return count, number
