"""The p-values of a detector on the test rows; familiar rows spread them evenly."""

import itertools
from typing import Any

from infimum.report.figures.frame import Figure, axis, frame, line
from infimum.report.figures.reach import coarsened, count_reach

__all__ = ["p_value_histogram"]


def p_value_histogram(result: dict[str, Any]) -> Figure | None:
    """Draw how many test rows have which p-value, and how many are expected."""
    histogram = result["exam"]["curves"].get("p_values")
    if not histogram or not sum(histogram["counts"]):
        return None
    histogram = coarsened(histogram)
    edges, counts = histogram["edges"], histogram["counts"]
    bars = {
        "type": "bar",
        "name": "test rows",
        "x": [(a + b) / 2 for a, b in itertools.pairwise(edges)],
        "y": counts,
        "error_y": count_reach(counts, sum(counts)),
        "width": [b - a for a, b in itertools.pairwise(edges)],
        "marker": {"color": "@accent", "line": {"color": "@card", "width": 1}},
        "hovertemplate": "%{y} rows near %{x:.3g}<extra></extra>",
    }
    evenly = sum(counts) / len(counts)
    expected = {
        "x": [edges[0], edges[-1]],
        "y": [evenly, evenly],
        "name": "expected",
        "mode": "lines",
        "line": line("@muted", 1.2, "dot"),
        "hoverinfo": "skip",
    }
    return frame([bars, expected], axis("p-value"), axis("test rows"), bargap=0)
