"""Down the trees of a forest, from its roots to its leaves.

A node is two words of 64 bits. The first is its threshold, or where its set of
categories begins; the second holds the first of its two children (which are
neighbours) above, and below it the feature, where the missing go and whether it reads
categories. A leaf has no child, and its second word is its number among the leaves.
"""

from typing import Any

from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["find_leaves", "sum_leaves"]

#: Rows that go down one tree after another while they stay in a core's cache.
ROWS = 512


@loop(inline="always")
def _turn(start: int, code: int, words: Any, x: float) -> int:
    """Return 1 for right, 0 for left, at a node that reads categories."""
    missing = 1 - ((code >> 1) & 1)
    if not x >= 0.0 or x >= 32.0 * words[start]:
        return missing
    level = int(x)
    return int(1 - ((words[start + 1 + (level >> 5)] >> (level & 31)) & 1))


@loop(inline="always")
def _leaf(nodes: Indices, cuts: Matrix, words: Any, at: int, x: Vector) -> int:
    while True:
        code = nodes[at, 1]
        child = code >> 32
        if child == 0:
            return int(code)
        value = x[(code & 0xFFFFFFFF) >> 2]
        if code & 1:
            at = child + _turn(nodes[at, 0], code, words, value)
        elif value <= cuts[at, 0]:
            at = child
        elif value > cuts[at, 0]:
            at = child + 1
        else:
            at = child + 1 - ((code >> 1) & 1)


@loop()
def find_leaves(
    nodes: Indices, cuts: Matrix, words: Any, roots: Indices, X: Matrix, out: Indices
) -> None:
    """Write the number of the leaf of each row in each tree."""
    for i in range(X.shape[0]):
        for tree in range(roots.size):
            out[i, tree] = _leaf(nodes, cuts, words, roots[tree], X[i])


@loop()
def sum_leaves(
    nodes: Indices,
    cuts: Matrix,
    words: Any,
    roots: Indices,
    outputs: Indices,
    values: Matrix,
    X: Matrix,
    out: Matrix,
) -> None:
    """Add the values of the leaves of all trees to each row's sums.

    A tree whose output is -1 adds a row of values, any other adds one number to that
    column.
    """
    width = values.shape[1]
    for start in range(0, X.shape[0], ROWS):
        stop = min(X.shape[0], start + ROWS)
        for tree in range(roots.size):
            root, column = roots[tree], outputs[tree]
            for i in range(start, stop):
                leaf = _leaf(nodes, cuts, words, root, X[i])
                if column >= 0:
                    out[i, column] += values[leaf, 0]
                else:
                    for j in range(width):
                        out[i, j] += values[leaf, j]
