"""The groups of a sensitive column: their rates, and what equality would cost."""

from typing import Any

from infimum.report.figures.frame import (
    Figure,
    axis,
    frame,
    label,
    line,
    series_color,
    series_dash,
    series_symbol,
)

__all__ = ["fairness_price", "rates_by_group"]

_MOST_ROOM = 64
_SHOWN = (
    "base rate",
    "selection rate",
    "true positive rate",
    "false positive rate",
    "positive predictive value",
    "false omission rate",
    "error rate",
)


def rates_by_group(told: dict[str, Any]) -> Figure | None:
    """Draw the rates of every group with their intervals, side by side."""
    groups = told.get("groups", [])
    names = [n for n in _SHOWN if groups and n in groups[0]["rates"]][::-1]
    if not names:
        return None
    step = 0.7 / len(groups)
    traces = [
        _group(group, names, place, 0.35 - step * (place + 0.5))
        for place, group in enumerate(groups)
    ]
    ticks = {"tickvals": list(range(len(names))), "ticktext": names}
    return frame(
        traces,
        axis("share of rows", tickformat=".0%", range=[-0.01, 1.01]),
        axis("", range=[-0.6, len(names) - 0.4], **ticks),
        height=110 + len(names) * _room(len(groups)),
        legend=True,
    )


def fairness_price(told: dict[str, Any]) -> Figure | None:
    """Draw the accuracy of the best group thresholds against the disparity left."""
    curves = told.get("trade_offs", [])
    if not curves:
        return None
    traces = [
        {
            "x": curve["disparities"],
            "y": curve["accuracies"],
            "mode": "lines+markers",
            "name": label(curve["aim"]),
            "line": {
                **line(series_color(place), 2, series_dash(place)),
                "shape": "hv",
            },
            "marker": {"size": 7, "symbol": series_symbol(place)},
            "error_y": {
                "array": _ends(curve, "high", 1),
                "arrayminus": _ends(curve, "low", -1),
                "color": series_color(place),
                "thickness": 0.8,
                "width": 3,
            },
            "hovertemplate": "disparity %{x:.1%}: accuracy %{y:.1%}<extra></extra>",
        }
        for place, curve in enumerate(curves)
    ]
    return frame(
        traces,
        axis("difference between groups that is left", tickformat=".0%"),
        axis("accuracy", tickformat=".1~%"),
        height=360,
        legend=True,
    )


def _group(
    group: dict[str, Any], names: list[str], place: int, shift: float
) -> dict[str, Any]:
    rates = [group["rates"][name] for name in names]
    seen = [rate["value"] is not None for rate in rates]
    kept = [rate for rate, known in zip(rates, seen, strict=True) if known]
    return {
        "x": [rate["value"] for rate in kept],
        "y": [i + shift for i, known in enumerate(seen) if known],
        "mode": "markers",
        "name": label(f"{group['name']} ({group['n']:,} rows)"),
        "meta": {
            "names": [
                label(f"{group['name']}: {name}")
                for name, known in zip(names, seen, strict=True)
                if known
            ]
        },
        "marker": {
            "size": 9,
            "color": series_color(place),
            "symbol": series_symbol(place),
        },
        "error_x": {
            "array": [rate["high"] - rate["value"] for rate in kept],
            "arrayminus": [rate["value"] - rate["low"] for rate in kept],
            "color": series_color(place),
            "thickness": 1.6,
            "width": 4,
        },
        "hovertemplate": "%{x:.1%}<extra>" + label(group["name"]) + "</extra>",
    }


def _room(groups: int) -> int:
    """Return the height of a rate: a screen holds seven, however many groups."""
    return min(24 + 11 * groups, _MOST_ROOM)


def _ends(curve: dict[str, Any], end: str, sign: int) -> list[float]:
    pairs = zip(curve[end], curve["accuracies"], strict=True)
    return [max(0.0, sign * (value - middle)) for value, middle in pairs]
