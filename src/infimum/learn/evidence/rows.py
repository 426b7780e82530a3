"""Single answers: shared out among columns, near the decision, and turned round.

Rows that were asked about come with how sure the answer is. One that the model has
learned from is explained like any other, but nothing is promised about it.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from infimum.errors import InfimumError
from infimum.explanation import counterfactual, rows_near_decision, shapley_values
from infimum.learn.evidence.case import Case, TooLateError, halves
from infimum.learn.evidence.columns import leading
from infimum.learn.evidence.groups import OneLabel, one_by_one
from infimum.learn.evidence.promises import calibrated
from infimum.typing import Indices, Vector

__all__ = ["chosen", "examples", "shared_out", "turned_round"]


_FEW_BACKGROUND, _MOST_NEAR, _SHOWN_COLUMNS = 16, 6, 5
#: Rows that stand for not knowing a value; a linear model needs their averages only.
_BACKGROUNDS = {"linear": 5000, "tree": 100, "members": 100}
_MOST_CELLS = 5_000_000
_MOST_TABLE, _MOST_CHANGES = 400, 3


def examples(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Explain a few answers, list the closest calls and turn one decision round."""
    case.affordable(0.5, case.n_rows, case.n_rows)
    parts = {"shapley": _shapley, "near": _near, "counterfactual": _turned}
    finding: dict[str, Any] = {}
    for name, part in parts.items():
        try:
            finding[name] = part(case, found)
        except TooLateError:
            finding[name] = {"reason": "There was no time left for this."}
        except InfimumError as error:
            finding[name] = {"reason": str(error)}
        except Exception as error:
            # One part that fails must not cost the others.
            words = f"{type(error).__name__}: {error}"
            finding[name] = {"reason": f"This could not be computed: {words}"}
    return finding


def _shapley(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Share out the answers about the least, the middle and the greatest row."""
    places, words = _telling(case.scores())
    finding = shared_out(case, case.rows[places])
    about = [
        {"row": int(place), "number": case.number(int(place)), "why": word}
        for place, word in zip(places, words, strict=True)
    ]
    rows = [{**a, **b} for a, b in zip(about, finding.pop("rows"), strict=True)]
    return {**finding, "rows": rows}


def shared_out(case: Case, rows: Any, label: Any = None) -> dict[str, Any]:
    """Share the answers about some rows out among the columns (Shapley values).

    Of classes it is the score or probability of a `label`, by default the last one.
    """
    background = _background(case)
    if case.named and case.columns:
        # Columns that the model does not see would be players without any part.
        rows, background = rows.select(case.columns), background.select(case.columns)
    finding = shapley_values(
        case.model, rows, background, target=label, rounds=2, seed=case.seed
    )
    return {
        "method": finding.method,
        "of": _unit(case, finding.response, label),
        "base": finding.base,
        "background": int(background.shape[0]),
        "rows": [
            {
                "answer": answer,
                "shares": _shares(case, rows, place, finding.names, values, errors),
            }
            for place, (answer, values, errors) in enumerate(
                zip(finding.answers, finding.values, finding.errors, strict=True)
            )
        ],
    }


def _near(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    if not case.classifies:
        return {"reason": "A model of numbers decides nothing that could be close."}
    finding = rows_near_decision(case.model, case.rows, _MOST_NEAR)
    columns = leading(case, found, _SHOWN_COLUMNS) if case.named else []
    likely = hasattr(case.model, "predict_proba")
    return {
        "unit": "probability" if likely else "score",
        "columns": [str(column) for column in columns],
        "rows": [
            {
                "row": int(row),
                "number": case.number(int(row)),
                "decision": str(decision),
                "truth": str(case.y[row]),
                "distance": float(distance),
                "values": [_value(case.rows, int(row), column) for column in columns],
            }
            for row, decision, distance in zip(
                finding.rows, finding.decisions, finding.distances, strict=True
            )
        ],
    }


def _turned(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Turn the median row of the rarer decision round, sensitive columns fixed."""
    width = max(1, len(case.columns)) if case.named else case.rows.shape[1]
    case.affordable(0.6, 40_000, 100 * width)
    if not case.named:
        return {"reason": "The columns of a sparse matrix are not changed one by one."}
    row, wanted = _row_to_turn(case)
    place = {"row": row, "number": case.number(row)}
    return {**turned_round(case, case.rows[[row]], wanted), **place}


def turned_round(case: Case, row: Any, wanted: Any = None) -> dict[str, Any]:
    """Find the least change of a row that turns the answer, among unseen values.

    The row is a table of one; sensitive columns stay as they are.
    """
    others = case.rows[case.some(_MOST_TABLE, stream=3)]
    used = set(case.columns) - set(case.sensitive)
    finding = counterfactual(
        case.model,
        pl.concat([row, others]),
        0,
        wanted=wanted,
        fixed=[name for name in row.columns if name not in used],
        max_changes=_MOST_CHANGES,
    )
    plain = {**finding.to_dict(), "fixed": list(case.sensitive)}
    ends = [] if wanted is None else [end for end in wanted if math.isfinite(end)]
    plain["wanted"] = float(ends[0]) if ends else None
    return plain


def _row_to_turn(case: Case) -> tuple[int, Any]:
    if not case.classifies:
        scores = case.scores()
        middle = float(np.median(scores))
        return int(np.argsort(scores, kind="stable")[3 * len(scores) // 4]), (
            -math.inf,
            middle,
        )
    said = np.asarray(case.model.predict(case.rows))
    labels, counts = np.unique(said, return_counts=True)
    rare = np.flatnonzero(said == labels[np.argmin(counts)])
    near = rows_near_decision(case.model, case.rows[rare], len(rare))
    return int(rare[near.rows[len(rare) // 2]]), None


def _telling(scores: Vector) -> tuple[Indices, list[str]]:
    order = np.argsort(scores, kind="stable")
    places = [int(order[0]), int(order[len(order) // 2]), int(order[-1])]
    words = ["the lowest answer", "the middle answer", "the highest answer"]
    kept = list(dict.fromkeys(places))
    return np.array(kept), [words[places.index(place)] for place in kept]


def _background(case: Case) -> Any:
    """Draw training rows that stand for not knowing a value: fewer for slow models."""
    n = len(case.training.y)
    order = np.random.default_rng([case.seed, 4]).permutation(n)
    # A model that has a structure to explain it by shows that with two rows.
    few = case.training.rows[np.sort(order[:2])]
    method = shapley_values(case.model, case.rows[[0]], few, rounds=1).method
    size = _BACKGROUNDS.get(method)
    if size is None:
        each = 12 * max(1, len(case.columns) + 1)
        size = min(case.affordable(0.5, _FEW_BACKGROUND * each, 4 * each) // each, 16)
    # Features are spelled out for all of these rows at once.
    last = case.model[-1] if hasattr(case.model, "steps") else case.model
    width = int(getattr(last, "n_features_in_", len(case.columns)))
    size = min(size, _MOST_CELLS // max(1, width))
    return case.training.rows[np.sort(order[: max(2, size)])]


def _shares(
    case: Case,
    rows: Any,
    row: int,
    names: tuple[str, ...],
    values: Vector,
    errors: Vector,
) -> list[dict[str, Any]]:
    order = np.argsort(-np.abs(values), kind="stable")
    kept = [place for place in order.tolist() if values[place] != 0][:12]
    shares = [
        {
            "column": names[place],
            "value": _value(rows, row, names[place]) if case.named else "",
            "share": float(values[place]),
            "error": float(errors[place]),
        }
        for place in kept
    ]
    rest = [place for place in order.tolist() if place not in set(kept)]
    left = float(values[rest].sum()) if rest else 0.0
    if left:
        slack = float(np.sqrt(np.square(errors[rest]).sum()))
        words = f"{len(rest)} others"
        shares.append({"column": words, "value": "", "share": left, "error": slack})
    return shares


def _value(rows: Any, row: int, column: Any) -> str:
    if column not in rows.columns:
        return ""
    value = rows[column][row]
    if value is None:
        return "missing"
    return f"{value:.5g}" if isinstance(value, float) else str(value)


def _unit(case: Case, response: str, label: Any) -> str:
    if not case.classifies:
        predicted = f"predicted {case.training.target}"
        words = {"prediction": "", "log prediction": "logarithm of the "}
        return words.get(response, f"{response} behind the ") + predicted
    return f"{response} of “{case.classes[-1] if label is None else label}”"


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
    return {"rows": [_row_finding(case, place) for place in range(len(asked.numbers))]}


def _row_finding(case: Case, place: int) -> dict[str, Any]:
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
        "shapley": _tried(lambda: _shared(case, row, name, said)),
        "counterfactual": _tried(lambda: _other_way(case, row, said)),
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


def _shared(case: Case, row: Any, name: str, said: Any) -> dict[str, Any]:
    # Two classes, or a scale of them, are told of by the last; others each by itself.
    apart = len(case.classes) > _TWO_CLASSES and case.training.goal != "ordinal"
    finding = shared_out(case, row, said if apart else None)
    (answer,) = finding.pop("rows")
    if isinstance(case.model, OneLabel):
        finding["of"] = f"probability of “{name}”"
    return {**finding, **answer}


def _other_way(case: Case, row: Any, said: Any) -> dict[str, Any]:
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
