"""Counterfactuals: the smallest change of a row that would change the decision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.evaluation import PlainRecord
from infimum.explanation._goal import Goal
from infimum.explanation._mosaic import Mosaic
from infimum.explanation._moves import Moves
from infimum.explanation.linear_shapley import linear_weights
from infimum.parameters import check_domain, whole
from infimum.typing import Indices, Vector

__all__ = ["Change", "Counterfactual", "counterfactual", "linear_counterfactual"]

#: What changing one more column costs, in the unit of moving past all rows.
_PER_COLUMN = 0.25
_BEAM, _FEW_VALUES, _MANY_VALUES = 24, 12, 400


@dataclass(frozen=True)
class Change(PlainRecord):
    """One column's value, what it would have to be, and how far that is.

    `distance` is the share of the table's rows between the two values, or of the rows
    that do not have the new category.
    """

    column: str
    before: Any
    after: Any
    distance: float


@dataclass(frozen=True)
class Counterfactual(PlainRecord, told=("found", "distance", "sentence")):
    """The changes of a row after which the model answers as wanted.

    Attributes
    ----------
    row : int
    changes : tuple of Change
        Empty if nothing that was allowed changes the answer.
    before, after : the answers
    """

    row: int
    changes: tuple[Change, ...]
    before: Any
    after: Any

    @property
    def found(self) -> bool:
        """Whether there is such a change."""
        return bool(self.changes)

    @property
    def distance(self) -> float:
        """Sum of the distances of the changes."""
        return float(sum(change.distance for change in self.changes))

    @property
    def sentence(self) -> str:
        """The counterfactual as one would tell it to the person concerned."""
        if not self.found:
            return f"No allowed change turns the answer {self.before} into another."
        parts = [
            f"{c.column} were {_shown(c.after)} instead of {_shown(c.before)}"
            for c in self.changes
        ]
        return (
            f"If {' and '.join(parts)}, the answer would be {_shown(self.after)} "
            f"instead of {_shown(self.before)}."
        )


def counterfactual(
    model: Any,
    X: Any,
    row: int,
    *,
    wanted: Any = None,
    fixed: Sequence[Any] = (),
    directions: Mapping[Any, str] | None = None,
    max_changes: int = 3,
) -> Counterfactual:
    """Find the smallest change of few columns after which the model answers otherwise.

    New values are values that occur in the table, so each is possible by itself.
    Distances are ranks: the share of rows that lies between the old and the new value,
    or that does not have the new category. A further column costs as much as passing a
    quarter of all rows. One column is tried with all its values; several are searched
    from the most promising partial changes on, and the found change is then shrunk as
    long as the answer stays. No randomness is involved.

    Parameters
    ----------
    model : fitted estimator
    X : array, pandas or polars frame
    row : int
        Position in `X` of the row to change.
    wanted : label or (low, high), optional
        The answer wanted; None is any other class. Regressors need an interval.
    fixed : sequence of columns, by name or position
        Columns that must stay.
    directions : mapping from column to {"up", "down"}, optional
        Columns that may only grow, or only shrink.
    max_changes : int, default=3

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.explanation import counterfactual
    >>> from infimum.models.linear import LogisticRegression
    >>> X = np.array([[20.0, 1], [30, 1], [40, 1], [50, 1], [60, 1], [70, 1]])
    >>> model = LogisticRegression(C=1e3).fit(X, [0, 0, 0, 1, 1, 1])
    >>> print(counterfactual(model, X, row=1).sentence)
    If x0 were 50 instead of 30, the answer would be 1 instead of 0.
    """
    check_domain("counterfactual's max_changes", max_changes, whole(1))
    table = Mosaic(X)
    if not 0 <= row < table.n_rows:
        raise DataError(f"counterfactual's row must be in [0, {table.n_rows - 1}].")
    goal = Goal(model, table, row, wanted)
    moves = Moves(table, row, fixed, directions or {})
    start = np.full(len(table.names), row)
    if goal.judge(start[None])[0][0]:
        return Counterfactual(row, (), goal.before, goal.before)
    best = _search(goal, moves, start, max_changes)
    if best is None:
        return Counterfactual(row, (), goal.before, goal.before)
    best = _shrink(goal, moves, _shrink(goal, moves, best))
    changes = tuple(
        Change(
            table.names[place],
            _value(table, row, place),
            _value(table, int(best[place]), place),
            float(moves.distance(best)[place]),
        )
        for place in np.flatnonzero(best != row).tolist()
    )
    return Counterfactual(row, changes, goal.before, goal.answer(best))


def linear_counterfactual(
    model: Any, x: Any, *, column: int | None = None, target: Any = None
) -> Vector:
    r"""Return the smallest step that takes a row to the boundary of a linear model.

    .. math:: δ = -\frac{f(x)}{\|w\|^2} w \qquad\text{or}\qquad
        δ_j = -\frac{f(x)}{w_j}

    if only one column may change.

    Examples
    --------
    >>> import numpy as np
    >>> from types import SimpleNamespace
    >>> from infimum.explanation import linear_counterfactual
    >>> model = SimpleNamespace(coef_=[3.0, 4.0], intercept_=-5.0)
    >>> linear_counterfactual(model, [5.0, 5.0])
    array([-3.6, -4.8])
    """
    w, b = linear_weights(model, target)
    score = float(np.asarray(x, dtype=np.float64) @ w + b)
    direction = w if column is None else np.where(np.arange(len(w)) == column, w, 0.0)
    squared = float(direction @ direction)
    if squared == 0.0:
        raise DataError("No step in these columns changes the score: weights are 0.")
    return np.asarray(-score / squared * direction)


def _search(
    goal: Goal, moves: Moves, start: Indices, max_changes: int
) -> Indices | None:
    """Try one column, then more from the nearest misses; return the cheapest."""
    found: list[tuple[float, Indices]] = []
    states = start[None]
    for depth in range(max_changes):
        values = _MANY_VALUES if depth == 0 else _FEW_VALUES
        tried = moves.next_to(states, values)
        if len(tried) == 0:
            break
        reached, nearness = goal.judge(tried)
        prices = moves.distance(tried).sum(axis=1)
        prices = prices + _PER_COLUMN * (tried != start).sum(axis=1)
        found += [(float(prices[i]), tried[i]) for i in np.flatnonzero(reached)]
        misses = np.flatnonzero(~reached)
        order = misses[np.lexsort((prices[misses], -nearness[misses]))]
        states = tried[_different(tried, start, order, moves)]
    return min(found, key=lambda each: each[0])[1] if found else None


def _different(tried: Indices, start: Indices, order: Indices, moves: Moves) -> Indices:
    """Return the most promising states, for each of the first few sets of columns.

    Beside the nearest miss they are the farthest ones up and down: where a step does
    not show in the answer, as on the plateaus of a tree, only far values can help.
    """
    sets: dict[bytes, list[int]] = {}
    for place in order.tolist():
        key = (tried[place] != start).tobytes()
        if key in sets or len(sets) < _BEAM:
            sets.setdefault(key, []).append(place)
    chosen: set[int] = set()
    for places in sets.values():
        heights = moves.height(tried[places]).sum(axis=1)
        ends = (int(np.argmax(heights)), int(np.argmin(heights)))
        chosen.update((places[0], places[ends[0]], places[ends[1]]))
    return np.array(sorted(chosen), dtype=np.intp)


def _shrink(goal: Goal, moves: Moves, state: Indices) -> Indices:
    """Take each column back towards its value as far as the answer stays."""
    for place in np.flatnonzero(state != moves.row):
        options = moves.closer(state, int(place))
        reached, _ = goal.judge(options)
        if reached.any():
            distances = moves.distance(options)[:, place]
            state = options[reached][np.argmin(distances[reached])]
    return state


def _value(table: Mosaic, row: int, place: int) -> Any:
    value = table.column(place)[row]
    return value.item() if hasattr(value, "item") else value


def _shown(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
