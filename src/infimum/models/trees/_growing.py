"""Grow one tree: rows, weights and rules in, flat arrays out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from infimum.compiled.trees.tree_grow import grow_tree
from infimum.compiled.trees.tree_grow_counts import HEAVIEST, grow_counted_tree
from infimum.compiled.trees.tree_grow_plain import grow_plain_tree
from infimum.compiled.trees.tree_parts import Ranks, Rules, Workspace
from infimum.compiled.trees.tree_values import number_nodes
from infimum.models.trees._criteria import NUMBER, QUANTILES, Aim, describe
from infimum.models.trees.structure import Tree
from infimum.typing import Indices, Matrix, Vector

__all__ = ["ENDLESS", "grow"]

#: A limit that is none.
ENDLESS = 2**62
ASKS, LEFT, RIGHT, START, STOP, LEFTWARD, SET = range(7)
BUCKETS = 2**12 + 256


def grow(
    table: Ranks,
    aim: Aim,
    rules: Rules,
    weight: Vector,
    rows: Indices,
    seed: int,
    *,
    shuffled: bool = False,
) -> Tree:
    """Return the tree of some rows of a table.

    Parameters
    ----------
    table : Ranks
    aim : Aim
    rules : Rules
    weight : float64 of n_samples
    rows : int32
        Rows of a weight above 0, in increasing order.
    seed : int
    shuffled : bool, default=False
        Whether features come in an order by chance where all are tried: the first of
        equally good ones is asked for.
    """
    if len(rows) < len(weight):
        table, aim, weight = _only(table, aim, weight, rows)
    rows = np.arange(len(rows), dtype=np.int32)
    work = _workspace(aim, rules, len(rows), table.ranks.shape[0], seed)
    if shuffled:
        np.random.default_rng(seed).shuffle(work.features)
    plain = aim.target.family == NUMBER and table.plain.all()
    loop = grow_plain_tree if plain else grow_tree
    if plain and _counts(aim, rules, weight):
        loop = grow_counted_tree
    nodes, reals, words = loop(table, aim.target, rules, work, weight, rows)
    nodes, reals = _in_preorder(nodes, reals)
    value, weights, impurity = describe(
        aim, nodes[:, LEFT : STOP + 1], reals[:, 2:], rows, weight
    )
    asks = nodes[:, ASKS]
    return Tree.grown(
        feature=asks,
        threshold=reals[:, 0],
        left=nodes[:, LEFT],
        right=nodes[:, RIGHT],
        missing_left=nodes[:, LEFTWARD] > 0,
        category_start=nodes[:, SET],
        category_words=words,
        value=value,
        weight=weights,
        rows=nodes[:, STOP] - nodes[:, START],
        impurity=impurity,
        gain=np.where(asks >= 0, reals[:, 1] * aim.scale / weights[0], 0.0),
    )


def _counts(aim: Aim, rules: Rules, weight: Vector) -> bool:
    """Tell whether rows of two classes are drawn a few times each, for large bins."""
    few = bool(aim.sizes) and rules.bins > 0 and rules.min_leaf == 1
    whole = few and weight.max() <= HEAVIEST and bool((weight == np.rint(weight)).all())
    return whole and not rules.random


def _only(
    table: Ranks, aim: Aim, weight: Vector, rows: Indices
) -> tuple[Ranks, Aim, Vector]:
    """Return some rows of everything: side by side they stay in a core's cache."""
    target = aim.target
    some = {
        name: getattr(target, name)[rows]
        for name in ("codes", "numbers", "order")
        if len(getattr(target, name))
    }
    ranks = np.take(table.ranks, rows, axis=1)
    few = replace(aim, target=target._replace(**some))
    return table._replace(ranks=ranks), few, weight[rows]


def _in_preorder(nodes: Indices, reals: Matrix) -> tuple[Indices, Matrix]:
    """Return the nodes so numbered that a node's left branch precedes its right."""
    order = number_nodes(nodes[:, LEFT].copy(), nodes[:, RIGHT].copy())
    place = np.empty(len(order) + 1, dtype=np.int64)
    place[order] = np.arange(len(order))
    place[-1] = -1
    nodes = nodes[order]
    nodes[:, LEFT] = place[nodes[:, LEFT]]
    nodes[:, RIGHT] = place[nodes[:, RIGHT]]
    return nodes, reals[order]


def _workspace(
    aim: Aim, rules: Rules, size: int, features: int, seed: int
) -> Workspace:
    family, target = aim.target.family, aim.target
    outputs = max(1, target.codes.shape[1])
    by_quantile = family == QUANTILES
    narrow = family in (NUMBER, QUANTILES) or not aim.sizes
    sums = (2, size + 1) if by_quantile else (max(1, rules.bins), 3)
    return Workspace(
        keys=np.empty(size, dtype=np.int64),
        spare=np.empty(size, dtype=np.int64),
        buckets=np.empty(BUCKETS, dtype=np.int64),
        weights=np.empty(size),
        parts=np.empty((len(aim.shift), size) if narrow else (1, 0)),
        codes=np.empty(
            (0, 1) if narrow and not by_quantile else (size, outputs), dtype=np.int32
        ),
        sides=np.empty(size, dtype=np.int8),
        totals=np.empty(aim.columns),
        left=np.empty((2, aim.columns)),
        histogram=np.empty(sums),
        losses=np.empty((6, size) if by_quantile else (6, 0)),
        features=np.arange(features, dtype=np.int64),
        state=np.array([seed], dtype=np.uint64),
    )
