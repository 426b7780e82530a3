"""Nodes that wait to be split: the last one first, or the one that gains most."""

from typing import Any

import numpy as np

from infimum.compiled.trees.tree_parts import inner
from infimum.typing import Indices, Matrix, Vector

__all__ = ["put_entry", "take_entry", "with_room"]

#: Columns of the whole numbers of a node, and of its others.
ASKS, LEFT, RIGHT, START, STOP, LEFTWARD, SET, DEPTH, GROUPS = range(9)
CUTS, GAIN, LOWER, UPPER = range(4)
#: Columns of an entry: a node, how much its split gains, and the split.
NODE, GAINED, SPLIT = 0, 1, 2
WIDTH = 8
#: A limit on leaves that is none: then the last node is split first.
ENDLESS = 2**62


@inner
def _sift(frontier: Matrix, size: int, best_first: bool) -> None:  # noqa: FBT001
    """Move the last entry up the heap of gains, if the order is by gain."""
    at = size - 1
    while best_first and at > 0:
        above = (at - 1) // 2
        if frontier[above, GAINED] >= frontier[at, GAINED]:
            break
        for c in range(WIDTH):
            kept = frontier[at, c]
            frontier[at, c], frontier[above, c] = frontier[above, c], kept
        at = above


@inner
def take_entry(frontier: Matrix, size: int, best_first: bool, out: Vector) -> None:  # noqa: FBT001
    """Write the next entry to split: the one with the largest gain, or the last."""
    for c in range(WIDTH):
        out[c] = frontier[0 if best_first else size - 1, c]
        frontier[0, c] = frontier[size - 1 if best_first else 0, c]
    at, size = 0, size - 1 if best_first else 0
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and frontier[child + 1, GAINED] > frontier[child, GAINED]:
            child += 1
        if frontier[at, GAINED] >= frontier[child, GAINED]:
            break
        for c in range(WIDTH):
            kept = frontier[at, c]
            frontier[at, c], frontier[child, c] = frontier[child, c], kept
        at = child


@inner
def put_entry(
    frontier: Matrix,
    waiting: int,
    entry: Vector,
    best_first: bool,  # noqa: FBT001
) -> Matrix:
    """Put an entry behind those that wait, or where its gain belongs."""
    if waiting == frontier.shape[0]:
        frontier = np.concatenate((frontier, frontier))
    for c in range(WIDTH):
        frontier[waiting, c] = entry[c]
    _sift(frontier, waiting + 1, best_first)
    return frontier


@inner
def with_room(nodes: Indices, reals: Matrix, size: int) -> tuple[Any, Any]:
    """Return the arrays of nodes, made twice as long if they hold less than `size`."""
    if size > nodes.shape[0]:
        return np.concatenate((nodes, nodes)), np.concatenate((reals, reals))
    return nodes, reals
