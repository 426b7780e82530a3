"""What a table suggests before learning: the goal, and what is suspicious."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from infimum.data import Suspect, Table, Task, find_suspects, repeated_across
from infimum.errors import DataError
from infimum.parameters import Choice, check_domain

if TYPE_CHECKING:
    from infimum.evaluation import Split

__all__ = [
    "GOALS",
    "base_task",
    "goal_of",
    "guess_of",
    "guessed",
    "noting_copies",
    "suspicions",
]


#: Every goal, and what kind of target it has.
GOALS = {
    "classification": "classification",
    "ordinal": "classification",
    "regression": "regression",
    "counts": "regression",
    "quantile": "regression",
}
#: Whole numbers from 0 up are counts if they are small; larger ones could be anything.
_SMALL = 30
_TWO_CLASSES = 2


def base_task(task: str) -> str:
    """Return "auto", "classification" or "regression" for a goal."""
    check_domain("learn's task", task, Choice(("auto", *GOALS)))
    return GOALS.get(task, task)


def goal_of(task: str, y: NDArray[Any], classes: NDArray[Any], target: str) -> str:
    """Return what to learn in particular, checking that the target allows it."""
    if len(classes):
        if task == "ordinal" and len(classes) == _TWO_CLASSES:
            raise DataError(f"Column {target!r} has two classes; an order needs three.")
        if task == "ordinal" and classes.dtype.kind not in "iuf":
            raise DataError(
                f"Column {target!r} holds words, whose order nobody knows; number the "
                "classes from first to last."
            )
        several = "binary" if len(classes) == _TWO_CLASSES else "multiclass"
        return task if task == "ordinal" else several
    whole = bool(np.all(y >= 0) and np.all(y == np.floor(y)))
    if task == "counts" and not whole:
        raise DataError(
            f"Column {target!r} holds other numbers than 0, 1, 2, ..., so no counts; "
            "use task='regression'."
        )
    if task == "auto" and whole and y.min() == 0 and y.mean() <= _SMALL:
        return "counts"
    return "regression" if task == "auto" else task


def guess_of(
    task: str, goal: str, y: NDArray[Any], classes: NDArray[Any]
) -> dict[str, Any] | None:
    """Return what a target was taken for, and what else it could be; None if told.

    Examples
    --------
    >>> guess_of("auto", "counts", np.array([0.0, 2.0, 9.0]), np.array([]))
    {'words': 'counts, 0 to 9', 'others': ['regression', 'classification']}
    """
    if task != "auto":
        return None
    if len(classes):
        numbers = classes.dtype.kind in "iuf" and len(classes) > _TWO_CLASSES
        others = ["regression", "ordinal"] if numbers else []
        return {"words": f"{len(classes)} classes", "others": others}
    low, high = float(np.min(y)), float(np.max(y))
    if goal == "counts":
        few = len(np.unique(y)) <= _SMALL
        others = ["regression", *(["classification"] if few else [])]
        return {"words": f"counts, {low:,.0f} to {high:,.0f}", "others": others}
    words = f"a quantity, {low:,.4g} to {high:,.4g}"
    whole = low >= 0 and bool(np.all(y == np.floor(y)))
    return {"words": words, "others": ["counts"] if whole else []}


def guessed(guess: dict[str, Any] | None, target: str) -> str:
    """Say what a target was taken for, and which option takes it otherwise.

    Examples
    --------
    >>> guessed({"words": "counts, 0 to 9", "others": ["regression"]}, "visits")
    'visits was taken for counts, 0 to 9; --task regression takes it otherwise.'
    """
    if guess is None:
        return ""
    said = f"{target} was taken for {guess['words']}"
    others = " or ".join(f"--task {each}" for each in guess["others"])
    return f"{said}; {others} takes it otherwise." if others else f"{said}."


#: The reader of tables warns about the other kinds itself.
_SAID_HERE = frozenset(
    {"giveaway", "named after the target", "order", "twin", "nearly constant"}
)
#: So many sentences of a kind; more are counted.
_MOST = 3


def suspicions(
    table: Table,
    target: str,
    values: Any,
    task: str,
    used: Collection[str],
    time: str | None,
) -> tuple[str, ...]:
    """Return sentences about leaks and useless columns among those in use."""
    found = find_suspects(
        table, target, values, classes=task == Task.CLASSIFICATION, columns=used
    )
    # Who splits by time has been told already what rows near in time share.
    finding = [
        s for s in found if s.kind in _SAID_HERE and (s.kind != "order" or not time)
    ]
    return tuple(_in_few_words(finding))


def noting_copies(problem: Any, split: "Split") -> Any:
    """Return the problem with a warning if test rows are copies of training rows.

    A copy agrees in the target and in every column in use: what tells rows apart but
    is not learned from, such as an identifier, makes no row another case.
    """
    if not isinstance(problem.rows, pl.DataFrame):
        return problem
    used = [note.name for note in problem.columns if note.used]
    rows = problem.rows[used].with_columns(
        pl.Series(f" {place}", answers)
        for place, answers in enumerate(np.atleast_2d(problem.y.T))
    )
    copies = repeated_across(rows[split.train], rows[split.held_back])
    if copies is None:
        return problem
    return replace(problem, warnings=(*problem.warnings, copies.sentence))


def _in_few_words(found: Iterable[Suspect]) -> list[str]:
    seen: Counter[str] = Counter()
    said = []
    for suspect in found:
        seen[suspect.kind] += 1
        if seen[suspect.kind] <= _MOST:
            said.append(suspect.sentence)
    more = {kind: count - _MOST for kind, count in seen.items() if count > _MOST}
    return said + [
        f"{count} more column{'s' if count > 1 else ''} of the kind {kind!r}."
        for kind, count in more.items()
    ]
