"""What decisions cost along the threshold of a probability."""

from typing import Any

from infimum.report.figures.frame import Figure, axis, frame, line

__all__ = ["cost_curve"]

_HEIGHT = 260


def cost_curve(evidence: dict[str, Any]) -> Figure | None:
    """Draw the mean cost of a test row at every threshold, and the one that is used."""
    told = evidence.get("costs") or {}
    if "curve" not in told:
        return None
    best = told["cheapest"]
    traces = [
        {
            "x": told["curve"]["thresholds"],
            "y": told["curve"]["costs"],
            "mode": "lines",
            "name": "mean cost",
            "line": line("@accent", 2.5),
            "hovertemplate": "from %{x:.0%} on: %{y:.3g}<extra></extra>",
        },
        {
            "x": [told["threshold"]],
            "y": [best["mean"]],
            "mode": "markers",
            "name": "threshold in use",
            "marker": {"color": "@ink", "size": 10},
            "error_y": {
                "array": [best["high"] - best["mean"]],
                "arrayminus": [best["mean"] - best["low"]],
            },
            "hovertemplate": "from %{x:.1%} on: %{y:.3g}<extra></extra>",
        },
    ]
    return frame(
        traces,
        axis(f"threshold of the probability of {told['of']}", tickformat=".0%"),
        axis("mean cost of a row", rangemode="tozero"),
        height=_HEIGHT,
        legend=False,
    )
