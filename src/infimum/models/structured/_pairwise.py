"""Nodes and edges: labels of nodes by their features, and of pairs along edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum import decoders
from infimum.data.doors import Sequences, chain_labels_of, sequences
from infimum.errors import DataError
from infimum.losses import StructuredHinge
from infimum.models.structured._chain_steps import ChainSteps
from infimum.objectives import DualSteps, StructuredProblem
from infimum.typing import Indices, Matrix, Vector

__all__ = ["ChainProblem", "NodeProblem", "TreeProblem"]

#: Shares of a linear program are feasible up to this.
NEARLY = 1e-7
#: Steps of a chain up to which products of all its rows are held.
LONGEST = 1_000


class NodeProblem(StructuredProblem):
    """Samples of nodes with features; weights W for labels, A for pairs of labels.

    The weights are W by row, then A by row. `edges` holds the edges of every sample.
    """

    def __init__(
        self, owner: str, X: Any, y: Any, classes: list[Any], edges: list[Any]
    ) -> None:
        given: Sequences = sequences(owner, [np.asarray(each) for each in X])
        if np.isnan(given.X).any():
            raise DataError(f"{owner} needs features without NaN.")
        self.X, self.lengths = given.X, given.lengths
        self.bounds = np.concatenate([[0], np.cumsum(self.lengths)])
        self.count, self.classes, self.edges = len(self.lengths), classes, edges
        self.d = self.X.shape[1]
        if y is not None:
            flat = chain_labels_of(owner, y, self.lengths)
            if not classes:
                classes.extend(sorted(set(flat), key=lambda one: (str(type(one)), one)))
            numbers = {label: k for k, label in enumerate(classes)}
            unknown = [label for label in flat if label not in numbers]
            if unknown:
                raise DataError(f"{owner} does not know the label {unknown[0]!r}.")
            codes = np.array([numbers[label] for label in flat], dtype=np.intp)
            self.right = np.split(codes, self.bounds[1:-1])
        k = len(classes)
        self.size = k * self.d + k * k

    def unpack(self, w: Vector) -> tuple[Matrix, Matrix]:
        """Return W and A."""
        k = len(self.classes)
        if len(w) != self.size:
            raise DataError(
                f"Weights of {k} labels and {self.d} features are {self.size}, these "
                f"are {len(w)}."
            )
        return w[: k * self.d].reshape(k, self.d), w[k * self.d :].reshape(k, k)

    def _rows(self, which: Indices | None) -> tuple[Matrix, Indices]:
        if which is None:
            return self.X, np.arange(self.count)
        parts = [self.X[self.bounds[k] : self.bounds[k + 1]] for k in which]
        return np.concatenate(parts), which

    def _raised(self, scores: list[Matrix], which: Indices) -> list[Matrix]:
        """Return scores plus 1 for every wrong label."""
        out = []
        for table, k in zip(scores, which, strict=True):
            raised = table + 1.0
            raised[np.arange(len(raised)), self.right[k]] -= 1.0
            out.append(raised)
        return out

    def _scores(self, W: Matrix, which: Indices | None) -> tuple[list[Matrix], Indices]:
        rows, places = self._rows(which)
        cuts = np.cumsum(self.lengths[places])[:-1]
        return np.split(rows @ W.T, cuts), places

    def best(self, w: Vector, which: Indices | None = None) -> list[Any]:
        W, A = self.unpack(w)
        scores, places = self._scores(W, which)
        return self._decode(scores, A, places)

    def worst(self, w: Vector, which: Indices | None = None) -> list[Any]:
        W, A = self.unpack(w)
        scores, places = self._scores(W, which)
        return self._decode(self._raised(scores, places), A, places)

    def _decode(self, scores: list[Matrix], A: Matrix, which: Indices) -> list[Any]:
        raise NotImplementedError

    def features(
        self, labellings: list[Any], shares: Vector, which: Indices | None = None
    ) -> Vector:
        rows, places = self._rows(which)
        k = len(self.classes)
        marks, pairs = np.zeros((len(rows), k)), np.zeros((k, k))
        start = 0
        for labelling, share, place in zip(labellings, shares, places, strict=True):
            stop = start + int(self.lengths[place])
            self._mark(labelling, share, self.edges[place], marks[start:stop], pairs)
            start = stop
        return np.concatenate([(marks.T @ rows).ravel(), pairs.ravel()])

    def _mark(
        self, labels: Any, share: float, edges: Indices, marks: Matrix, pairs: Matrix
    ) -> None:
        marks[np.arange(len(labels)), labels] = share
        i, j = edges.T
        np.add.at(pairs, (labels[i], labels[j]), share)

    def cost(self, labellings: list[Any], which: Indices | None = None) -> Vector:
        places = np.arange(self.count) if which is None else which
        wrong = [
            np.sum(said != self.right[place])
            for said, place in zip(labellings, places, strict=True)
        ]
        return np.array(wrong, dtype=np.float64)

    def reach(self, shares: Vector) -> tuple[Vector, Vector, int]:
        k, edges = len(self.classes), np.array([len(each) for each in self.edges])
        nodes = np.repeat(shares, self.lengths) @ np.abs(self.X)
        sizes = np.append(np.tile(nodes, k), np.full(k * k, float(shares @ edges)))
        terms = len(self.X) + int(edges.sum()) + self.size
        return sizes, self.lengths.astype(np.float64), terms

    def told(self, labellings: list[Any]) -> list[Any]:
        return [[self.classes[label] for label in each] for each in labellings]

    def check(self, labelling: Any, place: int) -> bool:
        labels = np.asarray(labelling)
        fits = labels.shape == (self.lengths[place],) and labels.dtype.kind in "iu"
        return bool(fits and labels.min() >= 0 and labels.max() < len(self.classes))


class ChainProblem(NodeProblem):
    """Nodes in a row: all samples are decoded in one call."""

    def __init__(self, owner: str, X: Any, y: Any, classes: list[Any]) -> None:
        super().__init__(owner, X, y, classes, [])
        self.edges = [
            np.column_stack([np.arange(n - 1), np.arange(1, n)]) for n in self.lengths
        ]

    def _decode(self, scores: list[Matrix], A: Matrix, which: Indices) -> list[Any]:
        lengths = self.lengths[which]
        labels = decoders.Chain(A).decode(np.concatenate(scores), lengths)[0]
        return np.split(labels, np.cumsum(lengths)[:-1])

    def features(
        self, labellings: list[Any], shares: Vector, which: Indices | None = None
    ) -> Vector:
        rows, places = self._rows(which)
        lengths, k = self.lengths[places], len(self.classes)
        labels, each = np.concatenate(labellings), np.repeat(shares, lengths)
        marks, pairs = np.zeros((len(rows), k)), np.zeros(k * k)
        marks[np.arange(len(rows)), labels] = each
        inner = np.ones(len(rows), dtype=bool)
        inner[np.cumsum(lengths) - lengths] = False
        here = np.flatnonzero(inner)
        codes = labels[here - 1] * k + labels[here]
        pairs += np.bincount(codes, each[here], minlength=k * k)
        return np.concatenate([(marks.T @ rows).ravel(), pairs])

    def dual_steps(self, shares: Vector, strength: float) -> DualSteps | None:
        if self.lengths.max() > LONGEST:
            return None
        return ChainSteps(self, shares, strength)

    def worst_scaled(self, w: Vector, which: Indices | None = None) -> list[Any]:
        W, A = self.unpack(w)
        scores, places = self._scores(W, which)
        loss = StructuredHinge(decoders.Chain(A), "slack")
        return [
            loss.most_violated(self.right[place], table)[0]
            for table, place in zip(scores, places, strict=True)
        ]


class TreeProblem(NodeProblem):
    """Nodes of trees, or of graphs with cycles, decoded sample by sample.

    On a graph a labelling is a point of the linear program: shares of labels by node
    and of pairs by edge. Its value is above that of any labelling.
    """

    def __init__(
        self, owner: str, X: Any, y: Any, classes: list[Any], edges: Any, kind: Any
    ) -> None:
        super().__init__(owner, X, y, classes, edges)
        if len(edges) != self.count:
            raise DataError(f"{owner} needs edges for each sample.")
        self.parts = [
            kind(own, int(n)) for own, n in zip(edges, self.lengths, strict=True)
        ]
        self.edges = [part.edges for part in self.parts]
        self.exact = kind is decoders.Tree

    def _decode(self, scores: list[Matrix], A: Matrix, which: Indices) -> list[Any]:
        found = []
        for table, place in zip(scores, which, strict=True):
            if self.exact:
                found.append(self.parts[place].decode(table, A)[0])
            else:
                relaxed = self.parts[place].decode(table, A)
                found.append((relaxed.nodes, relaxed.pairs))
        return found

    def best(self, w: Vector, which: Indices | None = None) -> list[Any]:
        W, A = self.unpack(w)
        scores, places = self._scores(W, which)
        if self.exact:
            return self._decode(scores, A, places)
        return [
            self.parts[place].decode(table, A).labels
            for table, place in zip(scores, places, strict=True)
        ]

    def _mark(
        self, labels: Any, share: float, edges: Indices, marks: Matrix, pairs: Matrix
    ) -> None:
        if isinstance(labels, tuple):
            marks[:] = share * labels[0]
            pairs += share * labels[1].sum(axis=0)
        else:
            super()._mark(labels, share, edges, marks, pairs)

    def cost(self, labellings: list[Any], which: Indices | None = None) -> Vector:
        if self.exact:
            return super().cost(labellings, which)
        places = np.arange(self.count) if which is None else which
        wrong = []
        for said, place in zip(labellings, places, strict=True):
            right = self.right[place]
            kept = said[0][np.arange(len(right)), right] if isinstance(
                said, tuple) else said == right  # fmt: skip
            wrong.append(len(right) - float(np.sum(kept)))
        return np.array(wrong)

    def check(self, labelling: Any, place: int) -> bool:
        if not isinstance(labelling, tuple):
            return super().check(labelling, place)
        nodes, pairs = (np.asarray(each, dtype=np.float64) for each in labelling)
        k, edges = len(self.classes), self.edges[place]
        if nodes.shape != (self.lengths[place], k):
            return False
        least = min(nodes.min(), pairs.min(initial=0.0))
        if pairs.shape != (len(edges), k, k) or least < -NEARLY:
            return False
        apart = [np.abs(nodes.sum(axis=1) - 1.0).max()]
        if len(edges):
            apart.append(np.abs(pairs.sum(axis=2) - nodes[edges[:, 0]]).max())
            apart.append(np.abs(pairs.sum(axis=1) - nodes[edges[:, 1]]).max())
        return bool(max(apart) < 10 * NEARLY)
