"""Birch's tree of clusters, into which rows are put one after the other.

An entry stands for some rows by their number, their mean and the sum of their squared
distances to it, which no offset of the data can cancel. Entries of leaves are clusters;
an entry further up stands for everything in the node below it. All leaves are equally
deep.
"""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["insert_rows"]

Entries = tuple[Vector, Matrix, Vector, Indices]
Nodes = tuple[Indices, Indices, Indices]
ENTRIES, NODES, ROOT, DEPTH = range(4)


@inner_loop()
def _square(x: Vector, c: Vector) -> float:
    total = 0.0
    for t in range(x.size):
        apart = x[t] - c[t]
        total += apart * apart
    return total


@inner_loop()
def _closest(x: Vector, means: Matrix, members: Indices) -> int:
    """Return the member whose mean is nearest."""
    who, least = members[0], np.inf
    for entry in members:
        square = _square(x, means[entry])
        if square < least:
            who, least = entry, square
    return int(who)


@inner_loop()
def _absorb(
    entries: Entries, entry: int, count: float, mean: Vector, spread: float
) -> None:
    """Add so many rows, with their mean and spread, to those of an entry."""
    counts, means, spreads, _ = entries
    total = counts[entry] + count
    share, square = count / total, 0.0
    for t in range(mean.size):
        apart = mean[t] - means[entry, t]
        square += apart * apart
        means[entry, t] += share * apart
    spreads[entry] += spread + square * counts[entry] * share
    counts[entry] = total


@inner_loop()
def _gather(entries: Entries, entry: int, nodes: Nodes, node: int) -> None:
    """Make an entry stand for all members of a node."""
    counts, means, spreads, child = entries
    sizes, members, _ = nodes
    counts[entry], spreads[entry], child[entry] = 0.0, 0.0, node
    means[entry] = means[members[node, 0]]
    for place in range(sizes[node]):
        other = members[node, place]
        _absorb(entries, entry, counts[other], means[other], spreads[other])


@inner_loop()
def _add_member(nodes: Nodes, node: int, entry: int) -> None:
    sizes, members, _ = nodes
    members[node, sizes[node]] = entry
    sizes[node] += 1


@inner_loop()
def _enter(
    x: Vector, limit: float, entries: Entries, nodes: Nodes, node: int, state: Indices
) -> None:
    """Put a row into the nearest entry of a leaf, if its radius allows, or into one."""
    counts, means, spreads, child = entries
    sizes, members, _ = nodes
    if sizes[node]:
        near = _closest(x, means, members[node, : sizes[node]])
        total = counts[near] + 1.0
        spread = spreads[near] + _square(x, means[near]) * counts[near] / total
        if spread / total <= limit:
            _absorb(entries, near, 1.0, x, 0.0)
            return
    entry = state[ENTRIES]
    state[ENTRIES] += 1
    counts[entry], means[entry], spreads[entry], child[entry] = 1.0, x, 0.0, -1
    _add_member(nodes, node, entry)


@inner_loop()
def _split(means: Matrix, nodes: Nodes, node: int, fresh: int) -> None:
    """Leave a node the members near one of the farthest two; the rest get a new one."""
    sizes, members, _ = nodes
    old = members[node, : sizes[node]].copy()
    one, other, far = old[0], old[0], 0.0
    for a in range(old.size):
        for b in range(a + 1, old.size):
            square = _square(means[old[a]], means[old[b]])
            if square > far:
                one, other, far = old[a], old[b], square
    sizes[node], sizes[fresh] = 0, 0
    for entry in old:
        closer = _square(means[entry], means[one]) < _square(means[entry], means[other])
        _add_member(nodes, node if closer or entry == one else fresh, entry)


@inner_loop()
def _new_root(entries: Entries, nodes: Nodes, fresh: int, state: Indices) -> None:
    """Put a node on top of the old root and of the one that was split from it."""
    root, first = state[NODES], state[ENTRIES]
    nodes[0][root] = 0
    for entry, node in ((first, state[ROOT]), (first + 1, fresh)):
        _gather(entries, entry, nodes, node)
        _add_member(nodes, root, entry)
    state[ENTRIES] += 2
    state[NODES] += 1
    state[DEPTH] += 1
    state[ROOT] = root


@inner_loop()
def _part(entries: Entries, nodes: Nodes, path: Indices, state: Indices) -> int:
    """Split full nodes from the leaf upwards; return the level that was reached.

    `path` holds the node of each level, and the entry through which it was left.
    """
    sizes, members, after = nodes
    depth = level = state[DEPTH]
    while sizes[path[0, level]] == members.shape[1]:
        node, fresh = path[0, level], state[NODES]
        state[NODES] += 1
        _split(entries[1], nodes, node, fresh)
        if level == depth:
            after[fresh], after[node] = after[node], fresh
        if level == 0:
            _new_root(entries, nodes, fresh, state)
            break
        level -= 1
        _gather(entries, path[1, level], nodes, node)
        _gather(entries, state[ENTRIES], nodes, fresh)
        _add_member(nodes, path[0, level], state[ENTRIES])
        state[ENTRIES] += 1
    return int(level)


@loop()
def insert_rows(
    X: Matrix,
    start: int,
    limit: float,
    entries: Entries,
    nodes: Nodes,
    state: Indices,
) -> int:
    """Put rows from `start` on into the tree; return the first for which room lacks.

    `limit` is the largest squared radius of a cluster. `entries` are counts, means,
    spreads and the nodes below (-1 for none); `nodes` are numbers of members, members
    (one place more than a node may keep) and, for leaves, the next leaf. `state` is how
    many entries and nodes there are, the root, and the depth of leaves.
    """
    means, child = entries[1], entries[3]
    sizes, members = nodes[0], nodes[1]
    for i in range(start, X.shape[0]):
        depth = state[DEPTH]
        most = depth + 3
        if state[ENTRIES] + most > child.size or state[NODES] + most > sizes.size:
            return int(i)
        path = np.empty((2, depth + 1), dtype=np.intp)
        node = state[ROOT]
        for level in range(depth):
            near = _closest(X[i], means, members[node, : sizes[node]])
            path[0, level], path[1, level] = node, near
            node = child[near]
        path[0, depth] = node
        _enter(X[i], limit, entries, nodes, node, state)
        for level in range(_part(entries, nodes, path, state)):
            _absorb(entries, path[1, level], 1.0, X[i], 0.0)
    return int(X.shape[0])
