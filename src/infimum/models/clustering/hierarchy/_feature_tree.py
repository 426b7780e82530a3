"""The tree of Birch between two batches: arrays that grow, and clusters read off."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.compiled.clusters.feature_tree import insert_rows
from infimum.errors import DataError
from infimum.typing import Matrix, Vector

__all__ = ["begin_tree", "check_tree", "grow_tree", "leaf_means"]

#: Entries and nodes there is room for at first.
FIRST = 64
Arrays = dict[str, NDArray[Any]]


def begin_tree(features: int, branching: int) -> Arrays:
    """Return a tree of one empty leaf."""
    return {
        "counts": np.zeros(FIRST),
        "means": np.zeros((FIRST, features)),
        "spreads": np.zeros(FIRST),
        "child": np.full(FIRST, -1),
        "sizes": np.zeros(FIRST, dtype=np.intp),
        "members": np.zeros((FIRST, branching + 1), dtype=np.intp),
        "after": np.full(FIRST, -1),
        "state": np.array([0, 1, 0, 0]),
    }


def grow_tree(tree: Arrays, blocks: Iterable[Matrix], threshold: float) -> Arrays:
    """Return the tree with blocks of rows in it; the one given stays as it is."""
    tree = {name: values.copy() for name, values in tree.items()}
    for rows in blocks:
        check_tree(tree, rows.shape[1])
        tree = _insert(tree, rows, threshold)
    return tree


def _insert(tree: Arrays, X: Matrix, threshold: float) -> Arrays:
    """Write rows into a tree; return it, or a larger one that took its place."""
    start = 0
    while True:
        start = insert_rows(
            X, start, threshold * threshold,
            (tree["counts"], tree["means"], tree["spreads"], tree["child"]),
            (tree["sizes"], tree["members"], tree["after"]),
            tree["state"],
        )  # fmt: skip
        if start == len(X):
            return tree
        tree = {name: _doubled(name, values) for name, values in tree.items()}


def leaf_means(tree: Arrays) -> tuple[Matrix, Vector]:
    """Return the means of all clusters, and how many rows each holds."""
    found, leaf = [], 0
    # The first leaf is node 0 forever: what is split off stands after it.
    for _ in range(len(tree["sizes"])):
        found.append(tree["members"][leaf, : tree["sizes"][leaf]])
        leaf = int(tree["after"][leaf])
        if leaf < 0:
            break
    entries = np.concatenate(found)
    return tree["means"][entries], tree["counts"][entries]


def _doubled(name: str, values: NDArray[Any]) -> NDArray[Any]:
    if name == "state":
        return values
    empty = np.full_like(values, -1 if name in ("child", "after") else 0)
    return np.concatenate([values, empty])


def check_tree(tree: Arrays, features: int) -> None:
    """Raise unless all numbers of the tree name places that it has.

    A model file may have been written by anybody, and compiled loops trust them.
    """
    kinds = {name: part.dtype.kind for name, part in tree.items()}
    if kinds != {name: part.dtype.kind for name, part in begin_tree(1, 1).items()}:
        raise DataError("Birch cannot go on: the tree of this model is damaged.")
    entries, nodes = len(tree["counts"]), len(tree["sizes"])
    width = tree["members"].shape[1]
    known, made, root, depth = tree["state"].tolist()
    whole = (
        tree["means"].shape == (entries, features)
        and len(tree["spreads"]) == len(tree["child"]) == entries
        and len(tree["members"]) == len(tree["after"]) == nodes
        and _between(tree["sizes"], 0, width)
        and _between(tree["members"], 0, entries)
        and _between(tree["child"], -1, nodes)
        and _between(tree["after"], -1, nodes)
        and 0 <= known <= entries
        and bool((tree["counts"][:known] > 0).all())
        and 0 <= root < made <= nodes
        and 0 <= depth < nodes
        and _descends(tree)
    )
    if not whole:
        raise DataError("Birch cannot go on: the tree of this model is damaged.")


def _descends(tree: Arrays) -> bool:
    """Tell whether there are nodes, none of them empty, all the way to the leaves."""
    sizes, members, child = tree["sizes"], tree["members"], tree["child"]
    level = np.array([tree["state"][2]])
    for _ in range(int(tree["state"][3])):
        inside = np.arange(members.shape[1]) < sizes[level][:, None]
        below = child[members[level][inside]]
        if len(level) > len(sizes) or not inside.any(axis=1).all() or below.min() < 0:
            return False
        level = np.unique(below)
    return True


def _between(values: NDArray[Any], low: int, stop: int) -> bool:
    return bool(values.min() >= low and values.max() < stop)
