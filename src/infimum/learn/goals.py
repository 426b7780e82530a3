"""What learning means in particular: the goals, and which one a target suggests."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.errors import DataError
from infimum.parameters import Choice, check_domain

__all__ = ["GOALS", "base_task", "goal_of"]

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
