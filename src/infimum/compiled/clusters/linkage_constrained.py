"""Linkage of clusters that touch: a graph says which pairs may merge."""

import heapq

import numpy as np

from infimum.compiled.clusters.linkage_rounds import WARD, join
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["constrained_merges"]


@inner_loop()
def _cost(centres: Matrix, sizes: Vector, i: int, j: int) -> float:
    total = 0.0
    for t in range(centres.shape[1]):
        apart = centres[i, t] - centres[j, t]
        total += apart * apart
    return float(2.0 * sizes[i] * sizes[j] / (sizes[i] + sizes[j]) * total)


@inner_loop()
def _with_room(
    lists: tuple[Indices, Indices, Indices, Vector], used: int, wanted: int
) -> tuple[Indices, Indices, Indices, Vector]:
    """Return the lists with places for so many more entries."""
    head, to, after, far = lists
    if used + wanted <= to.size:
        return lists
    size = 2 * (used + wanted)
    new_to, new_after = np.empty(size, dtype=to.dtype), np.empty(size, after.dtype)
    new_far = np.empty(size)
    new_to[:used], new_after[:used], new_far[:used] = (
        to[:used],
        after[:used],
        far[:used],
    )
    return head, new_to, new_after, new_far


@inner_loop()
def _tie(
    lists: tuple[Indices, Indices, Indices, Vector],
    used: int,
    i: int,
    j: int,
    cost: float,
) -> int:
    """Enter two nodes into each other's lists; return how many entries there are."""
    head, to, after, far = lists
    to[used], far[used], after[used], head[i] = j, cost, head[i], used
    used += 1
    to[used], far[used], after[used], head[j] = i, cost, head[j], used
    return used + 1


@inner_loop()
def _gather(
    pair: tuple[int, int],
    new: int,
    lists: tuple[Indices, Indices, Indices, Vector],
    parent: Indices,
    sizes: Vector,
    method: int,
    stamp: Indices,
    value: Vector,
    around: Indices,
) -> int:
    """Collect the living neighbours of a pair, and their distances to the union."""
    head, to, after, far = lists
    count = 0
    for side in range(2):
        own = pair[side]
        at = head[own]
        while at >= 0:
            q = to[at]
            if parent[q] < 0:
                if stamp[q] != new:
                    stamp[q], value[q] = new, far[at]
                    around[count] = q
                    count += 1
                elif side == 1:
                    value[q] = join(
                        method, value[q], far[at], 0.0,
                        sizes[pair[0]], sizes[own], sizes[q],
                    )  # fmt: skip
            at = after[at]
    return count


@loop()
def constrained_merges(
    edges: Indices,
    lengths: Vector,
    centres: Matrix,
    sizes: Vector,
    method: int,
    first: Indices,
    second: Indices,
    heights: Vector,
) -> None:
    """Write the nodes of each union, in the order of merging, and their distances.

    Arrays of nodes have room for all 2n - 1; centres are used by Ward's linkage only.
    The distance to a union knows only of the parts with an edge to it.
    """
    nodes = sizes.size
    count = (nodes + 1) // 2
    parent = np.full(nodes, -1)
    stamp, value = np.full(nodes, -1), np.empty(nodes)
    around = np.empty(nodes, dtype=np.int64)
    room = np.empty(2 * edges.shape[0], dtype=np.int64)
    lists = (np.full(nodes, -1), room, room.copy(), np.empty(room.size))
    heap, used = [(0.0, 0, 0)], 0
    for e in range(edges.shape[0]):
        i, j = edges[e, 0], edges[e, 1]
        cost = _cost(centres, sizes, i, j) if method == WARD else lengths[e]
        used = _tie(lists, used, i, j, cost)
        heap.append((cost, i, j))
    heap.pop(0)
    heapq.heapify(heap)
    for new in range(count, nodes):
        height, i, j = heapq.heappop(heap)
        while parent[i] >= 0 or parent[j] >= 0:
            height, i, j = heapq.heappop(heap)
        first[new - count], second[new - count], heights[new - count] = i, j, height
        parent[i] = parent[j] = new
        sizes[new] = sizes[i] + sizes[j]
        centres[new] = centres[i] + sizes[j] / sizes[new] * (centres[j] - centres[i])
        found = _gather((i, j), new, lists, parent, sizes, method, stamp, value, around)
        lists = _with_room(lists, used, 2 * found)  # type: ignore[assignment]
        for at in range(found):
            q = around[at]
            cost = _cost(centres, sizes, q, new) if method == WARD else value[q]
            used = _tie(lists, used, q, new, cost)
            heapq.heappush(heap, (cost, q, new))
