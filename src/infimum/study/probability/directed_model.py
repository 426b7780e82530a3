"""Directed models: tables on an acyclic graph, answered exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from infimum.errors import DataError
from infimum.study.probability.named_table import NamedTable, check_value

__all__ = ["DirectedModel"]


@dataclass(frozen=True, eq=False)
class DirectedModel:
    r"""A joint law that factorises along a directed acyclic graph.

    .. math:: P(x_1, \dots, x_k) = \prod_j P(x_j \mid \text{parents of } x_j)

    Attributes
    ----------
    parents : dict of str -> sequence of str
        The parents of every variable.
    tables : dict of str -> ndarray
        For every variable its table: an axis for each parent, in order, and the
        variable itself last, along which it sums to 1.

    Examples
    --------
    >>> model = DirectedModel(
    ...     {"ill": (), "test": ("ill",)},
    ...     {"ill": [0.9985, 0.0015], "test": [[0.99, 0.01], [0.0, 1.0]]},
    ... )
    >>> model.query("ill", {"test": 1}).probabilities.round(4)
    array([0.8694, 0.1306])
    """

    parents: Mapping[str, Sequence[str]]
    tables: Mapping[str, ArrayLike]
    _factors: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        try:
            tuple(TopologicalSorter(self.parents).static_order())
        except CycleError as told:
            circle = " → ".join(map(str, told.args[1]))
            raise DataError(
                f"DirectedModel: the graph has a cycle, {circle}."
            ) from None
        for name, above in self.parents.items():
            for parent in above:
                if parent not in self.parents:
                    raise DataError(f"DirectedModel: {parent!r} is no variable.")
            if name not in self.tables:
                raise DataError(f"DirectedModel: {name!r} has no table.")
            table = np.asarray(self.tables[name], dtype=np.float64)
            sums = table.sum(axis=-1)
            proper = table.ndim == len(above) + 1 and bool((table >= 0).all())
            if not proper or not np.allclose(sums, 1.0, rtol=0, atol=1e-9):
                raise DataError(
                    f"DirectedModel: the table of {name!r} needs an axis for each of "
                    "its parents and one for itself, along which it sums to 1."
                )
            self._factors[name] = ((*above, name), table)
        self._check_sizes()

    def query(
        self, names: str | Sequence[str], evidence: Mapping[str, int] | None = None
    ) -> NamedTable:
        """Return P(names | evidence) by eliminating one variable after the other."""
        asked = (names,) if isinstance(names, str) else tuple(names)
        known = dict(evidence or {})
        for name in (*asked, *known):
            if name not in self.parents:
                raise DataError(f"DirectedModel has no variable {name!r}.")
        for name, value in known.items():
            count = self._factors[name][1].shape[-1]
            check_value("DirectedModel", name, value, count)
        factors = [_reduced(scope, t, known) for scope, t in self._factors.values()]
        hidden = [n for n in self.parents if n not in asked and n not in known]
        while hidden:
            widths = {n: len(_scope(factors, n)) for n in hidden}
            name = min(hidden, key=widths.__getitem__)
            hidden.remove(name)
            touched = [f for f in factors if name in f[0]]
            factors = [f for f in factors if name not in f[0]]
            scope, table = reduce(_multiplied, touched)
            factors.append(
                (
                    tuple(n for n in scope if n != name),
                    table.sum(axis=scope.index(name)),
                )
            )
        scope, table = reduce(_multiplied, factors)
        total = float(table.sum())
        if not total > 0:
            raise DataError(f"DirectedModel: {known} has probability 0.")
        order = [scope.index(name) for name in asked]
        return NamedTable(np.transpose(table, order) / total, asked)

    def joint(self) -> NamedTable:
        """Return the whole table, by multiplying everything: the slow, sure way."""
        scope, table = reduce(_multiplied, self._factors.values())
        return NamedTable(table, scope)

    def _check_sizes(self) -> None:
        sizes = {name: table.shape[-1] for name, (_, table) in self._factors.items()}
        for name, (scope, table) in self._factors.items():
            for axis, each in enumerate(scope):
                if table.shape[axis] != sizes[each]:
                    raise DataError(
                        f"DirectedModel: the table of {name!r} has {table.shape[axis]} "
                        f"values of {each!r}, which has {sizes[each]}."
                    )


def _reduced(
    scope: tuple[str, ...], table: NDArray[np.float64], known: Mapping[str, int]
) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    place: Any = tuple(known.get(name, slice(None)) for name in scope)
    return tuple(name for name in scope if name not in known), np.asarray(table[place])


def _multiplied(first: Any, second: Any) -> Any:
    """Return the product of two factors over the union of their variables."""
    (left, a), (right, b) = first, second
    scope = left + tuple(name for name in right if name not in left)
    letters = {name: k for k, name in enumerate(scope)}
    table = np.einsum(
        a,
        [letters[n] for n in left],
        b,
        [letters[n] for n in right],
        [letters[n] for n in scope],
    )
    return scope, table


def _scope(factors: list[Any], name: str) -> set[str]:
    return {n for scope, _ in factors if name in scope for n in scope}
