"""Draw losses together: as functions of the margin or residual, and as conjugates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from infimum.errors import IncompatibleError
from infimum.losses._loss import Loss
from infimum.typing import Vector

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["compare"]

POINTS = 401
#: What the horizontal axis is, and the target at which the losses are drawn.
READINGS = {
    "sign": ("margin y·f", 1.0),
    "real": ("residual f - y", 0.0),
    "count": ("score f, for the count y = 1", 1.0),
    "positive": ("score f, for the amount y = 1", 1.0),
    "fraction": ("score f, for the fraction y = 1/2", 0.5),
}


def compare(losses: Sequence[Loss], *, reach: float = 3.0) -> Figure:
    """Draw losses that read the same kind of target in one figure.

    On the left each loss against the margin y·f (labels) or the residual f - y
    (measurements), on the right its conjugate against the slope, where it is finite.

    Parameters
    ----------
    losses : sequence of Loss
        At least one loss of a single score; all with the same kind of target.
    reach : float, default=3.0
        Half the width of the horizontal axes.

    Returns
    -------
    plotly.graph_objects.Figure
        Two panels with one line per loss in each.
    """
    from plotly.graph_objects import Figure, Scatter

    axis, target = _reading(losses)
    f = np.linspace(-reach, reach, POINTS)
    y = np.full(POINTS, target)
    figure = Figure()
    for loss in losses:
        curves = ((f, loss.value(y, f), ""), _finite(f, loss.conjugate(y, f)))
        for (x, height, panel), seen in zip(curves, (True, False), strict=True):
            figure.add_trace(
                Scatter(
                    x=x,
                    y=height,
                    name=repr(loss),
                    legendgroup=repr(loss),
                    showlegend=seen,
                    xaxis=f"x{panel}",
                    yaxis=f"y{panel}",
                )
            )
    figure.update_layout(
        xaxis={"domain": [0.0, 0.46], "title": axis},
        yaxis={"title": "loss", "rangemode": "tozero"},
        xaxis2={"domain": [0.54, 1.0], "title": "slope", "range": [-reach, reach]},
        yaxis2={"title": "conjugate", "anchor": "x2"},
    )
    return figure


def _reading(losses: Sequence[Loss]) -> tuple[str, float]:
    alone = isinstance(losses, Loss)
    if alone or not losses or not all(isinstance(loss, Loss) for loss in losses):
        raise IncompatibleError(
            "compare draws losses of a single score; give it at least one of them."
        )
    kinds = sorted({loss.target for loss in losses})
    if len(kinds) > 1:
        raise IncompatibleError(
            f"compare draws losses of one kind of target, got {' and '.join(kinds)}."
        )
    return READINGS[kinds[0]]


def _finite(slopes: Vector, values: Vector) -> tuple[Vector, Vector, str]:
    """Return the part of a conjugate that can be drawn, for the second panel."""
    kept = np.isfinite(values)
    return slopes[kept], values[kept], "2"
