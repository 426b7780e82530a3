"""Trees: labels of nodes without cycles, decoded from the leaves to the root."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import logsumexp

from infimum.errors import DataError
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Tree", "TreeMarginals"]


class TreeMarginals(NamedTuple):
    """What the law exp(score)/Z says of single nodes and of pairs along edges."""

    nodes: Matrix
    pairs: Matrix
    log_partition: float


class Tree:
    r"""Labellings y of the nodes of a tree, or of several.

    .. math:: s(y) = \sum_i u_{i, y_i} + \sum_{(i, j)} c_{ij} A_{y_i, y_j}

    Edges have a direction, from the label of a row of A to that of a column, and
    factors c, 1 by default. The verbs are those of a `Chain`: all are exact.

    Parameters
    ----------
    edges : iterable of pairs of nodes
    n_nodes : int, optional

    Examples
    --------
    >>> import numpy as np
    >>> star = Tree([(0, 1), (0, 2)])
    >>> star.decode(np.array([[0.0, 1.25], [1.5, 0.0], [0.0, 0.0]]), np.eye(2))
    (array([1, 0, 1]), 3.75)
    """

    def __init__(
        self, edges: Iterable[tuple[int, int]], n_nodes: int | None = None
    ) -> None:
        self.edges = np.array(list(edges), dtype=np.intp).reshape(-1, 2)
        most = int(self.edges.max(initial=-1)) + 1
        self.n_nodes = most if n_nodes is None else int(n_nodes)
        if most > self.n_nodes or self.edges.min(initial=0) < 0:
            raise DataError(f"Tree has an edge beyond its {self.n_nodes} nodes.")
        self._order = self._from_roots()

    def _from_roots(self) -> list[tuple[int, int, int]]:
        """Return (parent, child, edge) with every parent before its children."""
        beside: list[list[tuple[int, int]]] = [[] for _ in range(self.n_nodes)]
        for place, (a, b) in enumerate(self.edges.tolist()):
            beside[a].append((b, place))
            beside[b].append((a, place))
        seen, order = np.zeros(self.n_nodes, dtype=bool), []
        for root in range(self.n_nodes):
            if seen[root]:
                continue
            seen[root] = True
            stack = [(root, -1)]
            while stack:
                node, above = stack.pop()
                for other, place in beside[node]:
                    if place == above:
                        continue
                    if seen[other]:
                        raise DataError("Tree has a cycle: use Graph.")
                    seen[other] = True
                    order.append((node, other, place))
                    stack.append((other, place))
        return order

    def score(self, scores: Matrix, pairwise: Matrix, labels: Indices) -> float:
        """Return the score of a labelling."""
        i, j = self.edges.T
        alone = scores[np.arange(self.n_nodes), labels].sum()
        return float(alone + pairwise[labels[i], labels[j]].sum())

    def decode(
        self, scores: Matrix, pairwise: Matrix, factors: Any = None
    ) -> tuple[Indices, float]:
        """Return the best labelling and its score."""
        value, tables = self._read(scores, pairwise, factors)
        origins: dict[int, Indices] = {}
        for parent, child, place in reversed(self._order):
            reach = tables(place, parent) + value[child]
            origins[child] = np.argmax(reach, axis=1)
            value[parent] += reach.max(axis=1)
        labels = np.zeros(self.n_nodes, dtype=np.intp)
        children = {child for _, child, _ in self._order}
        total = 0.0
        for node in range(self.n_nodes):
            if node not in children:
                labels[node] = int(np.argmax(value[node]))
                total += float(value[node].max())
        for parent, child, _ in self._order:
            labels[child] = origins[child][labels[parent]]
        return labels, total

    def log_partition(
        self, scores: Matrix, pairwise: Matrix, factors: Any = None
    ) -> float:
        """Return log Σ exp(score) over all labellings."""
        return self.marginals(scores, pairwise, factors).log_partition

    def marginals(
        self, scores: Matrix, pairwise: Matrix, factors: Any = None
    ) -> TreeMarginals:
        """Return probabilities of labels and of pairs: derivatives of log Z."""
        value, tables = self._read(scores, pairwise, factors)
        sent = np.zeros_like(value)
        for parent, child, place in reversed(self._order):
            sent[child] = logsumexp(tables(place, parent) + value[child], axis=1)
            value[parent] += sent[child]
        children = {child for _, child, _ in self._order}
        roots = [node for node in range(self.n_nodes) if node not in children]
        total = float(sum(logsumexp(value[root]) for root in roots))
        k = value.shape[1]
        pairs: Matrix = np.zeros((len(self.edges), k, k))
        belief = value.copy()
        for parent, child, place in self._order:
            # What the parent knows from elsewhere, this child's message taken back.
            above = (belief[parent] - sent[child])[:, None] + tables(place, parent)
            joint = above + value[child]
            joint = np.exp(joint - logsumexp(joint))
            pairs[place] = joint if self.edges[place, 0] == parent else joint.T
            belief[child] = value[child] + logsumexp(above, axis=0)
        nodes = np.exp(belief - logsumexp(belief, axis=1, keepdims=True))
        return TreeMarginals(np.asarray(nodes), pairs, total)

    def _read(self, scores: Any, pairwise: Any, factors: Any) -> tuple[Matrix, Any]:
        u, A = np.array(scores, dtype=np.float64), np.asarray(pairwise, np.float64)
        if u.ndim != 2 or len(u) != self.n_nodes or A.shape != (u.shape[1],) * 2:  # noqa: PLR2004
            raise DataError(
                f"Tree needs scores of shape ({self.n_nodes}, n_labels) and a square "
                f"table of pairs, got {u.shape} and {A.shape}."
            )
        if not all(each.max(initial=-np.inf) < np.inf for each in (u, A)):
            raise DataError("Tree needs scores below infinity, without NaN.")
        c: Vector = np.ones(len(self.edges)) if factors is None else np.asarray(factors)

        def table(place: int, parent: int) -> Matrix:
            own = A if self.edges[place, 0] == parent else A.T
            return np.asarray(c[place] * own)

        return u, table
