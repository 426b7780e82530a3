"""Backtracking line search: shorten a step until its decrease suffices."""

import numpy as np

from infimum.objectives import Evaluation, LinearRisk
from infimum.typing import Vector

__all__ = ["backtrack"]

#: The share of the promised decrease that a step must deliver (Armijo's rule).
DELIVER = 1e-4
#: Differences of the objective below this share of it are rounding: near the optimum
#: the gap still shrinks by steps whose decrease is too small to see.
BLUR = 1e-15
#: After so many halvings the direction is no use in floating point.
MAX_HALVINGS = 50


def backtrack(
    here: Evaluation,
    direction: Vector,
    promised: float,
    step: float = 1.0,
    shift: Vector | None = None,
) -> tuple[Evaluation, float] | None:
    """Return the first point along `direction` that decreases the objective enough.

    Parameters
    ----------
    here : Evaluation
        Where the step starts.
    direction : ndarray
        Where it goes.
    promised : float
        The decrease per unit of step that the model predicts (negative).
    step : float
        The first step tried.
    shift : ndarray, optional
        The change of the scores along `direction`, if it is known already.

    Returns
    -------
    (Evaluation, float) or None
        The new point and the step taken; None when no step helps.
    """
    risk, blur = here.risk, BLUR * abs(here.value)
    if not promised < blur:
        return None
    for trial in range(MAX_HALVINGS):
        if (trial == 0 and shift is None) or risk.by_planes:
            # Most often the first trial is the last: one reading of X sees it all.
            there = risk.judge(here.point + step * direction)
        else:
            shift = _shift(risk, direction) if shift is None else shift
            there = risk.evaluate(
                here.point + step * direction, here.scores + step * shift
            )
        if there.value <= here.value + DELIVER * step * promised + blur:
            return there, step
        step *= 0.5
    return None


def _shift(risk: LinearRisk, direction: Vector) -> Vector:
    """Return the change of the scores along `direction`, free of offsets."""
    offset = 0.0 if risk.offset is None else risk.offset
    return np.asarray((risk.scores(direction).T - offset).T)
