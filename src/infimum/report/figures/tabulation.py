"""The numbers behind a figure, as a table that can be read and downloaded."""

import html
from typing import Any

from infimum.report.figures.frame import Figure

__all__ = ["tabulated"]

_HEADER = ("series", "x", "y", "low", "high")


def tabulated(figure: Figure) -> dict[str, Any]:
    """Return the columns and rows of what a figure shows, without its guide lines.

    The columns are named after the axes; a column that no trace fills is left out. The
    names of places on an axis stand for their numbers.
    """
    layout = figure["layout"]
    ticks = {each: _ticks(layout[f"{each}axis"]) for each in "xy"}
    rows = [
        row
        for trace in figure["data"]
        if trace.get("hoverinfo") != "skip"
        for row in _rows(trace, ticks)
    ]
    names = (
        "series",
        _title(layout, "x"),
        _title(layout, "y"),
        *_HEADER[3:],
    )
    filled = [
        place
        for place in range(len(_HEADER))
        if any(row[place] not in (None, "") for row in rows)
    ]
    return {
        "columns": [names[place] for place in filled],
        "rows": [[row[place] for place in filled] for row in rows],
    }


def _rows(trace: dict[str, Any], ticks: dict[str, dict[Any, str]]) -> list[list[Any]]:
    name = trace.get("name", "")
    names = trace.get("meta", {}).get("names") or [name] * len(trace["x"])
    names = [html.unescape(each) for each in names]
    spans = _spans(trace)
    return [
        [label, ticks["x"].get(x, x), ticks["y"].get(y, y), *span]
        for label, x, y, span in zip(names, trace["x"], trace["y"], spans, strict=True)
        if x is not None
    ]


def _spans(trace: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Return the ends of the error bars, whichever axis they are along."""
    for axis in "xy":
        bars = trace.get(f"error_{axis}")
        if bars and "array" in bars:
            up, down = bars["array"], bars.get("arrayminus", bars["array"])
            return [
                (_plus(value, less, -1), _plus(value, more, 1))
                for value, more, less in zip(trace[axis], up, down, strict=True)
            ]
    return [(None, None)] * len(trace["x"])


def _plus(value: Any, reach: Any, sign: int) -> Any:
    return None if value is None or reach is None else value + sign * reach


def _ticks(axis: dict[str, Any]) -> dict[Any, str]:
    texts = axis.get("ticktext", ())
    return {
        value: html.unescape(text.replace("<br>", " "))
        for value, text in zip(axis.get("tickvals", ()), texts, strict=True)
    }


def _title(layout: dict[str, Any], axis: str) -> str:
    shown = layout[f"{axis}axis"]["title"]["text"]
    return html.unescape(layout.get("meta", {}).get(axis) or shown) or axis
