"""Joint tables of any number of named variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from infimum.distributions._given import generator, numbers
from infimum.errors import DataError

__all__ = ["NamedTable", "permute_to_independence"]


@dataclass(frozen=True, eq=False)
class NamedTable:
    """P(X = x, Y = y, …) for variables with names, one axis each.

    Attributes
    ----------
    probabilities : ndarray
        Not negative, with the sum 1.
    names : tuple of str
        The variables, in the order of the axes.

    Examples
    --------
    >>> table = NamedTable([[0.1, 0.2], [0.3, 0.4]], ("x", "y"))
    >>> table.marginal("x").probabilities, table.conditional({"y": 1}).probabilities
    (array([0.3, 0.7]), array([0.33333333, 0.66666667]))
    """

    probabilities: NDArray[np.float64]
    names: tuple[str, ...] = ("X", "Y")

    def __post_init__(self) -> None:
        table = numbers("NamedTable.probabilities", self.probabilities).copy()
        if table.ndim != len(self.names) or len(set(self.names)) != len(self.names):
            raise DataError("NamedTable takes one different name for each axis.")
        if not (table >= 0).all() or abs(table.sum() - 1.0) > 1e-9:
            raise DataError(
                "NamedTable.probabilities must be non-negative numbers that sum to 1."
            )
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "probabilities", table)

    @classmethod
    def product(cls, first: NamedTable, second: NamedTable) -> NamedTable:
        """Return the joint table under which two tables are independent."""
        outer = np.multiply.outer(first.probabilities, second.probabilities)
        return cls(outer, (*first.names, *second.names))

    def marginal(self, *names: str) -> NamedTable:
        """Return the table of some variables, summed over the others."""
        self._check(names)
        others = tuple(k for k, name in enumerate(self.names) if name not in names)
        kept = tuple(name for name in self.names if name in names)
        summed = self.probabilities.sum(axis=others)
        order = [kept.index(name) for name in names]
        return NamedTable(np.transpose(summed, order), names)

    def conditional(self, evidence: Mapping[str, int]) -> NamedTable:
        """Return the table of the other variables given values of some."""
        self._check(tuple(evidence))
        for name, value in evidence.items():
            count = self.probabilities.shape[self.names.index(name)]
            check_value("NamedTable", name, value, count)
        place: Any = tuple(evidence.get(name, slice(None)) for name in self.names)
        left = self.probabilities[place]
        total = float(left.sum())
        if not total > 0:
            raise DataError(f"NamedTable: {dict(evidence)} has probability 0.")
        others = tuple(name for name in self.names if name not in evidence)
        return NamedTable(left / total, others)

    def dependence(
        self, first: str, second: str, given: Sequence[str] = ()
    ) -> tuple[dict[str, int], float]:
        """Return where independence fails most, and by how much.

        With `given` it is conditional independence given every value of these.
        """
        table = self.marginal(first, second, *given).probabilities
        base = table.sum(axis=(0, 1))
        safe = np.where(base > 0, base, 1.0)
        share = table / safe
        expected = share.sum(axis=1, keepdims=True) * share.sum(axis=0, keepdims=True)
        apart = np.abs(share - expected)
        place = np.unravel_index(int(np.argmax(apart)), apart.shape)
        where = dict(zip((first, second, *given), map(int, place), strict=True))
        return where, float(apart.max())

    def independent(
        self, first: str, second: str, given: Sequence[str] = (), tol: float = 1e-12
    ) -> bool:
        """Tell whether two variables are independent, up to rounding."""
        return self.dependence(first, second, given)[1] <= tol

    def _check(self, names: tuple[str, ...]) -> None:
        for name in names:
            if name not in self.names:
                raise DataError(
                    f"NamedTable has no variable {name!r}, only {list(self.names)}."
                )


def check_value(owner: str, name: str, value: Any, count: int) -> None:
    """Refuse what is no value of a variable that has `count` of them."""
    if value not in range(count):
        raise DataError(
            f"{owner}: {name!r} has the values 0 to {count - 1}, got {value!r}."
        )


def permute_to_independence(
    x: ArrayLike, y: ArrayLike, random_state: Any = None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return x and a random permutation of y: the same marginals, no dependence.

    Examples
    --------
    >>> x, y = permute_to_independence([1, 2, 3], [1, 2, 3], random_state=0)
    >>> sorted(y.tolist())
    [1, 2, 3]
    """
    first, second = np.asarray(x), np.asarray(y)
    if len(first) != len(second):
        raise DataError("permute_to_independence takes as many x as y.")
    return first, generator("permute_to_independence", random_state).permutation(second)
