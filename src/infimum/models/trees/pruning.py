"""Cost-complexity pruning of a tree."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

from infimum.models.trees.structure import Tree
from infimum.typing import Indices, Mask, Vector

__all__ = ["PruningPath", "ends_at_price", "prune", "pruning_path", "without_below"]


@dataclass(frozen=True)
class PruningPath:
    """The trees between the whole one and its root, each best at its price of a leaf.

    Parameters
    ----------
    ccp_alphas : ndarray
        Prices of a leaf at which the best tree changes, from 0 on.
    impurities : ndarray
        Impurity of the leaves of each of these trees.
    """

    ccp_alphas: Vector
    impurities: Vector

    def __getitem__(self, name: str) -> Vector:
        found: Vector = getattr(self, name)
        return found


def _weakest_links(tree: Tree) -> list[tuple[float, float, int]]:
    """Return (price, impurity of all leaves afterwards, node) of each cut in turn.

    The weakest branch is that whose leaves lower the impurity least, each; cutting it
    changes the branches above it only (Breiman, Friedman, Olshen, Stone 1984, ch. 3).
    """
    risk = tree.impurity * tree.weight / tree.weight[0]
    leaves, below = np.ones(tree.n_nodes), risk.copy()
    inner = np.flatnonzero(tree.feature >= 0)
    for node in inner[::-1]:
        pair = [tree.left[node], tree.right[node]]
        leaves[node], below[node] = leaves[pair].sum(), below[pair].sum()
    heap = [(_price(risk, below, leaves, int(at)), int(at)) for at in inner]
    heapq.heapify(heap)
    alive = tree.feature >= 0
    cuts = []
    while heap:
        price, node = heapq.heappop(heap)
        if not alive[node] or price != _price(risk, below, leaves, node):
            continue
        _kill(tree, alive, node)
        gone, saved = leaves[node] - 1.0, risk[node] - below[node]
        above = node
        while above >= 0:
            leaves[above] -= gone
            below[above] += saved
            if above != node:
                heapq.heappush(heap, (_price(risk, below, leaves, above), above))
            above = int(tree.parent[above])
        cuts.append((price, float(below[0]), node))
    return cuts


def _price(risk: Vector, below: Vector, leaves: Vector, node: int) -> float:
    return float(max(0.0, (risk[node] - below[node]) / (leaves[node] - 1.0)))


def _kill(tree: Tree, alive: Mask, node: int) -> None:
    stack = [node]
    while stack:
        at = stack.pop()
        if alive[at]:
            alive[at] = False
            stack += [int(tree.left[at]), int(tree.right[at])]


def pruning_path(tree: Tree) -> PruningPath:
    """Return the prices of a leaf at which ever smaller trees are the best.

    Examples
    --------
    >>> stump = Tree.of(
    ...     feature=[0, -1, -1], threshold=[1.5, 0.0, 0.0], left=[1, -1, -1],
    ...     right=[2, -1, -1], value=[[0.5], [0.0], [1.0]],
    ...     weight=[2.0, 1.0, 1.0], impurity=[0.25, 0.0, 0.0],
    ... )
    >>> pruning_path(stump).ccp_alphas
    array([0.  , 0.25])
    """
    share = tree.weight / tree.weight[0]
    whole = float((tree.impurity * share)[tree.feature < 0].sum())
    prices, impurities = [0.0], [whole]
    for step, impurity, _ in _weakest_links(tree):
        price = max(step, prices[-1])
        # Cuts at one price make one tree; the last of them is the smallest.
        if price <= prices[-1] + 1e-15:
            impurities[-1] = impurity
        else:
            prices.append(price)
            impurities.append(impurity)
    return PruningPath(np.array(prices), np.array(impurities))


def prune(tree: Tree, alpha: float) -> Tree:
    """Return the smallest subtree that is best when a leaf costs `alpha`."""
    return without_below(tree, ends_at_price(tree, alpha))


def ends_at_price(tree: Tree, alpha: float) -> Mask:
    """Return the nodes at which the best tree ends, and all its leaves."""
    leaf = tree.feature < 0
    price = 0.0
    for step, _, node in _weakest_links(tree):
        price = max(price, step)
        if price > alpha:
            break
        leaf[node] = True
    return leaf


def without_below(tree: Tree, leaf: Mask) -> Tree:
    """Return the tree that ends at the nodes marked as leaves."""
    keep = np.zeros(tree.n_nodes, dtype=np.bool_)
    keep[0] = True
    for node in range(tree.n_nodes):
        if keep[node] and not leaf[node]:
            keep[[tree.left[node], tree.right[node]]] = True
    kept = np.flatnonzero(keep)
    place = np.full(tree.n_nodes + 1, -1)
    place[kept] = np.arange(len(kept))
    ends = leaf[kept]

    def moved(children: Indices) -> Indices:
        return np.where(ends, -1, place[children[kept]])

    return Tree.grown(
        feature=np.where(ends, -1, tree.feature[kept]),
        threshold=np.where(ends, 0.0, tree.threshold[kept]),
        left=moved(tree.left),
        right=moved(tree.right),
        missing_left=tree.missing_left[kept] & ~ends,
        category_start=np.where(ends, -1, tree.category_start[kept]),
        category_words=tree.category_words,
        value=tree.value[kept],
        weight=tree.weight[kept],
        rows=tree.rows[kept],
        impurity=tree.impurity[kept],
        gain=np.where(ends, 0.0, tree.gain[kept]),
    )
