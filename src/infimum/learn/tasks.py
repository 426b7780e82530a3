"""What learning means in particular: the goals, and which one a target suggests."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.errors import DataError
from infimum.parameters import Choice, check_domain

__all__ = ["GOALS", "base_task", "goal_of", "guess_of", "guessed"]

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
