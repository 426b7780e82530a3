"""A tree that asks one kind of question: is x closer to this sample or to that one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from infimum.errors import DataError
from infimum.typing import Indices, Mask, Matrix

__all__ = ["ComparisonTree", "grow_by_comparisons"]

#: For queries, first and second samples: whether each query is closer to the first.
Closer = Callable[[Indices, Indices, Indices], Mask]
#: How often a cell is tried to be cut before it is left whole: its pivots may be equal.
ATTEMPTS = 8


@dataclass(frozen=True, eq=False)
class ComparisonTree:
    """Binary tree of comparisons, one entry a node; the root is 0, children come later.

    Parameters
    ----------
    pivots : int64, n_nodes × 2
        The two samples that a node compares with; -1 at a leaf. What is closer to the
        first goes left.
    left, right : int64
        Children; -1 at a leaf.
    value : float64, n_nodes × n_outputs
        Class shares or mean of the training rows that came by.
    """

    pivots: Indices
    left: Indices
    right: Indices
    value: Matrix

    def __post_init__(self) -> None:
        inner = self.pivots[:, 0] >= 0
        places = np.arange(len(self.pivots))[inner]
        children = np.concatenate([self.left[inner], self.right[inner]])
        below = (self.left[inner] > places) & (self.right[inner] > places)
        if not below.all() or (children >= len(self.pivots)).any():
            raise DataError("ComparisonTree: children must come after their parent.")

    @property
    def n_leaves(self) -> int:
        """Number of cells."""
        return int(np.count_nonzero(self.pivots[:, 0] < 0))

    def apply(self, count: int, closer: Closer) -> Indices:
        """Return the leaf that each of `count` queries ends in."""
        at = np.zeros(count, dtype=np.int64)
        rows = np.arange(count)
        while len(rows):
            rows = rows[self.pivots[at[rows], 0] >= 0]
            nodes = at[rows]
            near = closer(rows, self.pivots[nodes, 0], self.pivots[nodes, 1])
            at[rows] = np.where(near, self.left[nodes], self.right[nodes])
        return at


@dataclass
class _Cell:
    node: int
    rows: Indices
    depth: int
    attempts: int = 0


def grow_by_comparisons(
    targets: Matrix,
    closer: Closer,
    leaf_size: int,
    max_depth: float,
    rng: np.random.Generator,
) -> ComparisonTree:
    """Cut cells at random pairs of their samples until few rows, or one target, remain.

    Pivots have different targets. All cells of a level are cut together; each cut asks
    one comparison for each row of its cell.
    """
    pivots, left, right = [(-1, -1)], [-1], [-1]
    values = [targets.mean(axis=0)]
    whole = _Cell(0, np.arange(len(targets)), 0)
    cells = [whole] if _divisible(whole, targets, leaf_size, max_depth) else []
    while cells:
        drawn = [(cell, _draw(cell, targets, rng)) for cell in cells]
        cells = []
        rows = np.concatenate([cell.rows for cell, _ in drawn])
        sizes = [len(cell.rows) for cell, _ in drawn]
        pairs = np.repeat([pair for _, pair in drawn], sizes, axis=0)
        near = closer(rows, pairs[:, 0], pairs[:, 1])
        for (cell, pair), sides in zip(
            drawn, np.split(near, np.cumsum(sizes)[:-1]), strict=True
        ):
            if sides.all() or not sides.any():
                again = cell.attempts + 1
                parts = [_Cell(cell.node, cell.rows, cell.depth, again)]
            else:
                pivots[cell.node] = pair
                left[cell.node], right[cell.node] = len(left), len(left) + 1
                parts = [
                    _Cell(len(left) + side, cell.rows[mask], cell.depth + 1)
                    for side, mask in enumerate((sides, ~sides))
                ]
                for part in parts:
                    pivots.append((-1, -1))
                    left.append(-1)
                    right.append(-1)
                    values.append(targets[part.rows].mean(axis=0))
            cells += [c for c in parts if _divisible(c, targets, leaf_size, max_depth)]
    return ComparisonTree(
        np.array(pivots), np.array(left), np.array(right), np.array(values)
    )


def _divisible(cell: _Cell, targets: Matrix, leaf_size: int, max_depth: float) -> bool:
    if len(cell.rows) <= max(1, leaf_size) or cell.depth >= max_depth:
        return False
    mine = targets[cell.rows]
    return cell.attempts < ATTEMPTS and bool((mine != mine[0]).any())


def _draw(cell: _Cell, targets: Matrix, rng: np.random.Generator) -> tuple[int, int]:
    """Return two rows of a cell, with different targets where there are any."""
    first = cell.rows[rng.integers(len(cell.rows))]
    others = cell.rows[(targets[cell.rows] != targets[first]).any(axis=1)]
    if not len(others):
        others = cell.rows
    return int(first), int(others[rng.integers(len(others))])
