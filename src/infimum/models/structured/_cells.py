"""Structures without nodes: assignments, sets of labels, labels of an ontology."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from infimum import decoders
from infimum.data.doors import array
from infimum.errors import DataError
from infimum.objectives import StructuredProblem
from infimum.typing import Indices, Matrix, Vector

__all__ = ["AssignmentProblem", "ListedProblem", "multilabel_parts", "ontology_parts"]

#: Sets of so many labels are all tried.
MOST_LABELS = 12
CELL_AXES = 3


class AssignmentProblem(StructuredProblem):
    """Tables of cells with features; a row gets a column of its own."""

    def __init__(self, owner: str, X: Any, y: Any) -> None:
        self.cells = [np.asarray(each, dtype=np.float64) for each in X]
        if not self.cells or any(
            each.ndim != CELL_AXES or not np.isfinite(each).all() for each in self.cells
        ):
            raise DataError(
                f"{owner} needs an array of finite numbers (rows, columns, features) "
                "for each assignment."
            )
        widths = {each.shape[2] for each in self.cells}
        if len(widths) > 1:
            raise DataError(f"{owner} needs the same features in all samples.")
        self.count, self.size = len(self.cells), widths.pop()
        if y is not None:
            self.right = [np.asarray(each, dtype=np.intp) for each in y]
            if len(self.right) != self.count:
                raise DataError(f"{owner} needs columns for each assignment.")
            for place in range(self.count):
                if not self.check(self.right[place], place):
                    raise DataError(
                        f"{owner}: sample {place} needs a column of its own for each "
                        "row."
                    )

    def best(self, w: Vector, which: Indices | None = None) -> list[Any]:
        places = range(self.count) if which is None else which
        return [decoders.Assignment().decode(self.cells[k] @ w)[0] for k in places]

    def worst(self, w: Vector, which: Indices | None = None) -> list[Any]:
        found = []
        for place in range(self.count) if which is None else which:
            raised = self.cells[place] @ w + 1.0
            raised[np.arange(len(raised)), self.right[place]] -= 1.0
            found.append(decoders.Assignment().decode(raised)[0])
        return found

    def features(
        self, labellings: list[Any], shares: Vector, which: Indices | None = None
    ) -> Vector:
        total: Vector = np.zeros(self.size)
        places = range(self.count) if which is None else which
        for said, share, place in zip(labellings, shares, places, strict=True):
            cells = self.cells[place]
            total += share * cells[np.arange(len(cells)), said].sum(axis=0)
        return total

    def cost(self, labellings: list[Any], which: Indices | None = None) -> Vector:
        places = range(self.count) if which is None else which
        pairs = zip(labellings, places, strict=True)
        return np.array([float(np.sum(a != self.right[k])) for a, k in pairs])

    def reach(self, shares: Vector) -> tuple[Vector, Vector, int]:
        rows = np.array([len(cells) for cells in self.cells], dtype=np.float64)
        sizes: Vector = np.zeros(self.size)
        for share, cells in zip(shares, self.cells, strict=True):
            sizes += share * np.abs(cells).max(axis=1).sum(axis=0)
        # Matching changes prices of rows and columns, each once a row at most.
        steps = int(rows.max()) * max(sum(each.shape[:2]) for each in self.cells)
        return sizes, rows, int(rows.sum()) + self.size + steps

    def told(self, labellings: list[Any]) -> list[Any]:
        return [each.tolist() for each in labellings]

    def check(self, labelling: Any, place: int) -> bool:
        rows, columns = self.cells[place].shape[:2]
        said = np.asarray(labelling)
        fits = said.shape == (rows,) and len(np.unique(said)) == rows
        return bool(fits and said.min() >= 0 and said.max() < columns)


class ListedProblem(StructuredProblem):
    """Rows of a table whose few labellings can all be tried.

    The score of labelling k is x·W times `parts[k]`, plus a row of `extra` times its
    own weights; `costs` says what it costs to say k for l.
    """

    def __init__(
        self, owner: str, X: Any, tables: tuple[Matrix, Matrix, Matrix]
    ) -> None:
        self.X = array(X, input_name="X")
        self.parts, self.extra, self.costs = tables
        self.count, self.d = self.X.shape
        self.size = self.parts.shape[1] * self.d + self.extra.shape[1]
        self.names: list[Any] = []

    def _scores(self, w: Vector, which: Indices | None) -> Matrix:
        rows = self.X if which is None else self.X[which]
        cut = self.parts.shape[1] * self.d
        W = w[:cut].reshape(-1, self.d)
        return np.asarray(rows @ W.T @ self.parts.T + self.extra @ w[cut:])

    def best(self, w: Vector, which: Indices | None = None) -> list[Any]:
        return list(np.argmax(self._scores(w, which), axis=1))

    def worst(self, w: Vector, which: Indices | None = None) -> list[Any]:
        right = np.asarray(self.right)[slice(None) if which is None else which]
        return list(np.argmax(self._scores(w, which) + self.costs[right], axis=1))

    def worst_scaled(self, w: Vector, which: Indices | None = None) -> list[Any]:
        right = np.asarray(self.right)[slice(None) if which is None else which]
        scores = self._scores(w, which)
        gaps = 1.0 + scores - scores[np.arange(len(right)), right][:, None]
        return list(np.argmax(self.costs[right] * gaps, axis=1))

    def features(
        self, labellings: list[Any], shares: Vector, which: Indices | None = None
    ) -> Vector:
        rows = self.X if which is None else self.X[which]
        said = np.asarray(labellings, dtype=np.intp)
        marks = self.parts[said] * np.asarray(shares)[:, None]
        return np.concatenate([(marks.T @ rows).ravel(), shares @ self.extra[said]])

    def cost(self, labellings: list[Any], which: Indices | None = None) -> Vector:
        right = np.asarray(self.right)[slice(None) if which is None else which]
        return np.asarray(self.costs[right, np.asarray(labellings, dtype=np.intp)])

    def reach(self, shares: Vector) -> tuple[Vector, Vector, int]:
        parts = np.abs(self.parts).max(axis=0, initial=0.0)
        sizes = np.outer(parts, shares @ np.abs(self.X)).ravel()
        extra = shares.sum() * np.abs(self.extra).max(axis=0, initial=0.0)
        costs = self.costs.max(axis=1)[np.asarray(self.right, dtype=np.intp)]
        return np.concatenate([sizes, extra]), costs, self.count + 2 * self.size

    def told(self, labellings: list[Any]) -> list[Any]:
        return [self.names[int(label)] for label in labellings]

    def check(self, labelling: Any, place: int) -> bool:
        return bool(0 <= int(labelling) < len(self.parts))


def multilabel_parts(owner: str, n_labels: int) -> tuple[Matrix, Matrix, Matrix]:
    """Return all sets of labels, their pairs, and in how many labels sets differ."""
    if n_labels > MOST_LABELS:
        raise DataError(f"{owner} tries all sets: at most {MOST_LABELS} labels.")
    bits = (np.arange(1 << n_labels)[:, None] >> np.arange(n_labels)) & 1
    sets: Matrix = bits.astype(np.float64)
    pairs = [sets[:, a] * sets[:, b] for a, b in combinations(range(n_labels), 2)]
    extra = np.column_stack(pairs) if pairs else np.zeros((len(sets), 0))
    costs = np.abs(sets[:, None, :] - sets[None, :, :]).sum(axis=2)
    return sets, np.asarray(extra, dtype=np.float64), np.asarray(costs)


def ontology_parts(ontology: decoders.Ontology) -> tuple[Matrix, Matrix, Matrix]:
    """Return the paths of the leaves, and how far apart they are."""
    paths = np.asarray(ontology.features)
    return paths, np.zeros((len(paths), 0)), ontology.costs()
