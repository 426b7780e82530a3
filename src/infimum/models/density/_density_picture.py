"""Densities as pictures: a curve over one feature, contours over two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from infimum.errors import DataError
from infimum.typing import Vector

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["draw"]

CURVE, PLANE = 1, 2
FINE, COARSE = 400, 100
#: More samples than this would hide the picture.
SHOWN = 2000


def draw(model: Any, *, points: bool) -> Figure:
    """Return the figure of a fitted density of one or two features."""
    from plotly.graph_objects import Figure

    X = model.X_fit_
    if X.shape[1] > PLANE:
        raise DataError(
            f"A density of {X.shape[1]} features cannot be drawn: choose one or two."
        )
    margin = 3.0 * model.bandwidth_
    sides = [_side(X[:, t], margin, X.shape[1]) for t in range(X.shape[1])]
    names = getattr(model, "feature_names_in_", ("first feature", "second feature"))
    figure = Figure()
    if X.shape[1] == CURVE:
        heights = np.exp(model._log_density(sides[0][:, None]))
        figure.add_scatter(
            x=sides[0], y=heights, mode="lines", fill="tozeroy", name="density",
            line={"color": "#0072B2"},
        )  # fmt: skip
        figure.update_yaxes(title_text="density", rangemode="tozero")
    else:
        mesh = np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2)
        heights = np.exp(model._log_density(mesh)).reshape(COARSE, COARSE)
        figure.add_contour(
            x=sides[0], y=sides[1], z=heights, colorscale="Blues", ncontours=14,
            line={"width": 0.7}, colorbar={"title": "density"}, name="density",
        )  # fmt: skip
        figure.update_yaxes(title_text=names[1])
    if points:
        _add_points(figure, X)
    figure.update_xaxes(title_text=names[0])
    figure.update_layout(
        template="plotly_white", width=640, height=480, showlegend=False
    )
    return figure


def _side(column: Vector, margin: float, features: int) -> Vector:
    count = FINE if features == CURVE else COARSE
    return np.linspace(column.min() - margin, column.max() + margin, count)


def _add_points(figure: Figure, X: Any) -> None:
    some = X[:: max(1, len(X) // SHOWN)]
    down = np.zeros(len(some)) if X.shape[1] == CURVE else some[:, 1]
    # On a line samples are strokes above the axis, which would hide points.
    stroke = {"symbol": "line-ns-open", "size": 14} if X.shape[1] == CURVE else {}
    figure.add_scatter(
        x=some[:, 0], y=down, mode="markers", name="samples",
        marker={"size": 4, "color": "#D55E00", "opacity": 0.5, **stroke},
    )  # fmt: skip
