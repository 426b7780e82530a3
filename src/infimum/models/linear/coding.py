"""Codings: from labels or targets to numbers, from solutions to coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "Coding",
    "Column",
    "Columns",
    "Joint",
    "Number",
    "Pair",
    "Signs",
    "Tasks",
    "measured_coding",
]

TWO = 2
#: Coefficients (features last) and intercepts of one problem.
Pair: TypeAlias = tuple[Vector, Any]


class Coding(Protocol):
    """A way from y to the targets of risks, and from their solutions to `coef_`."""

    def targets(self, y: Any) -> tuple[Vector, ...]:
        """Return one vector of targets for each risk."""

    def stored(self, pairs: Sequence[Pair]) -> Pair:
        """Return `coef_` and `intercept_` from the pairs of all risks."""

    def pairs(self, coef: Any, intercept: Any) -> list[Pair]:
        """Return the pair of each risk from `coef_` and `intercept_`."""


@dataclass(frozen=True)
class Signs:
    """Class codes as ±1: one risk for two classes, one against the rest for more."""

    classes: int

    def targets(self, y: Indices) -> tuple[Vector, ...]:
        """Return ±1 for each class; of two, for the second alone."""
        rows = range(self.classes) if self.classes > TWO else (1,)
        return tuple(np.where(y == k, 1.0, -1.0) for k in rows)

    def stored(self, pairs: Sequence[Pair]) -> Pair:
        """Return one row of coefficients for each risk."""
        return np.array([w for w, _ in pairs]), np.array([float(b) for _, b in pairs])

    def pairs(self, coef: Matrix, intercept: Vector) -> list[Pair]:
        """Return the rows."""
        return list(zip(coef, intercept, strict=True))


@dataclass(frozen=True)
class Joint:
    """Class codes as they are: one risk has a score for each class.

    Scores of several classes that rise together change nothing: of all intercepts that
    are as good, those with mean 0 are taken if they shall be `centred`.
    """

    centred: bool = True

    def targets(self, y: Indices) -> tuple[Vector, ...]:
        """Return the codes."""
        return (y.astype(np.float64),)

    def stored(self, pairs: Sequence[Pair]) -> Pair:
        """Return one row of coefficients for each class."""
        [(coef, intercept)] = pairs
        return coef, intercept - intercept.mean() if self.centred else intercept

    def pairs(self, coef: Matrix, intercept: Vector) -> list[Pair]:
        """Return the one pair."""
        return [(coef, intercept)]


class Number:
    """One measured target."""

    def targets(self, y: Vector) -> tuple[Vector, ...]:
        """Return the target."""
        return (y,)

    def stored(self, pairs: Sequence[Pair]) -> Pair:
        """Return a vector and a number."""
        [(coef, intercept)] = pairs
        return coef, np.float64(intercept)

    def pairs(self, coef: Vector, intercept: float) -> list[Pair]:
        """Return the one pair."""
        return [(coef, intercept)]


class Column(Number):
    """One measured target in a column, which leaves its mark on the intercept alone."""

    def targets(self, y: Vector) -> tuple[Vector, ...]:
        """Return the target."""
        return (np.ravel(y),)

    def stored(self, pairs: Sequence[Pair]) -> Pair:
        """Return a vector and an array of one number."""
        [(coef, intercept)] = pairs
        return coef, np.array([float(intercept)])

    def pairs(self, coef: Vector, intercept: Any) -> list[Pair]:
        """Return the one pair."""
        return [(coef, float(np.ravel(intercept)[0]))]


class Columns:
    """Several measured targets, each with a risk of its own."""

    def targets(self, y: Matrix) -> tuple[Vector, ...]:
        """Return the columns."""
        return tuple(y.T)

    def stored(self, pairs: Sequence[Pair]) -> Pair:
        """Return one row of coefficients for each target."""
        return np.array([w for w, _ in pairs]), np.array([float(b) for _, b in pairs])

    def pairs(self, coef: Matrix, intercept: Any) -> list[Pair]:
        """Return the rows."""
        return list(zip(coef, np.broadcast_to(intercept, len(coef)), strict=True))


class Tasks(Number):
    """Targets that one risk has several scores for."""

    def stored(self, pairs: Sequence[Pair]) -> Pair:
        """Return one row of coefficients for each score."""
        [(coef, intercept)] = pairs
        return coef, np.asarray(intercept)


def measured_coding(y: Vector) -> Coding:
    """Return the coding of one target, of one in a column, or of several."""
    if y.ndim == 1:
        return Number()
    return Column() if y.shape[1] == 1 else Columns()
