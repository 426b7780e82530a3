"""Explanation by mechanism: the neighbours that voted, the questions a tree asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from infimum.errors import IncompatibleError
from infimum.evaluation import PlainRecord
from infimum.typing import Indices, Matrix

__all__ = ["NeighborVotes", "Question", "neighbor_votes", "tree_questions"]


@dataclass(frozen=True)
class NeighborVotes(PlainRecord):
    """The training rows that decided about each row, nearest first, and their votes."""

    rows: Indices
    distances: Matrix
    labels: NDArray[Any]


def neighbor_votes(model: Any, X: Any, y: ArrayLike) -> NeighborVotes:
    """Return the neighbours whose labels make a nearest-neighbour prediction.

    Parameters
    ----------
    model : fitted estimator with `kneighbors`
    X : rows to explain
    y : array-like
        The labels, or targets, of the rows the model was fitted on.

    Examples
    --------
    >>> from infimum.explanation import neighbor_votes
    >>> from infimum.models.neighbors import KNeighborsClassifier
    >>> X, y = [[0.0], [1.0], [9.0], [2.0]], ["a", "a", "b", "b"]
    >>> votes = neighbor_votes(KNeighborsClassifier(3).fit(X, y), [[0.2]], y)
    >>> votes.rows.tolist(), votes.labels.tolist()
    ([[0, 1, 3]], [['a', 'a', 'b']])
    """
    if not hasattr(model, "kneighbors"):
        raise IncompatibleError(
            f"{type(model).__name__} has no kneighbors: its neighbours do not vote."
        )
    distances, rows = model.kneighbors(X)
    return NeighborVotes(rows, distances, np.asarray(y)[rows])


@dataclass(frozen=True)
class Question(PlainRecord, told=("sentence",)):
    """A question that a tree asked about a row, and the answer it got.

    `relation` is "<=", ">", "is missing", "in" or "not in"; the last two are about the
    categories that go left.
    """

    column: str
    relation: str
    threshold: float | None
    value: float

    @property
    def sentence(self) -> str:
        """The answer in words."""
        if self.relation == "is missing":
            return f"{self.column} is missing"
        if self.threshold is None:
            share = "one" if self.relation == "in" else "none"
            return f"{self.column} = {self.value:g} is {share} of those that go left"
        return f"{self.column} = {self.value:g} {self.relation} {self.threshold:g}"


def tree_questions(
    model: Any, x: ArrayLike, names: Sequence[str] | None = None
) -> tuple[Question, ...]:
    """Return the questions on the way of a row through a decision tree, in order.

    Parameters
    ----------
    model : Tree, or a fitted decision tree with `tree_`
    x : array-like of shape (d,)
        One row of numbers.
    names : sequence of str, optional
        Names of the features; ``x0``, ``x1``, ... if not given.

    Examples
    --------
    >>> from infimum.explanation import tree_questions
    >>> from infimum.models.trees import DecisionStump
    >>> stump = DecisionStump().fit([[20.0], [30.0], [60.0], [70.0]], [0, 0, 1, 1])
    >>> [question.sentence for question in tree_questions(stump, [65.0], ["age"])]
    ['age = 65 > 45']
    """
    tree = getattr(model, "tree_", model)
    if not hasattr(tree, "decision_path") or not hasattr(tree, "missing_left"):
        raise IncompatibleError(
            f"{type(model).__name__} is no decision tree: it asks no questions."
        )
    row = np.asarray(x, dtype=np.float64)
    nodes = np.sort(tree.decision_path(row[None]).indices)
    made = []
    for node, child in pairwise(nodes.tolist()):
        feature = int(tree.feature[node])
        name = f"x{feature}" if names is None else str(names[feature])
        left = child == int(tree.left[node])
        made.append(_question(tree, node, name, float(row[feature]), left=left))
    return tuple(made)


def _question(tree: Any, node: int, name: str, value: float, *, left: bool) -> Question:
    if np.isnan(value):
        return Question(name, "is missing", None, value)
    if tree.category_start[node] >= 0:
        return Question(name, "in" if left else "not in", None, value)
    relation = "<=" if left else ">"
    return Question(name, relation, float(tree.threshold[node]), value)
