"""Preference graphs: the price of ranking items against the wishes of one sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.errors import DataError, InvalidParameterError
from infimum.parameters import Choice, check_domains
from infimum.typing import Vector

__all__ = ["PreferenceGraph"]


@dataclass(frozen=True)
class PreferenceGraph:
    r"""Hinge losses of a set of preferences between items, without a cycle.

    .. math:: \ell(f) = \sum_{G} \max_{(i, j) ∈ G} \max(0, 1 - (f_i - f_j))
              \quad\text{or}\quad
              \max_{G} \max_{(i, j) ∈ G} \max(0, 1 - (f_i - f_j))

    An edge (i, j) says that item i should come before item j; `parts` are the groups G
    of edges that count as one wish each. A star from the right label to all others is
    the multiclass hinge, and a group of its own for every edge is its additive form;
    edges from the wanted to the unwanted labels are the multilabel hinges. Sorting by
    score predicts a total order, and `disagreements` counts the wishes it breaks,
    which the additive form bounds from above.

    Parameters
    ----------
    parts : sequence of sequences of pairs
        The groups of edges; together they must have no cycle.
    combine : {"sum", "max"}, default="sum"
        Whether the groups are added up or the worst counts.

    Examples
    --------
    >>> wishes = PreferenceGraph([[(0, 1), (0, 2)], [(1, 2)]])
    >>> wishes.value([2.0, 0.5, 0.0]), wishes.disagreements([2.0, 0.0, 0.5])
    (0.5, 1)
    >>> wishes.order([2.0, 0.0, 0.5])
    array([0, 2, 1])
    """

    parts: Sequence[Sequence[tuple[int, int]]]
    combine: str = field(default="sum", metadata={"domain": Choice(("sum", "max"))})

    def __post_init__(self) -> None:
        check_domains(self)
        object.__setattr__(self, "parts", tuple(map(tuple, self.parts)))
        if not self.parts or not all(self.parts):
            raise InvalidParameterError(
                "PreferenceGraph.parts must hold groups of one edge or more, got "
                f"{self.parts!r}."
            )
        graph: dict[int, set[int]] = {}
        for first, second in self.edges:
            graph.setdefault(second, set()).add(first)
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            raise InvalidParameterError(
                f"PreferenceGraph.parts must have no cycle, found {error.args[1]}."
            ) from None

    @property
    def edges(self) -> list[tuple[int, int]]:
        """All edges, group after group."""
        return [edge for part in self.parts for edge in part]

    def value(self, f: Any) -> float:
        """Return the price of the scores `f`, one per item."""
        prices = self._prices(self._scores(f))
        worst = [max(0.0, float(part.max())) for part in prices]
        return sum(worst) if self.combine == "sum" else max(worst)

    def derivative(self, f: Any) -> Vector:
        """Return a subgradient in the scores."""
        scores = self._scores(f)
        prices = self._prices(scores)
        slopes = np.zeros(len(scores))
        chosen = range(len(prices))
        if self.combine == "max":
            chosen = range(k := int(np.argmax([p.max() for p in prices])), k + 1)
        for part in chosen:
            edge = int(prices[part].argmax())
            if prices[part][edge] > 0.0:
                first, second = self.parts[part][edge]
                slopes[first] -= 1.0
                slopes[second] += 1.0
        return slopes

    def order(self, f: Any) -> NDArray[np.intp]:
        """Return the predicted total order: items by falling score, ties as given."""
        return np.argsort(-self._scores(f), kind="stable")

    def disagreements(self, f: Any) -> int:
        """Return how many groups hold an edge that the predicted order reverses."""
        places = np.argsort(self.order(f))
        return sum(any(places[i] > places[j] for i, j in part) for part in self.parts)

    def _prices(self, scores: Vector) -> list[Vector]:
        pairs = [np.array(part) for part in self.parts]
        return [1.0 - (scores[p[:, 0]] - scores[p[:, 1]]) for p in pairs]

    def _scores(self, f: Any) -> Vector:
        scores = np.asarray(f, dtype=np.float64)
        wanted = 1 + max(max(edge) for edge in self.edges)
        if scores.ndim != 1 or len(scores) < wanted:
            raise DataError(
                f"PreferenceGraph needs one score per item, {wanted} or more, got "
                f"shape {scores.shape}."
            )
        return scores
