"""Several labels: how often answers to each are wrong, and what guessing would do."""

from typing import Any

from infimum.report.figures.frame import Figure, axis, fitting, frame, label, short

__all__ = ["label_errors"]

_LONGEST = 30


def label_errors(result: dict[str, Any]) -> Figure | None:
    """Draw the error rate of each label with its interval, the worst on top."""
    labels = sorted(result["exam"]["bound"]["labels"], key=lambda each: each["upper"])
    if not labels:
        return None
    each = 40 if any(len(told["label"]) > _LONGEST for told in labels) else 30
    shown = labels[-fitting(len(labels), each, around=110) :]
    places = list(range(len(shown)))
    names = [short(told["label"], _LONGEST) for told in shown]
    ticks = {"tickvals": places, "ticktext": names}
    return frame(
        [_guessed(shown, places), _wrong(shown, places)],
        axis("share of test rows", tickformat=".0%", rangemode="tozero"),
        axis("", range=[-0.6, len(shown) - 0.4], **ticks),
        height=110 + each * len(shown),
        legend=True,
    )


def _wrong(shown: list[dict[str, Any]], places: list[int]) -> dict[str, Any]:
    return {
        "x": [each["estimate"] for each in shown],
        "y": places,
        "mode": "markers",
        "name": "wrong answers",
        "marker": {"size": 10, "color": "@accent"},
        "error_x": {
            "array": [each["high"] - each["estimate"] for each in shown],
            "arrayminus": [each["estimate"] - each["low"] for each in shown],
            "color": "@accent",
            "thickness": 1.8,
            "width": 5,
        },
        "customdata": [label(each["label"]) for each in shown],
        "hovertemplate": "%{customdata}: %{x:.1%} wrong<extra></extra>",
    }


def _guessed(shown: list[dict[str, Any]], places: list[int]) -> dict[str, Any]:
    """Return how often the more frequent answer would have been wrong on these rows."""
    return {
        "x": [min(each["share"], 1 - each["share"]) for each in shown],
        "y": places,
        "mode": "markers",
        "name": "always the more frequent answer",
        "marker": {"size": 12, "symbol": "line-ns-open", "color": "@warm"},
        "hovertemplate": "guessing: %{x:.1%}<extra></extra>",
    }
