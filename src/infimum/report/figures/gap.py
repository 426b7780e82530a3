"""How fast each solver closed its duality gap."""

from typing import Any

from infimum.report.figures.frame import (
    Figure,
    axis,
    frame,
    label,
    line,
    series_color,
    series_dash,
)

__all__ = ["gap_over_time"]


def gap_over_time(result: dict[str, Any]) -> Figure | None:
    """Draw the relative duality gap of every contender against time."""
    contenders = [contender for contender in result["contenders"] if contender["trace"]]
    if not contenders:
        return None
    traces = [
        {
            "x": [1000 * point["seconds"] for point in contender["trace"]],
            "y": [point["gap"] for point in contender["trace"]],
            "mode": "lines+markers",
            "name": label(contender["label"]),
            "line": line(
                series_color(place), _width(result, contender), series_dash(place)
            ),
            "marker": {"size": 4},
            "hovertemplate": "%{x:.3g} ms, gap %{y:.1e}<extra>"
            + label(contender["label"])
            + "</extra>",
        }
        for place, contender in enumerate(contenders)
    ]
    return frame(
        traces,
        axis("milliseconds", rangemode="tozero"),
        axis("relative duality gap", type="log", exponentformat="power", dtick=2),
        height=430,
        legend=True,
    )


def _width(result: dict[str, Any], contender: dict[str, Any]) -> float:
    return 3.5 if contender["name"] == result["choice"]["name"] else 1.8
