"""Lists of near neighbours, improved through the neighbours of neighbours."""

from typing import Any

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.neighbors.heap import sink
from infimum.compiled.prefetch import fetch_row
from infimum.typing import Indices, Matrix, Vector

__all__ = ["apart", "ask_near", "join_leaf", "sort_lists"]

FAST = {"reassoc", "contract", "nsz"}


@loop(fastmath=FAST, error_model="numpy")
def apart(X: Matrix, i: int, q: Vector) -> Any:
    """Return the squared distance of row i to q, in their own precision."""
    total = np.float32(0.0)
    for t in range(q.size):
        gap = X[i, t] - q[t]
        total += gap * gap
    return total


@inner_loop()
def _offer(near: Vector, names: Indices, value: Any, name: int) -> None:
    """Let a point have the place of the largest in a heap, unless it is there."""
    for t in range(names.size):
        if names[t] == name:
            return
    sink(near, names, value, name)


@loop()
def join_leaf(
    products: Matrix, squares: Vector, leaf: Indices, near: Matrix, names: Indices
) -> None:
    """Offer the points of a leaf to each other, given -2 times their products."""
    for a in range(leaf.size):
        i = leaf[a]
        for b in range(leaf.size):
            value = products[a, b] + squares[a] + squares[b]
            if value < near[i, 0] and a != b:
                _offer(near[i], names[i], value, leaf[b])


@loop()
def ask_near(
    X: Matrix,
    known: Indices,
    wide: int,
    first: int,
    near: Matrix,
    names: Indices,
    seen: Indices,
) -> None:
    """Offer to points from `first` on those near to the ones near to them.

    `known` are the lists before, nearest first, of which `wide` are asked; what is
    learnt goes to `near` and `names`, so that no answer depends on who asked before.
    """
    for row in range(near.shape[0]):
        i = first + row
        seen[i] = i
        for t in range(names.shape[1]):
            if names[row, t] >= 0:
                seen[names[row, t]] = i
        for a in range(wide):
            if known[i, a] >= 0:
                friends = known[known[i, a], :wide]
                _consider(X, i, friends, near[row], names[row], seen)


@inner_loop()
def _consider(
    X: Matrix, i: int, others: Indices, near: Vector, names: Indices, seen: Indices
) -> None:
    """Offer to point i those it has not seen."""
    for j in others:
        if j >= 0 and seen[j] != i:
            fetch_row(X, j)
    for j in others:
        if j >= 0 and seen[j] != i:
            seen[j] = i
            value = apart(X, j, X[i])
            if value < near[0]:
                _offer(near, names, value, j)


@loop()
def sort_lists(near: Matrix, names: Indices) -> None:
    """Put the nearest first; equally near ones by name."""
    for i in range(near.shape[0]):
        for t in range(1, near.shape[1]):
            value, name, at = near[i, t], names[i, t], t
            while at > 0 and (
                near[i, at - 1] > value
                or (near[i, at - 1] == value and names[i, at - 1] > name)
            ):
                near[i, at], names[i, at] = near[i, at - 1], names[i, at - 1]
                at -= 1
            near[i, at], names[i, at] = value, name
