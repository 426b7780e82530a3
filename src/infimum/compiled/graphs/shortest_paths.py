"""Shortest paths from several near sources at once, in the order of the first.

Dijkstra's algorithm with a heap orders the vertices by their distance from the first
source. Near sources see nearly the same order, so the edges are relaxed for all of them
together, one machine word of distances a vertex, until nothing changes. Addition of
floats is monotone, hence the result is that of Dijkstra's algorithm to the last bit.
"""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["LANES", "spread_from"]

#: Sources that travel together: more sweeps, but one heap serves them all.
LANES = 32


@inner_loop()
def _rise(heap: Indices, places: Indices, keys: Vector, at: int) -> None:
    vertex = heap[at]
    key = keys[vertex]
    while at > 0:
        parent = (at - 1) >> 2
        above = heap[parent]
        if keys[above] <= key:
            break
        heap[at] = above
        places[above] = at
        at = parent
    heap[at] = vertex
    places[vertex] = at


@inner_loop()
def _sink(heap: Indices, places: Indices, keys: Vector, size: int) -> None:
    """Let the vertex at the top of a heap with four branches find its place."""
    vertex, at = heap[0], 0
    key = keys[vertex]
    while True:
        first = 4 * at + 1
        if first >= size:
            break
        child, least = first, keys[heap[first]]
        for other in range(first + 1, min(size, first + 4)):
            if keys[heap[other]] < least:
                child, least = other, keys[heap[other]]
        if least >= key:
            break
        heap[at] = heap[child]
        places[heap[at]] = at
        at = child
    heap[at] = vertex
    places[vertex] = at


@inner_loop()
def _order_from(
    starts: Indices, ends: Indices, lengths: Vector, source: int, order: Indices
) -> int:
    """Write the vertices within reach by their distance; return how many there are."""
    n = starts.size - 1
    keys = np.full(n, np.inf)
    places = np.full(n, -1, dtype=np.int64)
    heap = np.empty(n, dtype=np.int64)
    keys[source], heap[0], places[source] = 0.0, source, 0
    size, settled = 1, 0
    while size > 0:
        vertex = heap[0]
        order[settled] = vertex
        settled += 1
        size -= 1
        if size > 0:
            heap[0] = heap[size]
            _sink(heap, places, keys, size)
        for edge in range(starts[vertex], starts[vertex + 1]):
            end, reach = ends[edge], keys[vertex] + lengths[edge]
            if reach < keys[end]:
                keys[end] = reach
                if places[end] < 0:
                    heap[size] = end
                    places[end] = size
                    size += 1
                _rise(heap, places, keys, places[end])
    return settled


@inner_loop()
def _relax(
    starts: Indices, ends: Indices, lengths: Vector, order: Indices, near: Matrix
) -> None:
    """Sweep through the vertices that changed until none does.

    Most edges lead nowhere new: they are compared first, and nothing is written.
    """
    waiting = np.ones(order.size, dtype=np.bool_)
    lanes, changing = near.shape[1], True
    while changing:
        changing = False
        for vertex in order:
            if not waiting[vertex]:
                continue
            waiting[vertex] = False
            for edge in range(starts[vertex], starts[vertex + 1]):
                end, length, gained = ends[edge], lengths[edge], 0
                for lane in range(lanes):
                    gained += near[vertex, lane] + length < near[end, lane]
                if gained > 0:
                    waiting[end] = changing = True
                    for lane in range(lanes):
                        reach, known = near[vertex, lane] + length, near[end, lane]
                        near[end, lane] = reach if reach < known else known


@inner_loop()
def _complete(order: Indices, reached: int) -> None:
    """Append the vertices that the first source does not reach: another one may."""
    seen = np.zeros(order.size, dtype=np.bool_)
    for place in range(reached):
        seen[order[place]] = True
    for vertex in range(order.size):
        if not seen[vertex]:
            order[reached] = vertex
            reached += 1


@loop()
def spread_from(
    starts: Indices,
    ends: Indices,
    lengths: Vector,
    sources: Indices,
    places: Indices,
    lanes: int,
    out: Matrix,
) -> None:
    """Write the distances from some sources to their rows; infinity if none leads.

    `places` says which sources, those near to each other one after the other.
    """
    n = starts.size - 1
    order = np.empty(n, dtype=np.int64)
    near = np.empty((n, lanes))
    for first in range(0, places.size, lanes):
        last = min(places.size, first + lanes)
        near[:] = np.inf
        for lane in range(last - first):
            near[sources[places[first + lane]], lane] = 0.0
        reached = _order_from(starts, ends, lengths, sources[places[first]], order)
        _complete(order, reached)
        _relax(starts, ends, lengths, order, near)
        for lane in range(last - first):
            row = places[first + lane]
            for vertex in range(n):
                out[row, vertex] = near[vertex, lane]
