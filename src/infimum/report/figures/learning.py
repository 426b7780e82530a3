"""What more rows bring: the score against the number of rows learned from."""

from typing import Any

from infimum.report.figures.frame import Figure, axis, frame, line

__all__ = ["learning_curve"]

_HEIGHT = 280


def learning_curve(evidence: dict[str, Any]) -> Figure | None:
    """Draw the score of each part of the rows, with two standard errors."""
    told = evidence.get("learning_curve") or {}
    if "points" not in told:
        return None
    points = told["points"]
    curve = {
        "x": [each["rows"] for each in points],
        "y": [each["score"] for each in points],
        "error_y": {"array": [2 * (each["error"] or 0.0) for each in points]},
        "mode": "lines+markers",
        "name": told["score"],
        "line": line("@accent", 2.5),
        "hovertemplate": "%{x} rows: %{y:.4g}<extra></extra>",
    }
    rows = [each["rows"] for each in points]
    ticks = {"tickvals": rows, "ticktext": [f"{each:,}" for each in rows]}
    return frame(
        [curve],
        axis("rows learned from", type="log", **ticks),
        axis(f"{told['score']} on test rows ± 2 s.e."),
        height=_HEIGHT,
    )
