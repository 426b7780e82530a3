"""A regression on the test rows: predictions against truth, and what is left over."""

import itertools
from typing import Any

from infimum.report.figures.frame import Figure, axis, frame, line
from infimum.report.figures.reach import coarsened, count_reach

__all__ = ["predicted_and_true", "residual_histogram"]


def predicted_and_true(result: dict[str, Any]) -> Figure | None:
    """Draw the true against the predicted target; perfect is the diagonal."""
    points = result["exam"]["curves"].get("points")
    if not points:
        return None
    ends = [
        min(*points["predicted"], *points["true"]),
        max(*points["predicted"], *points["true"]),
    ]
    diagonal = {
        "x": ends,
        "y": ends,
        "mode": "lines",
        "line": line("@muted", 1.2, "dot"),
        "hoverinfo": "skip",
    }
    cloud = {
        "x": points["predicted"],
        "y": points["true"],
        "mode": "markers",
        "marker": {"color": "@accent", "size": 6, "opacity": 0.55},
        "hovertemplate": "predicted %{x:.4g}, true %{y:.4g}<extra></extra>",
    }
    target = result["data"]["target"]
    return frame([diagonal, cloud], axis(f"predicted {target}"), axis(f"true {target}"))


def residual_histogram(result: dict[str, Any]) -> Figure | None:
    """Draw how the residuals are distributed."""
    histogram = result["exam"]["curves"].get("histogram")
    if not histogram:
        return None
    histogram = coarsened(histogram)
    edges = histogram["edges"]
    bars = {
        "type": "bar",
        "x": [(a + b) / 2 for a, b in itertools.pairwise(edges)],
        "y": histogram["counts"],
        "error_y": count_reach(histogram["counts"], sum(histogram["counts"])),
        "width": [b - a for a, b in itertools.pairwise(edges)],
        "marker": {"color": "@accent", "line": {"color": "@card", "width": 1}},
        "hovertemplate": "%{y} rows near %{x:.3g}<extra></extra>",
    }
    return frame([bars], axis("true minus predicted"), axis("rows"), bargap=0)
