"""Rows that were asked about: the answer, how sure it is, and what would turn it."""

from typing import Any

from infimum.report.findings import span
from infimum.report.numbers import figure, percent

__all__ = ["asked_title", "rows_to_explain"]

Plain = dict[str, Any]

_PRESENT = {"0": "no", "1": "yes"}
#: Of a row of the training the result itself says that nothing is promised.
_PARTS = {
    "test": ["The model has not seen this row."],
    "no target": ["The truth about this row is not known."],
}


def rows_to_explain(result: Plain) -> list[Plain]:
    """Return each row that was asked about with its answers in words.

    An answer has the name of its figure under ``figure``, and under ``shapley`` and
    ``counterfactual`` what the result tells.
    """
    found = (result.get("evidence") or {}).get("chosen", {}).get("rows", [])
    return [_row(result, place, row) for place, row in enumerate(found)]


def asked_title(result: Plain) -> str:
    """Say what is answered about the row, or that several were asked about."""
    told = (result.get("evidence") or {}).get("chosen", {})
    rows = told.get("rows", [])
    if not rows:
        asked = "reason" in told and (result.get("options") or {}).get("explain_row")
        return "The rows that were asked about" if asked else ""
    if len(rows) > 1 or len(rows[0]["answers"]) > 1:
        numbers = [str(row["row"]) for row in rows]
        several = f"Rows {', '.join(numbers[:-1])} and {numbers[-1]}"
        return f"{several if len(rows) > 1 else f'Row {numbers[0]}'}, as asked"
    (answer,) = rows[0]["answers"]
    said, sure = _written(answer["answer"], result), _short(answer, result)
    return f"Row {rows[0]['row']} is answered {said}{sure}"


def _row(result: Plain, place: int, row: Plain) -> Plain:
    answers = [
        {
            **answer,
            "name": f"asked_{place}_{number}",
            "tab": _tab(row, answer),
            "title": _title(row, answer, result),
            "words": [*_PARTS.get(row["part"], []), *_words(answer, result)],
        }
        for number, answer in enumerate(row["answers"])
    ]
    return {"row": row["row"], "answers": answers}


def _tab(row: Plain, answer: Plain) -> str:
    """Return the row, with the name of the label if it has several."""
    return f"Row {row['row']}" + (
        f", {answer['of']}" if len(row["answers"]) > 1 else ""
    )


def _title(row: Plain, answer: Plain, result: Plain) -> str:
    """Return the row and its answer."""
    said = _written(answer["answer"], result)
    return f"{_tab(row, answer)}: {said}{_short(answer, result)}"


def _words(answer: Plain, result: Plain) -> list[str]:
    """Return what is answered, what is promised about it, and the truth."""
    said = f"The model answers {_written(answer['answer'], result)}"
    chance = (answer.get("chances") or {}).get(str(answer["answer"]))
    if chance is not None:
        said += f", which it holds {percent(chance)} likely"
    truth = answer.get("truth")
    true = [] if truth is None else [f"In truth it is {_written(truth, result)}."]
    return [f"{said}.", _sure(answer["sure"], result), *true]


def _sure(told: Plain, result: Plain) -> str:
    if "reason" in told:
        return str(told["reason"])
    often = f"{percent(told['promised'], 0)} of such answers hold the truth"
    if told["kind"] == "interval":
        return f"The interval is {_reach(told)}; {often}."
    labels = [_written(label, result) for label in told["labels"]]
    if not labels:
        return f"No label is familiar enough for a set of which {often}."
    if len(labels) == 1:
        return f"No other label is to be reckoned with; {often}."
    listed = f"{', '.join(labels[:-1])} and {labels[-1]}"
    return f"The labels to reckon with are {listed}; {often}."


def _short(answer: Plain, result: Plain) -> str:
    """Return the interval or set in brackets; nothing if nothing is promised."""
    told = answer["sure"]
    if "reason" in told:
        return ""
    if told["kind"] == "interval":
        return f" ({_reach(told)})"
    others = [label for label in told["labels"] if label != answer["answer"]]
    names = [_written(label, result) for label in others]
    return f" (or {', '.join(names)})" if names else ""


def _reach(told: Plain) -> str:
    low, high = told["low"], told["high"]
    if low is None and high is None:
        return "without end on either side"
    if low is None or high is None:
        return f"up to {figure(high)}" if low is None else f"from {figure(low)} upwards"
    return span(low, high)


def _written(value: Any, result: Plain) -> str:
    """Write a label in quotes, a number in few digits, a label of several as yes."""
    if result.get("goal") == "multilabel":
        return _PRESENT.get(str(value), str(value))
    return f"“{value}”" if isinstance(value, str) else figure(value)
