"""Moves of a row: the values its columns may take instead, and how far they are."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from infimum.explanation._mosaic import Mosaic
from infimum.parameters import Choice, check_domain
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Moves"]


class Moves:
    """For one row, the rows that lend it other values, and the ranks they lie at."""

    def __init__(
        self,
        table: Mosaic,
        row: int,
        fixed: Sequence[Any],
        directions: Mapping[Any, str],
    ) -> None:
        self.row = row
        kept = {table.place(column) for column in fixed}
        ways = {table.place(column): way for column, way in directions.items()}
        for way in ways.values():
            check_domain("counterfactual's directions", way, Choice(("up", "down")))
        self.lenders: list[Indices] = []
        self.distances: Matrix = np.zeros((len(table.names), table.n_rows))
        self.signs = np.ones_like(self.distances)
        for place in range(len(table.names)):
            lenders, far = _lenders(table.column(place), row, ways.get(place))
            self.distances[place] = far
            self.signs[place] = _signs(table.column(place), row)
            self.lenders.append(lenders[:0] if place in kept else lenders)

    def distance(self, states: Indices) -> Matrix:
        """Return the distance of each column of each state from the row."""
        columns = np.arange(len(self.distances))
        return np.asarray(self.distances[columns, states])

    def height(self, states: Indices) -> Matrix:
        """Return the distances with a sign: above or below the row's own value."""
        columns = np.arange(len(self.distances))
        return np.asarray(self.signs[columns, states] * self.distance(states))

    def next_to(self, states: Indices, most: int) -> Indices:
        """Return the states with one more column changed, to at most so many values."""
        made = []
        for state in states:
            for place in np.flatnonzero(state == self.row):
                lenders = _thinned(self.lenders[place], most)
                copies = np.repeat(state[None], len(lenders), axis=0)
                copies[:, place] = lenders
                made.append(copies)
        if not made:
            return np.empty((0, len(self.distances)), dtype=np.intp)
        return np.unique(np.concatenate(made), axis=0)

    def closer(self, state: Indices, place: int) -> Indices:
        """Return the states whose column `place` is nearer to the row's own value."""
        far = self.distances[place]
        lenders = self.lenders[place]
        nearer = np.append(lenders[far[lenders] < far[state[place]]], self.row)
        copies = np.repeat(state[None], len(nearer), axis=0)
        copies[:, place] = nearer
        return np.asarray(copies)


def _lenders(values: Any, row: int, way: str | None) -> tuple[Indices, Vector]:
    """Return one row for each other value, by distance, and all rows' distances."""
    if values.dtype.kind == "f" and np.isfinite(values[row]):
        far = _rank_distances(values, row)
        allowed = np.isfinite(values) & (values != values[row])
        if way is not None:
            allowed &= values > values[row] if way == "up" else values < values[row]
        codes = values
    else:
        codes = np.array([str(value) for value in values])
        _, inverse, counts = np.unique(codes, return_inverse=True, return_counts=True)
        far = 1.0 - counts[inverse] / len(values)
        far = np.where(codes == codes[row], 0.0, far)
        known = np.array([value is not None and value == value for value in values])  # noqa: PLR0124
        allowed = known & (codes != codes[row])
    places = np.flatnonzero(allowed)
    _, first = np.unique(codes[places], return_index=True)
    lenders = places[first]
    return lenders[np.argsort(far[lenders], kind="stable")], far


def _rank_distances(values: Vector, row: int) -> Vector:
    """Return which share of the rows lies between each value and the row's own."""
    known = np.sort(values[np.isfinite(values)])
    left = np.searchsorted(known, values, side="left")
    right = np.searchsorted(known, values, side="right")
    middle = 0.5 * (left + right) / len(known)
    return np.where(np.isfinite(values), np.abs(middle - middle[row]), np.inf)


def _signs(values: Any, row: int) -> Vector:
    if values.dtype.kind != "f":
        return np.ones(len(values))
    return np.where(values < values[row], -1.0, 1.0)


def _thinned(lenders: Indices, most: int) -> Indices:
    if len(lenders) <= most:
        return lenders
    steps = np.linspace(0, len(lenders) - 1, most).round().astype(int)
    return np.asarray(lenders[steps])
