"""Runs side by side: what each measured, with its interval."""

from collections.abc import Mapping, Sequence

from infimum.report.figures.frame import Figure, axis, clipped, frame, label

__all__ = ["run_intervals"]

_LONGEST, _FEW = 28, 6


def run_intervals(
    runs: Mapping[str, tuple[float, Sequence[float]]], words: str
) -> Figure:
    """Draw a value with its interval for each run, the first on top."""
    names = list(runs)[::-1]
    values = [runs[name][0] for name in names]
    ends = [runs[name][1] for name in names]
    places = list(range(len(names)))
    dots = {
        "x": values,
        "y": places,
        "mode": "markers",
        "marker": {"size": 11, "color": "@accent"},
        "meta": {"names": [label(name) for name in names]},
        "error_x": {
            "array": [max(0.0, e[1] - v) for v, e in zip(values, ends, strict=True)],
            "arrayminus": [
                max(0.0, v - e[0]) for v, e in zip(values, ends, strict=True)
            ],
            "color": "@accent",
            "thickness": 2,
            "width": 7,
        },
        "hovertemplate": "%{x:.4g}<extra></extra>",
    }
    short = [clipped(name, _LONGEST) for name in names]
    ticks = {"tickvals": places, "ticktext": short}
    return frame(
        [dots],
        axis(words),
        axis("", range=[-0.6, len(names) - 0.4], **ticks),
        height=100 + (44 if len(names) <= _FEW else 26) * len(names),
    )
