"""Ontologies: labels in a tree or acyclic graph, each told by its paths."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Ontology"]


class Ontology:
    """Labels with parents, up to one root.

    The features φ(y) of a label mark the nodes of its path from the root, which is left
    out; of several paths they are the mean. The score of a label is what the nodes of
    its path score together, so that labels share what their paths share.

    Parameters
    ----------
    edges : iterable of pairs
        Parent and child. One node, the root, has no parent.

    Attributes
    ----------
    nodes : list
        All nodes but the root, in the order in which the edges name them.
    leaves : list
        Nodes without children: the labels.
    features : ndarray of shape (n_leaves, n_nodes)

    Examples
    --------
    >>> tree = Ontology([("all", "cat"), ("all", "dog"), ("dog", "poodle")])
    >>> tree.leaves, tree.features.tolist()
    (['cat', 'poodle'], [[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]])
    """

    def __init__(self, edges: Iterable[tuple[Hashable, Hashable]]) -> None:
        parents: dict[Any, list[Any]] = {}
        for parent, child in edges:
            parents.setdefault(parent, [])
            if parent not in parents.setdefault(child, []):
                parents[child].append(parent)
        try:
            order = list(TopologicalSorter(parents).static_order())
        except CycleError as error:
            raise DataError(f"Ontology has a cycle: {error.args[1]}.") from None
        roots = [node for node in parents if not parents[node]]
        if len(roots) != 1:
            raise DataError(f"Ontology needs one root, found {roots[:5]}.")
        self.root = roots[0]
        self.nodes = [node for node in parents if node != self.root]
        inner = {parent for above in parents.values() for parent in above}
        self.leaves = [node for node in self.nodes if node not in inner]
        self._parents, self._order = parents, order
        self.features = np.array([self.path(leaf) for leaf in self.leaves])

    def path(self, node: Hashable) -> Vector:
        """Return φ of any node: how often it is on a path from the root, on average."""
        if node not in self._parents:
            raise DataError(f"Ontology has no label {node!r}.")
        counts = {self.root: 1.0}
        for each in self._order:
            if each != self.root:
                counts[each] = sum(counts[p] for p in self._parents[each])
        below = dict.fromkeys(self._order, 0.0)
        below[node] = 1.0  # paths from each node down to this one
        for each in reversed(self._order):
            for parent in self._parents[each]:
                below[parent] += below[each]
        ways = [counts[each] * below[each] / counts[node] for each in self.nodes]
        return np.array(ways)

    def costs(self) -> Matrix:
        """Return Δ of leaves: half of what their features differ by, summed."""
        gaps = np.abs(self.features[:, None, :] - self.features[None, :, :])
        return np.asarray(0.5 * gaps.sum(axis=2))

    def scores(self, f: Matrix) -> Matrix:
        """Return the score of every leaf from those of the nodes, for each sample."""
        scores = np.asarray(f, dtype=np.float64)
        if scores.ndim != 2 or scores.shape[1] != len(self.nodes):  # noqa: PLR2004
            raise DataError(
                f"Ontology needs a score for each of {len(self.nodes)} nodes, got "
                f"shape {scores.shape}."
            )
        return np.asarray(scores @ self.features.T)

    def codes(self, y: Iterable[Hashable]) -> Indices:
        """Return the places of labels among the leaves."""
        places = {leaf: place for place, leaf in enumerate(self.leaves)}
        try:
            return np.array([places[label] for label in y], dtype=np.intp)
        except KeyError as error:
            raise DataError(f"Ontology has no leaf {error.args[0]!r}.") from None

    def decode(self, f: Matrix) -> list[Any]:
        """Return the leaf with the highest score, for each sample."""
        return [self.leaves[place] for place in np.argmax(self.scores(f), axis=1)]
