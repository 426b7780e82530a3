"""Rows that were asked about: the answer, how sure it is, why, and what would turn it.

A row that the model has learned from is explained like any other, but nothing is
promised about it.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from infimum.errors import InfimumError
from infimum.learn.evidence.answers import shared_out, turned_round
from infimum.learn.evidence.case import Case, TooLateError
from infimum.learn.evidence.groups import OneLabel, one_by_one
from infimum.learn.evidence.promises import calibrated, halves

__all__ = ["chosen"]

_LEARNED = "The model has learned from this very row, so nothing is promised about it."
#: Seconds for a part of the answer even if the time is up: it was asked for.
_GRACE = 5.0
_TWO_CLASSES = 2
_TOO_LATE = "There was no time left for this."


def chosen(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Explain the answers about the rows that the user has named."""
    asked = case.training.to_explain
    if asked is None:
        return {"rows": []}
    case.affordable(0.5, len(asked.numbers), len(asked.numbers), grace=_GRACE)
    return {"rows": [_told(case, place) for place in range(len(asked.numbers))]}


def _told(case: Case, place: int) -> dict[str, Any]:
    asked: Any = case.training.to_explain
    number, truth = asked.numbers[place], asked.truths[place]
    row = asked.rows[[place]]
    learned = case.training.numbers
    part = "no target" if truth is None else "test"
    if learned is not None and number in learned:
        part = "training"
    truths = truth if case.y.ndim > 1 else (truth,)
    return {
        "row": number,
        "part": part,
        "answers": [
            _answer(each, name, row, known, part, asked.places.get(number))
            for (name, each), known in zip(one_by_one(case), truths, strict=True)
        ],
    }


def _answer(
    case: Case, name: str, row: Any, truth: Any, part: str, place: int | None
) -> dict[str, Any]:
    said = np.asarray(case.model.predict(row))[0]
    chances = None
    if hasattr(case.model, "predict_proba"):
        likely = np.asarray(case.model.predict_proba(row))[0].tolist()
        labels = np.asarray(case.model.classes_).tolist()
        chances = {str(k): v for k, v in zip(labels, likely, strict=True)}
    return {
        "of": name,
        "answer": str(said) if case.classifies else float(said),
        "truth": _written(case, truth),
        "chances": chances,
        "sure": {"reason": _LEARNED}
        if part == "training"
        else _tried(lambda: _sure(case, row, place)),
        "shapley": _tried(lambda: _shapley(case, row, name, said)),
        "counterfactual": _tried(lambda: _turned(case, row, said)),
    }


def _sure(case: Case, row: Any, place: int | None) -> dict[str, Any]:
    """Return the set or interval; a row that was asked about does not calibrate it."""
    here = halves(case)[0]
    level, wrapped = calibrated(case, here[here != place])
    if not case.classifies:
        low, high = wrapped.predict_interval(row)[0].tolist()
        return {"kind": "interval", "low": low, "high": high, "promised": level}
    inside = wrapped.predict_set(row)[0]
    labels = [str(label) for label in wrapped.classes_[inside].tolist()]
    return {"kind": "set", "labels": labels, "promised": level}


def _shapley(case: Case, row: Any, name: str, said: Any) -> dict[str, Any]:
    # Two classes, or a scale of them, are told of by the last; others each by itself.
    apart = len(case.classes) > _TWO_CLASSES and case.training.goal != "ordinal"
    told = shared_out(case, row, said if apart else None)
    (answer,) = told.pop("rows")
    if isinstance(case.model, OneLabel):
        told["of"] = f"probability of “{name}”"
    return {**told, **answer}


def _turned(case: Case, row: Any, said: Any) -> dict[str, Any]:
    """Turn a class into any other one; a number to the other side of the middle."""
    if not case.named:
        return {"reason": "The columns of a sparse matrix are not changed one by one."}
    case.affordable(0.6, 40_000, 100 * max(1, len(case.columns)), grace=_GRACE)
    if case.classifies:
        return turned_round(case, row)
    middle = float(np.median(case.scores()))
    above = float(said) > middle
    wanted = (
        (-math.inf, middle) if above else (np.nextafter(middle, math.inf), math.inf)
    )
    return {**turned_round(case, row, wanted), "wanted": middle}


def _tried(part: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return part()
    except TooLateError:
        return {"reason": _TOO_LATE}
    except InfimumError as error:
        return {"reason": str(error)}


def _written(case: Case, truth: Any) -> Any:
    if truth is None or not case.classifies:
        return truth if truth is None else float(truth)
    return str(truth)
