"""Graphs: labels of nodes, scored alone and along edges; bounds where cycles are."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from infimum.decoders._determinant import determinant_bound
from infimum.decoders._spanning import forests
from infimum.decoders.tree import Tree
from infimum.errors import DataError
from infimum.parameters import Choice, check_domain
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Graph", "Relaxed"]

_WAYS = Choice(("program", "trees"))
_BOUNDS = Choice(("trees", "determinant"))
#: Steps of the subgradient method on the prices between trees, and of reweighted
#: messages.
STEPS, MESSAGES, STILL = 300, 2000, 1e-10


class Relaxed(NamedTuple):
    """The best point of a relaxation: an upper bound on every labelling's score."""

    #: The best labelling found, and its score.
    labels: Indices
    score: float
    #: No labelling scores more than this.
    bound: float
    #: Shares of labels by node, and of pairs by edge.
    nodes: Matrix
    pairs: Matrix


class Graph:
    r"""Labellings y of the nodes of a graph, cycles allowed.

    .. math:: s(y) = \sum_i u_{i, y_i} + \sum_{(i, j)} A_{y_i, y_j}

    The best labelling of a graph with cycles is hard to find. `decode` solves the
    linear program over locally consistent shares of labels ("program") or lowers the
    sum of bounds of trees that share nodes ("trees"): both give an upper bound, and on
    a graph without cycles the best labelling itself. `log_partition` is an upper bound
    by tree-reweighted messages or by the log-determinant of a Gaussian.

    Parameters
    ----------
    edges : iterable of pairs of nodes
    n_nodes : int, optional

    Examples
    --------
    >>> import numpy as np
    >>> square = Graph([(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> scores = np.array([[1.0, 0.0], [0.0, 0.1], [0.0, 0.1], [0.0, 0.1]])
    >>> found = square.decode(scores, np.eye(2))
    >>> found.labels.tolist(), found.score, round(found.bound, 6)
    ([0, 0, 0, 0], 5.0, 5.0)
    """

    def __init__(
        self, edges: Iterable[tuple[int, int]], n_nodes: int | None = None
    ) -> None:
        self.edges = read_edges("Graph", edges)
        most = int(self.edges.max(initial=-1)) + 1
        self.n_nodes = most if n_nodes is None else int(n_nodes)
        if most > self.n_nodes or self.n_nodes < 1:
            raise DataError(f"Graph has an edge beyond its {self.n_nodes} nodes.")

    @cached_property
    def trees(self) -> tuple[list[Indices], Vector]:
        """Forests that cover all edges, and the share of them that has each edge."""
        return forests(self.n_nodes, self.edges)

    def score(self, scores: Matrix, pairwise: Matrix, labels: Indices) -> float:
        """Return the score of a labelling."""
        i, j = self.edges.T
        alone = scores[np.arange(self.n_nodes), labels].sum()
        return float(alone + pairwise[labels[i], labels[j]].sum())

    def decode(
        self, scores: Matrix, pairwise: Matrix, method: str = "program"
    ) -> Relaxed:
        """Return a good labelling and a bound on the best."""
        check_domain("Graph.decode: method", method, _WAYS)
        u, A = _read(self, scores, pairwise)
        if method == "trees":
            return self._by_trees(u, A)
        nodes, pairs, bound = self._program(u, A)
        labels = np.argmax(nodes, axis=1)
        labels = self._improved(u, A, labels)
        return Relaxed(labels, self.score(u, A, labels), bound, nodes, pairs)

    def log_partition(
        self, scores: Matrix, pairwise: Matrix, method: str = "trees"
    ) -> tuple[float, Matrix]:
        """Return an upper bound of log Σ exp(score), and its derivative in the scores.

        "trees" reweights messages; "determinant", for two labels, bounds the entropy of
        labels by that of a normal law with the same covariance.
        """
        check_domain("Graph.log_partition: method", method, _BOUNDS)
        u, A = _read(self, scores, pairwise)
        if method == "determinant":
            return determinant_bound(u, A, self.edges)
        return self._reweighted(u, A)

    def _program(self, u: Matrix, A: Matrix) -> tuple[Matrix, Matrix, float]:
        """Solve the linear program over locally consistent shares."""
        (n, k), e = u.shape, len(self.edges)
        gains = np.concatenate([u.ravel(), np.tile(A.ravel(), e)])
        rows: list[int] = []
        columns: list[int] = []
        values: list[float] = []
        right: list[float] = []
        for i in range(n):  # each node has one label
            rows += [i] * k
            columns += range(i * k, (i + 1) * k)
            values += [1.0] * k
            right.append(1.0)
        row = n
        for place, ends in enumerate(self.edges):  # pairs agree with both ends
            base = n * k + place * k * k
            for side, node in enumerate(ends):
                for label in range(k):
                    inner = np.arange(k)
                    cells = inner + label * k if side == 0 else inner * k + label
                    rows += [row] * (k + 1)
                    columns += [*(base + cells), node * k + label]
                    values += [1.0] * k + [-1.0]
                    right.append(0.0)
                    row += 1
        E: Any = sparse.csr_array((values, (rows, columns)), shape=(row, len(gains)))
        found: Any = linprog(-gains, A_eq=E, b_eq=right, bounds=(0, 1), method="highs")
        nodes = found.x[: n * k].reshape(n, k)
        return nodes, found.x[n * k :].reshape(e, k, k), -float(found.fun)

    def _improved(self, u: Matrix, A: Matrix, labels: Indices) -> Indices:
        """Change single labels while that raises the score."""
        labels = labels.copy()
        for _ in range(10 * self.n_nodes):
            gains = u.copy()
            i, j = self.edges.T
            np.add.at(gains, i, A[:, labels[j]].T)
            np.add.at(gains, j, A[labels[i]])
            rise = gains.max(axis=1) - gains[np.arange(len(u)), labels]
            node = int(rise.argmax())
            if rise[node] <= 1e-12:
                break
            labels[node] = int(gains[node].argmax())
        return labels

    def _by_trees(self, u: Matrix, A: Matrix) -> Relaxed:
        """Lower the sum of the bounds of trees by moving prices between them."""
        covers, shares = self.trees
        parts = [Tree(self.edges[cover], self.n_nodes) for cover in covers]
        prices = np.stack([u / len(parts)] * len(parts))
        # An edge in several trees gives each of them an equal part of its score.
        scales = [1.0 / (shares[cover] * len(parts)) for cover in covers]
        best = np.inf
        kept: Indices = np.zeros(len(u), dtype=np.intp)
        top, counts = -np.inf, np.zeros_like(u)
        for step in range(1, STEPS + 1):
            said = [
                part.decode(price, A, scale)
                for part, price, scale in zip(parts, prices, scales, strict=True)
            ]
            best = min(best, sum(value for _, value in said))
            marks = np.stack([np.eye(u.shape[1])[labels] for labels, _ in said])
            counts += marks.mean(axis=0)
            labels = self._improved(u, A, np.argmax(marks.sum(axis=0), axis=1))
            if (value := self.score(u, A, labels)) > top:
                top, kept = value, labels
            if best - top <= STILL * max(1.0, abs(best)):
                break
            pull = marks - marks.mean(axis=0)
            size = float((pull**2).sum())
            if size == 0.0:
                break
            prices -= (best - top) / (size * np.sqrt(step)) * pull
        nodes = counts / counts.sum(axis=1, keepdims=True)
        pairs = np.stack([np.outer(nodes[a], nodes[b]) for a, b in self.edges])
        return Relaxed(kept, top, max(best, top), nodes, pairs)

    def _reweighted(self, u: Matrix, A: Matrix) -> tuple[float, Matrix]:
        """Bound log Z by trees that share the scores, each in its own way.

        With the edges' shares ρ, log Z ≤ Σ_T p_T log Z(θ_T) for any θ_T of mean θ; the
        best θ_T have the same marginals on all trees. Damped messages find them; the
        bound holds wherever they stop, since it is evaluated as such a mean.
        """
        covers, shares = self.trees
        parts = [Tree(self.edges[cover], self.n_nodes) for cover in covers]
        scales = [1.0 / shares[cover] for cover in covers]
        moved = np.zeros((len(parts), *u.shape))
        best, kept = np.inf, u
        step = 1.0
        value, found = self._mean_of_trees(parts, scales, u + moved, A)
        for _ in range(MESSAGES):
            if value < best:
                best, kept = value, found.mean(axis=0)
            pull = found - found.mean(axis=0)
            size = float((pull**2).sum())
            if size <= STILL * STILL * u.size or step < STILL:
                break
            trial = moved - step * pull
            ahead, fresh = self._mean_of_trees(parts, scales, u + trial, A)
            if ahead <= value - 1e-4 * step * size / len(parts):
                moved, value, found, step = trial, ahead, fresh, 1.5 * step
            else:
                step *= 0.5
        return best, kept

    def _mean_of_trees(
        self, parts: list[Tree], scales: list[Vector], scores: Matrix, A: Matrix
    ) -> tuple[float, Matrix]:
        total, marginals = 0.0, []
        for part, scale, own in zip(parts, scales, scores, strict=True):
            found = part.marginals(own, A, scale)
            total += found.log_partition / len(parts)
            marginals.append(found.nodes)
        return total, np.stack(marginals)


def read_edges(owner: str, edges: Any) -> Indices:
    """Return edges as a table of two columns, or say what is wrong with them."""
    table = np.array(list(edges), dtype=np.intp).reshape(-1, 2)
    if len(table) and (table.min() < 0 or (table[:, 0] == table[:, 1]).any()):
        raise DataError(f"{owner} needs edges between two different nodes.")
    if len(np.unique(np.sort(table, axis=1), axis=0)) < len(table):
        raise DataError(f"{owner} needs different edges.")
    return table


def _read(graph: Graph, scores: Any, pairwise: Any) -> tuple[Matrix, Matrix]:
    u, A = np.array(scores, dtype=np.float64), np.array(pairwise, dtype=np.float64)
    if u.ndim != 2 or len(u) != graph.n_nodes or A.shape != (u.shape[1],) * 2:  # noqa: PLR2004
        raise DataError(
            f"Graph needs scores of shape ({graph.n_nodes}, n_labels) and a square "
            f"table of pairs, got {u.shape} and {A.shape}."
        )
    if not np.isfinite(u).all() or not np.isfinite(A).all():
        raise DataError("Graph needs finite scores.")
    return u, A
