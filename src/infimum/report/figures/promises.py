"""Figures of promises: how far each proof reaches, and how often answers hold."""

from typing import Any

from infimum.report.figures.frame import Figure, axis, fitting, frame, label, short
from infimum.report.figures.reach import count_reach

__all__ = ["conformal_answers", "guarantee_reach"]

_LONGEST, _A_LABEL, _ELSE = 30, 36, 90


def guarantee_reach(evidence: dict[str, Any]) -> Figure | None:
    """Draw what was measured, and how far the true value may be above it."""
    bounds = evidence.get("guarantees", {}).get("bounds", [])[::-1]
    if not bounds:
        return None
    share = all(each["largest"] == 1 for each in bounds)
    places = list(range(len(bounds)))
    measured = {
        "x": [each["estimate"] for each in bounds],
        "y": places,
        "mode": "markers",
        "name": "measured, up to the bound",
        "marker": {"color": "@accent", "size": 11},
        "error_x": {
            "array": [each["bound"] - each["estimate"] for each in bounds],
            "arrayminus": [0.0] * len(bounds),
            "color": "@accent",
            "thickness": 2.5,
            "width": 7,
        },
        "customdata": [each["bound"] for each in bounds],
        "hovertemplate": "measured %{x:.3g}, at most %{customdata:.3g}<extra></extra>",
    }
    ticks = {"tickvals": places, "ticktext": [_words(each) for each in bounds]}
    form = {"tickformat": ".0%"} if share else {}
    return frame(
        [measured],
        axis("measured, at most", rangemode="tozero", **form),
        axis("", gridcolor="rgba(0,0,0,0)", range=[-0.6, len(bounds) - 0.4], **ticks),
        height=90 + 64 * len(bounds),
    )


def conformal_answers(evidence: dict[str, Any], target: str) -> Figure | None:
    """Draw the intervals of some rows with their truth, or the sizes of the sets."""
    told = evidence.get("conformal", {})
    if "shown" in told:
        return _intervals(told["shown"], target)
    if "sizes" in told:
        return _sizes(told["sizes"])
    if "labels" in told:
        return _open(told["labels"])
    return None


def _intervals(shown: dict[str, Any], target: str) -> Figure | None:
    if any(end is None for end in (*shown["low"], *shown["high"])):
        return None
    said, ends = shown["predicted"], list(zip(shown["low"], shown["high"], strict=True))
    reach = {
        "x": said,
        "y": said,
        "mode": "markers",
        "name": "predicted, with interval",
        "marker": {"color": "@muted", "size": 3},
        "error_y": {
            "array": [high - s for (_, high), s in zip(ends, said, strict=True)],
            "arrayminus": [s - low for (low, _), s in zip(ends, said, strict=True)],
            "color": "@muted",
            "thickness": 1.2,
            "width": 0,
        },
        "hovertemplate": "predicted %{x:.4g}<extra></extra>",
    }
    rows = list(zip(said, shown["true"], ends, strict=True))
    inside = [(x, y) for x, y, (low, high) in rows if low <= y <= high]
    outside = [(x, y) for x, y, (low, high) in rows if not low <= y <= high]
    truth = [
        _truth(inside, "true, inside", {"color": "@accent", "size": 7}),
        _truth(outside, "true, outside", {"color": "@warm", "size": 7, "symbol": "x"}),
    ]
    return frame(
        [reach, *truth], axis(f"predicted {target}"), axis(target), legend=True
    )


def _truth(
    points: list[tuple[float, float]], name: str, marker: dict[str, Any]
) -> dict[str, Any]:
    return {
        "x": [x for x, _ in points],
        "y": [y for _, y in points],
        "mode": "markers",
        "name": name,
        "marker": marker,
        "hovertemplate": "true %{y:.4g}<extra></extra>",
    }


def _sizes(sizes: dict[str, Any]) -> Figure:
    bars = {
        "type": "bar",
        "x": [str(each) for each in sizes["labels"]],
        "y": sizes["rows"],
        "error_y": count_reach(sizes["rows"], sum(sizes["rows"])),
        "marker": {"color": "@accent"},
        "hovertemplate": "%{y} rows have %{x} label(s)<extra></extra>",
    }
    return frame(
        [bars],
        axis("labels in the answer", type="category"),
        axis("test rows", rangemode="tozero"),
        height=250,
        bargap=0.7,
    )


def _open(labels: list[dict[str, Any]]) -> Figure:
    """Draw how often each label is left open, the most often on top."""
    most = fitting(len(labels), _A_LABEL, lost=_ELSE)
    shown = sorted(labels, key=lambda each: each["open"])[-most:]
    places = list(range(len(shown)))
    dots = {
        "x": [each["open"] for each in shown],
        "y": places,
        "mode": "markers",
        "marker": {"color": "@accent", "size": 10},
        "error_x": {
            "array": [each["high"] - each["open"] for each in shown],
            "arrayminus": [each["open"] - each["low"] for each in shown],
            "color": "@muted",
            "thickness": 1.8,
            "width": 5,
        },
        "hovertemplate": "%{x:.1%} left open<extra></extra>",
    }
    names = [short(each["label"], _LONGEST) for each in shown]
    return frame(
        [dots],
        axis("share of test rows left open", tickformat=".0%"),
        axis("", range=[-0.6, len(shown) - 0.4], tickvals=places, ticktext=names),
        height=100 + _A_LABEL * len(shown),
    )


def _words(bound: dict[str, Any]) -> str:
    """Return what is bounded, by whom and for how many models, a line each."""
    models = bound["comparisons"]
    among = f"all {models:,} models" if models > 1 else "this model"
    name = bound["quantity"].rpartition("(")[2].strip(")")
    lines = (f"{name[:1].upper()}{name[1:]}", bound["method"], among)
    return "<br>".join(label(each) for each in lines)
