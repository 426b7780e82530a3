"""The columns: how much the model relies on each, and how the answer moves with it."""

from typing import Any

from infimum.report.figures.frame import (
    Figure,
    axis,
    clipped,
    fitting,
    frame,
    label,
    line,
    short,
)

__all__ = ["column_effect", "column_importance"]

_MOST, _LONGEST, _LONGEST_LEVEL = 18, 30, 22
_EFFECT = 310


def column_importance(evidence: dict[str, Any]) -> Figure | None:
    """Draw the fall of the score for each column, with two standard errors."""
    told = evidence.get("importance", {})
    columns = told.get("columns", [])[:_MOST]
    if not columns:
        return None
    long = any(len(each["column"]) > _LONGEST for each in columns)
    room = 36 if long else 26
    columns = columns[: fitting(len(columns), room)][::-1]
    places = list(range(len(columns)))
    dots = {
        "x": [each["drop"] for each in columns],
        "y": places,
        "mode": "markers",
        "marker": {
            "size": 10,
            "color": [
                "@accent" if each["drop"] > 2 * each["error"] else "@muted"
                for each in columns
            ],
        },
        "error_x": {
            "array": [2 * each["error"] for each in columns],
            "color": "@muted",
            "thickness": 1.8,
            "width": 5,
        },
        "customdata": [label(each["column"]) for each in columns],
        "hovertemplate": "%{customdata}: %{x:.3g}<extra></extra>",
    }
    names = [short(each["column"], _LONGEST) for each in columns]
    return frame(
        [dots],
        axis(
            f"fall of {told['score']} ± 2 s.e.",
            zeroline=True,
            zerolinecolor="@rule",
        ),
        axis("", tickvals=places, ticktext=names, range=[-0.7, len(columns) - 0.3]),
        height=100 + room * len(columns),
    )


def column_effect(told: dict[str, Any], words: str) -> Figure:
    """Draw partial dependence and, for numbers, accumulated local effects."""
    y = axis(words)
    if not told["numeric"]:
        return _levels(told, y)
    traces = [_single(told), _band(told), _average(told)]
    if told["local"]:
        traces.append(_local(told))
    return frame(traces, axis(told["column"]), y, height=_EFFECT, legend=True)


def _levels(told: dict[str, Any], answer: dict[str, Any]) -> Figure:
    """Draw a level a line, the first on top: names have more room beside the plot."""
    names = ["missing" if v is None else str(v) for v in told["values"]][::-1]
    places = list(range(len(names)))
    dots = {
        "x": told["mean"][::-1],
        "y": places,
        "mode": "markers",
        "name": "partial dependence",
        "marker": {"size": 10, "color": "@accent"},
        "customdata": [label(name) for name in names],
        "error_x": {
            "array": _twice(told["error"])[::-1],
            "color": "@muted",
            "width": 6,
        },
        "hovertemplate": "%{customdata}: %{x:.3g}<extra></extra>",
    }
    ticks = [clipped(name, _LONGEST_LEVEL) for name in names]
    across = axis(
        told["column"],
        range=[-0.6, len(names) - 0.4],
        tickvals=places,
        ticktext=ticks,
    )
    return frame([dots], answer, across, height=_EFFECT)


def _single(told: dict[str, Any]) -> dict[str, Any]:
    """Return the curves of single rows as one line with gaps."""
    x: list[Any] = []
    y: list[Any] = []
    for curve in told["curves"]:
        x += [*told["values"], None]
        y += [*curve, None]
    return {
        "x": x,
        "y": y,
        "mode": "lines",
        "name": "single rows",
        "line": line("@faint", 1),
        "hoverinfo": "skip",
    }


def _band(told: dict[str, Any]) -> dict[str, Any]:
    pairs = list(zip(told["mean"], _twice(told["error"]), strict=True))
    upper, lower = [m + e for m, e in pairs], [m - e for m, e in pairs]
    return {
        "x": told["values"] + told["values"][::-1],
        "y": upper + lower[::-1],
        "fill": "toself",
        "fillcolor": "@band",
        "line": {"width": 0},
        "mode": "lines",
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _average(told: dict[str, Any]) -> dict[str, Any]:
    return {
        "x": told["values"],
        "y": told["mean"],
        "mode": "lines+markers",
        "name": "partial dependence",
        "line": line("@accent", 2.5),
        "marker": {"size": 5},
        "error_y": {"array": _twice(told["error"]), "visible": False},
        "hovertemplate": "%{x:.4g}: %{y:.3g}<extra></extra>",
    }


def _local(told: dict[str, Any]) -> dict[str, Any]:
    """Return the local effects, moved from average 0 to the average answer."""
    local = told["local"]
    middle = local["average"]
    return {
        "x": local["edges"],
        "y": [effect + middle for effect in local["effects"]],
        "mode": "lines",
        "name": "accumulated local effects",
        "line": line("@warm", 2, "dash"),
        "error_y": {
            "array": _twice(local["errors"]),
            "color": "@warm",
            "thickness": 1,
            "width": 3,
        },
        "hovertemplate": "%{x:.4g}: %{y:.3g}<extra></extra>",
    }


def _twice(errors: list[float]) -> list[float]:
    return [2 * each for each in errors]
