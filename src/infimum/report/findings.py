"""Findings: a title in words for each section whose evidence has one."""

from typing import Any

from infimum.report.names import quoted
from infimum.report.numbers import figure, percent

__all__ = ["energy_title", "findings", "power_range", "span"]

Plain = dict[str, Any]

#: Watts of a busy core, from a frugal laptop to a server with its memory.
_FRUGAL, _HUNGRY = 5.0, 30.0
#: A difference of rates that nobody would call fair: unless it is ruled out, nothing
#: is known.
_TOO_WIDE = 0.2


def findings(result: Plain) -> dict[str, str]:
    """Return the titles of the sections of evidence that can be shown."""
    evidence = result.get("evidence") or {}
    made = {
        "guarantees": _guarantees(evidence.get("guarantees", {})),
        "conformal": _conformal(evidence.get("conformal", {})),
        "importance": _importance(evidence.get("importance", {})),
        "effects": _effects(evidence.get("effects", {})),
        "examples": _examples(evidence.get("examples", {})),
        **_fairness(evidence.get("fairness", {})),
    }
    return {name: title for name, title in made.items() if title}


def span(low: float | None, high: float | None, *, share: bool = False) -> str:
    """Write an interval, as percentages if it is one of shares."""
    if low is None or high is None:
        return "not known"
    if share:
        return f"{100 * low:.1f} to {percent(high)}"
    return f"{figure(low)} to {figure(high)}"


def power_range(energy: Plain) -> str:
    """Say what the energy would be for frugal and for hungry processors."""
    return f"{_joules(energy)} at {_FRUGAL:g} to {_HUNGRY:g} W a core"


def _guarantees(told: Plain) -> str:
    bounds = told.get("bounds")
    if not bounds:
        return "Nothing more is proved about new rows" if told else ""
    first = bounds[0]
    most = percent(first["bound"]) if first["largest"] == 1 else figure(first["bound"])
    return f"The true {first['quantity']} is at most {most}"


def _conformal(told: Plain) -> str:
    if "coverage" not in told:
        return ""
    coverage = told["coverage"]
    names = {"intervals": "Intervals", "labels": "Answers about all labels"}
    what = names.get(told["kind"], "Sets of labels")
    sure = span(coverage["low"], coverage["high"], share=True)
    seen = f"{percent(coverage['measured'])} ({sure})"
    promised = percent(coverage["promised"], 0)
    if coverage["kept"]:
        return f"{what} held the truth in {seen} of test rows; {promised} were promised"
    return f"{what} held the truth in only {seen} of test rows, not {promised}"


def _importance(told: Plain) -> str:
    columns = told.get("columns")
    if not columns:
        return ""
    first = columns[0]
    if first["drop"] <= 2 * first["error"]:
        return "No single column is clearly needed"
    return (
        f"{quoted(first['column'])} matters most: shuffled, {told['score']} falls by "
        f"{figure(first['drop'], 2)} ± {figure(2 * first['error'], 2)}"
    )


def _effects(told: Plain) -> str:
    columns = told.get("columns")
    if not columns:
        return ""
    widest = max(columns, key=lambda each: max(each["mean"]) - min(each["mean"]))
    low, high = min(widest["mean"]), max(widest["mean"])
    error = 2 * max(widest["error"])
    # A line is as steep for every row: rounding is no uncertainty.
    same = error <= 1e-9 * (high - low)
    sure = "alike for all rows" if same else f"± {figure(error, 2)}"
    return (
        f"{quoted(widest['column'])} moves the average answer from {figure(low, 2)} to "
        f"{figure(high, 2)} ({sure})"
    )


def _examples(told: Plain) -> str:
    rows = told.get("shapley", {}).get("rows")
    if not rows:
        return "Single rows" if told and "reason" not in told else ""
    numbers = {1: "One answer", 2: "Two answers", 3: "Three answers"}
    start = numbers.get(len(rows), f"{len(rows)} answers")
    return f"{start}, shared out among the columns"


def _fairness(told: Plain) -> dict[str, str]:
    """Return the title of each sensitive column, and under one name that there are."""
    columns = told.get("columns") or []
    made = {
        f"fairness_{place}": _group_title(each) for place, each in enumerate(columns)
    }
    return {**made, "fairness": "Fairness"} if made else {}


def _group_title(each: Plain) -> str:
    name = quoted(each["column"])
    name += f" (answers about {quoted(each['label'])})" if "label" in each else ""
    if "reason" in each:
        return f"Nothing is known about the groups of {name}"
    if "criteria" not in each:
        return f"How far off the model is in the groups of {name}"
    proved = [row["criterion"] for row in each["criteria"] if row["proved"]]
    if not proved:
        widest = max((row["high"] or 0.0 for row in each["criteria"]), default=1.0)
        if widest > _TOO_WIDE:
            return (
                f"Too few rows to tell whether groups of {name} are treated alike: "
                f"differences up to {percent(widest, 0)} are not ruled out"
            )
        return f"No criterion of fairness is violated beyond chance for {name}"
    return f"Groups of {name} are treated differently: {', '.join(proved)} violated"


def energy_title(told: Plain) -> str:
    """Say how much energy went into what; nothing if none was measured."""
    if "joules" not in told:
        return ""
    how = "measured" if told["measured"] else "estimated"
    joules = figure(told["joules"], 2)
    seconds = figure(told["processor_seconds"], 2)
    sure = "" if told["measured"] else f" ({_joules(told)})"
    return f"{joules} J{sure} for {told['of']}, {how} from {seconds} processor seconds"


def _joules(energy: Plain) -> str:
    """Return the energy from frugal to hungry processors."""
    seconds = energy["processor_seconds"]
    return f"{figure(seconds * _FRUGAL, 2)} to {figure(seconds * _HUNGRY, 2)} J"
