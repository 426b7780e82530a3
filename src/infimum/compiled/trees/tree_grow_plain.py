"""A tree of plain features, from its root down: the quick way to the same tree.

One number or two classes to tell, nothing missing, no categories, no constraints;
thresholds are searched for or drawn.
"""

from typing import Any

from infimum.compiled.loop import loop
from infimum.compiled.trees.tree_frontier import (
    CUT,
    FEATURE,
    MISSING_LEFT,
    grow_nodes,
    settle_threshold,
)
from infimum.compiled.trees.tree_parts import (
    Growth,
    Ranks,
    Rules,
    Target,
    Workspace,
    borrower,
)
from infimum.compiled.trees.tree_split_plain import split_plain_node
from infimum.typing import Indices, Matrix, Vector

__all__ = ["grow_plain_tree"]


@borrower
def _divide(growth: Growth, rows: Indices, split: Vector, words: Any) -> int:
    """Bring the rows up to a rank to the front, both sides in order."""
    table, spare, f = growth.table, growth.work.spare, int(split[FEATURE])
    ranks, cut = table.ranks[f], int(split[CUT])
    lefts = rights = 0
    below, above = 0, int(table.counts[f])
    for i in range(rows.size):
        r = rows[i]
        rank = int(ranks[r])
        if rank <= cut:
            rows[lefts] = r
            lefts += 1
            below = max(below, rank)
        else:
            spare[rights] = r
            rights += 1
            above = min(above, rank)
    for t in range(rights):
        rows[lefts + t] = spare[t]
    split[MISSING_LEFT] = lefts > rights
    values = table.values[table.starts[f] :]
    settle_threshold(split, values[below], values[above])
    return lefts


@borrower
def _find(
    growth: Growth, rows: Indices, node: Indices, real: Vector, split: Vector
) -> float:
    gain = split_plain_node(growth, rows, split)
    return gain if gain * (1.0 + 1e-12) >= growth.rules.min_decrease else -1.0


@loop(error_model="numpy")
def grow_plain_tree(
    table: Ranks,
    target: Target,
    rules: Rules,
    work: Workspace,
    weight: Vector,
    rows: Indices,
) -> tuple[Indices, Matrix, Any]:
    """Return what `grow_tree` does, for plain features."""
    numbers = target.numbers[:, 0].copy()
    growth = Growth(table, target, rules, work, weight, numbers)
    return grow_nodes(_find, _divide, growth, rows)
