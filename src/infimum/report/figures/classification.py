"""A classifier on the test rows: ROC and calibration."""

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
from infimum.report.figures.reach import count_reach
from infimum.report.names import cut

__all__ = ["calibration", "roc"]

#: Together with a small table of confusions they fill a screen.
_HEIGHT, _LONGEST = 280, 28


def roc(result: dict[str, Any]) -> Figure | None:
    """Draw the ROC curves, one a class if there are more than two."""
    curves = result["exam"]["curves"].get("roc")
    if not curves:
        return None
    single = len(curves) == 1
    reaches = [_vertical(result, curve) for curve in curves]
    band = [_band(curves[0], reaches[0])] if single and reaches[0] else []
    traces = [_diagonal(), *band] + [
        {
            "x": curve["false_positive_rate"],
            "y": curve["true_positive_rate"],
            "mode": "lines",
            "name": label(_area(curve)),
            "line": _stroke(place, single=single),
            **({"error_y": reach} if reach else {}),
            "hovertemplate": "finds %{y:.0%}, accuses %{x:.0%}<extra></extra>",
        }
        for place, (curve, reach) in enumerate(zip(curves, reaches, strict=True))
    ]
    return frame(
        traces,
        axis("false positive rate", range=[0, 1.01], tickformat=".0%"),
        axis("true positive rate", range=[0, 1.01], tickformat=".0%"),
        height=_HEIGHT,
        legend=not single,
    )


def _stroke(place: int, *, single: bool) -> dict[str, Any]:
    if single:
        return line("@accent", 2.5)
    return line(series_color(place), 2.2, series_dash(place))


def _vertical(result: dict[str, Any], curve: dict[str, Any]) -> dict[str, Any]:
    """Return how far each true positive rate may be off; weighted rows do not say."""
    exam, classes = result["exam"], result["classes"]
    if exam.get("weights") or curve["label"] not in classes:
        return {}
    rows = int(sum(exam["curves"]["confusion"][classes.index(curve["label"])]))
    counts = [round(share * rows) for share in curve["true_positive_rate"]]
    return count_reach(counts, rows, unit=1 / rows, visible=False) if rows else {}


def _band(curve: dict[str, Any], reach: dict[str, Any]) -> dict[str, Any]:
    x, y = curve["false_positive_rate"], curve["true_positive_rate"]
    upper = [a + b for a, b in zip(y, reach["array"], strict=True)]
    lower = [a - b for a, b in zip(y, reach["arrayminus"], strict=True)]
    return {
        "x": x + x[::-1],
        "y": upper + lower[::-1],
        "fill": "toself",
        "fillcolor": "@band",
        "line": {"width": 0},
        "mode": "lines",
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _area(curve: dict[str, Any]) -> str:
    """Return the label with its area and where the true one lies."""
    told = f"{cut(curve['label'], _LONGEST)} ({curve['area']:.2f}"
    return (
        f"{told}, {curve['low']:.2f} to {curve['high']:.2f})"
        if "low" in curve
        else (f"{told})")
    )


def calibration(result: dict[str, Any]) -> Figure | None:
    """Draw observed against promised frequencies; None without probabilities."""
    curve = result["exam"]["curves"].get("calibration")
    if not curve:
        return None
    top = min(1.05 * max(*curve["promised"], *_highest(curve), 0.05), 1.03)
    largest = max(curve["counts"])
    marks = {
        "x": curve["promised"],
        "y": curve["observed"],
        "mode": "lines+markers",
        "line": line("@accent", 2),
        "marker": {"size": [6 + 6 * (n / largest) ** 0.5 for n in curve["counts"]]},
        "error_y": _reach(curve),
        "customdata": curve["counts"],
        "hovertemplate": "promised %{x:.1%}, observed %{y:.1%} of %{customdata} rows"
        "<extra></extra>",
    }
    return frame(
        [_diagonal(top), marks],
        axis("promised probability", range=[0, top], tickformat=".0%"),
        axis("observed frequency", range=[0, top], tickformat=".0%"),
        height=_HEIGHT,
    )


def _highest(curve: dict[str, Any]) -> list[float]:
    return list(curve.get("high", curve["observed"]))


def _reach(curve: dict[str, Any]) -> dict[str, Any]:
    """Return the exact intervals of the observed shares; older results have none."""
    if "high" not in curve:
        return {"visible": False}
    seen = curve["observed"]
    return {
        "array": [high - o for high, o in zip(curve["high"], seen, strict=True)],
        "arrayminus": [o - low for low, o in zip(curve["low"], seen, strict=True)],
        "color": "@muted",
        "thickness": 1.2,
        "width": 4,
    }


def _diagonal(top: float = 1.0) -> dict[str, Any]:
    return {
        "x": [0, top],
        "y": [0, top],
        "mode": "lines",
        "line": line("@muted", 1.2, "dot"),
        "hoverinfo": "skip",
        "showlegend": False,
    }
