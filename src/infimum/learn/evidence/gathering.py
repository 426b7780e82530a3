"""The gathering: section by section, each with its finding or with why it has none."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.errors import InfimumError
from infimum.evaluation import EnergyMeter
from infimum.learn.choose.rule import HeldBack
from infimum.learn.clock import CUT_OFF
from infimum.learn.evidence.case import Case, Notebook, TooLateError
from infimum.learn.evidence.columns import effects, importance, learning_curve, weights
from infimum.learn.evidence.groups import fairness
from infimum.learn.evidence.promises import (
    conformal,
    costs,
    cutoffs,
    guarantees,
    probabilities,
)
from infimum.learn.evidence.rows import chosen, examples
from infimum.learn.problem import Problem
from infimum.limits import check_pressed
from infimum.theory.plain_record import plain
from infimum.typing import Vector

__all__ = ["SECTIONS", "Section", "energy_of", "gather"]

_TOO_LATE = "There was no time left for this; give the job a larger budget."

#: What a job owes in any case.
_PROMISES = ("guarantees", "conformal")

#: From the case and what was found before to a finding.
Section = Callable[[Case, dict[str, Any]], Any]

#: What is gathered, the cheapest and most wanted first.
SECTIONS: dict[str, Section] = {
    "guarantees": guarantees,
    "conformal": conformal,
    "cutoffs": cutoffs,
    "probabilities": probabilities,
    "costs": costs,
    "fairness": fairness,
    "weights": weights,
    "importance": importance,
    "effects": effects,
    "examples": examples,
    "learning_curve": learning_curve,
}


def gather(
    model: Any,
    training: Problem,
    test_rows: Any,
    test_y: NDArray[Any],
    *,
    classes: NDArray[Any],
    task: str,
    sensitive: Sequence[str] = (),
    models_compared: int = 1,
    expected_error: float | None = None,
    test_weights: Vector | None = None,
    held_out: Sequence[HeldBack] | None = None,
    again: Callable[[Problem], Any] | None = None,
    seed: int = 0,
    seconds: float = 10.0,
    meter: EnergyMeter | None = None,
    sections: Mapping[str, Section] | None = None,
    notebook: Notebook | None = None,
) -> dict[str, Any]:
    """Collect what can be promised about a model and why it answers as it does.

    Parameters
    ----------
    model : fitted pipeline
        Takes rows like those of `training`.
    training : Problem
        The rows it learned from.
    test_rows, test_y : rows and targets that nobody has seen
    classes : ndarray
        The labels in order; empty where the target is a number.
    task : str
    sensitive : sequence of str
        Columns whose groups are compared.
    models_compared : int, default=1
        Among how many models the choice was; the union bound pays for it.
    expected_error : float, optional
        The error rate by cross-validation: sets of labels promise more than it.
    test_weights : ndarray, optional
        For how many rows of the population each test row stands.
    held_out : sequence of HeldBack, optional
        What was said of the rows held back in the folds.
    again : callable, optional
        Fits the same on other rows.
    seed : int, default=0
    seconds : float, default=10.0
        A section that does not fit in what is left of them says so instead.
    meter : EnergyMeter, optional
        Runs since the job began; without it the energy of the gathering is told.
    sections : mapping from str to callable, optional
        What to gather; everything by default.
    notebook : Notebook, optional
        Where findings are kept, and where it stands whether Ctrl-C was pressed.

    Returns
    -------
    dict
        Plain data, a key a section. A section without finding is ``{"reason": ...}``
        with a sentence.
    """
    began = time.perf_counter()
    own = EnergyMeter()
    with own:
        found = _sections(
            lambda: Case(
                model=model,
                training=training,
                rows=test_rows,
                y=test_y,
                classes=classes,
                task=task,
                sensitive=tuple(sensitive),
                models_compared=max(1, models_compared),
                expected_error=expected_error,
                weights=_counting(test_weights, training.weights),
                held_back=tuple(held_out or ()),
                again=again,
                seed=seed,
                deadline=began + seconds,
            ).bearable(),
            _wanted(SECTIONS if sections is None else sections, training),
            notebook or Notebook(),
        )
    if meter is not None:
        return {**plain(found), **energy_of(meter)}
    return {**plain(found), **energy_of(own, "explaining and testing")}


def _counting(weights: Vector | None, learned: Vector | None) -> Vector | None:
    """Return the weights unless all rows count alike, those learned from too.

    Heavy rows that did not come among the unseen ones are part of the population.
    """
    if weights is None or not weights.any():
        return None
    every = weights if learned is None else np.concatenate([weights, learned])
    return None if np.ptp(every) == 0 else weights


def _wanted(sections: Mapping[str, Section], training: Problem) -> dict[str, Section]:
    """Return the sections, and if rows were asked about, theirs after the promises."""
    options = training.options
    needed = {"costs": options.costs, "cutoffs": options.time}
    sections = {name: each for name, each in sections.items() if needed.get(name, True)}
    if training.to_explain is None:
        return sections
    promises = {name: sections[name] for name in _PROMISES if name in sections}
    return {**promises, "chosen": chosen, **sections}


def energy_of(meter: EnergyMeter, work: str = "the whole job") -> dict[str, Any]:
    """Return the section about the energy that some work has taken."""
    return dict(plain({"energy": {**meter.use.to_dict(), "of": work}}))


def _sections(
    make: Callable[[], Case], sections: Mapping[str, Section], notebook: Notebook
) -> dict[str, Any]:
    """Return all findings, and for what is not reached the reason."""
    reason = ""
    try:
        _fill(make, sections, notebook)
    except TooLateError:
        for name in sections:
            if name not in notebook.found:
                notebook.keep(name, {"reason": _TOO_LATE})
    except KeyboardInterrupt:
        notebook.stopped, reason = True, CUT_OFF
    missing = [name for name in sections if name not in notebook.found]
    return {**notebook.found, **{name: {"reason": reason} for name in missing}}


def _fill(
    make: Callable[[], Case], sections: Mapping[str, Section], notebook: Notebook
) -> None:
    left = {name: each for name, each in sections.items() if not notebook.recall(name)}
    if not left:
        return
    try:
        case = make()
    except Exception as error:
        notebook.found |= {name: {"reason": _sentence(error)} for name in left}
        return
    for name, section in left.items():
        try:
            finding = section(case, notebook.found)
        except Exception as error:
            # The model is chosen and tested: no picture of it may cost the result. That
            # there was no time for one, a resumed run does not ask again.
            check_pressed()
            notebook.keep(name, {"reason": _sentence(error)})
        else:
            check_pressed()
            notebook.keep(name, finding)


def _sentence(error: Exception) -> str:
    if isinstance(error, TooLateError):
        return _TOO_LATE
    if isinstance(error, InfimumError):
        return str(error)
    return f"This could not be computed: {type(error).__name__}: {error}"
