"""Structures that a model can learn to label, as the user names them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum import decoders
from infimum.data.doors import array
from infimum.errors import DataError
from infimum.models.structured._cells import (
    AssignmentProblem,
    ListedProblem,
    multilabel_parts,
    ontology_parts,
)
from infimum.models.structured._pairwise import ChainProblem, TreeProblem
from infimum.objectives import StructuredProblem

__all__ = [
    "Assignment",
    "Chain",
    "Graph",
    "Grid",
    "Multilabel",
    "Ontology",
    "Structure",
    "Tree",
]


class Structure(ABC):
    """What the labels of one sample have to do with each other."""

    @abstractmethod
    def problem(
        self, owner: str, X: Any, y: Any, classes: list[Any]
    ) -> StructuredProblem:
        """Admit samples; `classes` is filled if it is empty."""


@dataclass(frozen=True)
class Chain(Structure):
    """Nodes in a row: a sample is a table, its labels a list. Decoded exactly."""

    def problem(
        self, owner: str, X: Any, y: Any, classes: list[Any]
    ) -> StructuredProblem:
        return ChainProblem(owner, X, y, classes)


@dataclass(frozen=True)
class Tree(Structure):
    """Nodes of trees: a sample is a pair (table, edges). Decoded exactly."""

    def problem(
        self, owner: str, X: Any, y: Any, classes: list[Any]
    ) -> StructuredProblem:
        tables, edges = _with_edges(owner, X)
        return TreeProblem(owner, tables, y, classes, edges, decoders.Tree)


@dataclass(frozen=True)
class Graph(Structure):
    """Nodes of any graph: a sample is a pair (table, edges). Decoded by relaxation.

    Losses and proofs are those of the linear program over locally consistent shares of
    labels, which is above the loss over labellings.
    """

    def problem(
        self, owner: str, X: Any, y: Any, classes: list[Any]
    ) -> StructuredProblem:
        tables, edges = _with_edges(owner, X)
        return TreeProblem(owner, tables, y, classes, edges, decoders.Graph)


@dataclass(frozen=True)
class Grid(Structure):
    """Cells of a grid: a sample is an array (height, width, features).

    Decoded by relaxation, as a `Graph`; labels are an array (height, width).
    """

    def problem(
        self, owner: str, X: Any, y: Any, classes: list[Any]
    ) -> StructuredProblem:
        arrays = [np.asarray(each) for each in X]
        if any(each.ndim != 3 for each in arrays):  # noqa: PLR2004
            raise DataError(f"{owner} needs arrays (height, width, features).")
        edges = [decoders.Grid(*each.shape[:2]).edges for each in arrays]
        tables = [each.reshape(-1, each.shape[2]) for each in arrays]
        flat = None if y is None else [np.ravel(each).tolist() for each in y]
        return TreeProblem(owner, tables, flat, classes, edges, decoders.Graph)


@dataclass(frozen=True)
class Assignment(Structure):
    """Rows and columns: a sample is an array (rows, columns, features).

    The labels are the columns of the rows, none of them twice.
    """

    def problem(
        self, owner: str, X: Any, y: Any, classes: list[Any]
    ) -> StructuredProblem:
        return AssignmentProblem(owner, X, y)


@dataclass(frozen=True)
class Multilabel(Structure):
    """Sets of labels, scored alone and in pairs: X is a table, y one of truths.

    All sets are tried: for up to twelve labels.
    """

    def problem(
        self, owner: str, X: Any, y: Any, classes: list[Any]
    ) -> StructuredProblem:
        if y is not None:
            truths = array(y, input_name="y")
            if not np.isin(truths, (0.0, 1.0)).all():
                raise DataError(f"{owner} needs truths, 0 or 1, for each label.")
            if not classes:
                classes.extend(range(truths.shape[1]))
        found = ListedProblem(owner, X, multilabel_parts(owner, len(classes)))
        found.names = [each.astype(int).tolist() for each in found.parts]
        if y is not None:
            if truths.shape != (found.count, len(classes)):
                raise DataError(f"{owner} needs {len(classes)} truths for each row.")
            found.right = list((truths @ (1 << np.arange(len(classes)))).astype(int))
        return found


@dataclass(frozen=True)
class Ontology(Structure):
    """Leaves of a tree or acyclic graph of labels: X is a table, y has a leaf a row.

    Parameters
    ----------
    edges : iterable of pairs
        Parent and child, up to one root.
    """

    edges: tuple[tuple[Any, Any], ...] = ()

    def __post_init__(self) -> None:
        pairs = tuple(tuple(edge) for edge in self.edges)
        object.__setattr__(self, "edges", pairs)
        decoders.Ontology(pairs)  # says what is wrong

    def problem(
        self, owner: str, X: Any, y: Any, classes: list[Any]
    ) -> StructuredProblem:
        tree = decoders.Ontology(self.edges)
        classes[:] = tree.leaves
        found = ListedProblem(owner, X, ontology_parts(tree))
        found.names = list(tree.leaves)
        if y is not None:
            codes = tree.codes(y)
            if len(codes) != found.count:
                raise DataError(f"{owner} needs a leaf for each row.")
            found.right = list(codes)
        return found


def _with_edges(owner: str, X: Any) -> tuple[list[Any], list[Any]]:
    try:
        tables, edges = zip(*X, strict=True)
        joined = [[(int(a), int(b)) for a, b in each] for each in edges]
    except (TypeError, ValueError):
        raise DataError(f"{owner} needs pairs of a table and edges.") from None
    return list(tables), joined
