"""A map drawn: one point a sample, coloured by what is known about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from infimum.data.doors import array
from infimum.errors import DataError

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["plot_map"]

#: More different values than this are a scale, not classes.
CLASSES = 20
PLANE, SPACE = 2, 3
#: Twenty colours that can be told apart, the strongest first.
COLOURS = (
    "#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b", "#e377c2",
    "#17becf", "#bcbd22", "#7f7f7f", "#aec7e8", "#ff9896", "#98df8a", "#ffbb78",
    "#c5b0d5", "#c49c94", "#f7b6d2", "#9edae5", "#dbdb8d", "#c7c7c7",
)  # fmt: skip


def plot_map(
    Z: Any, colors: Any = None, *, title: str | None = None, size: int = 6
) -> Figure:
    """Draw a map of two or three dimensions.

    Both axes of the plane have one scale, since only distances mean something.

    Parameters
    ----------
    Z : array-like of shape (n_samples, 2 or 3)
    colors : array-like of shape (n_samples,), optional
        Up to 20 different values are classes with a colour each, more numbers a scale.
    title : str, optional
    size : int, default=6
        Of the points, in pixels.

    Examples
    --------
    >>> figure = plot_map([[0.0, 0.0], [1.0, 2.0]], ["left", "right"])
    >>> [trace.name for trace in figure.data]
    ['left', 'right']
    """
    from plotly.graph_objects import Figure, Scatter3d, Scattergl

    Z = array(Z)
    if Z.shape[1] not in {PLANE, SPACE}:
        raise DataError(
            f"plot_map draws two or three dimensions, got a map of {Z.shape[1]}."
        )
    values = np.zeros(len(Z), dtype=int) if colors is None else np.asarray(colors)
    if values.shape != (len(Z),):
        raise DataError(
            f"plot_map needs a colour for each of {len(Z)} points, got {values.shape}."
        )
    trace = Scattergl if Z.shape[1] == PLANE else Scatter3d
    figure = Figure()
    for name, rows, paint in _groups(values):
        places = dict(zip("xyz", Z[rows].T, strict=False))
        marker = {"size": size, "opacity": 0.8, **paint}
        figure.add_trace(trace(**places, mode="markers", name=name, marker=marker))
    figure.update_layout(
        template="plotly_white",
        title=title,
        width=820,
        height=720,
        showlegend=colors is not None and len(figure.data) > 1,
        legend={"itemsizing": "constant"},
    )
    figure.update_yaxes(scaleanchor="x", scaleratio=1)
    return figure


def _groups(values: Any) -> Any:
    names = np.unique(values)
    if len(names) > CLASSES:
        if not np.issubdtype(values.dtype, np.number):
            raise DataError(
                f"plot_map has colours for {CLASSES} classes, got {len(names)}."
            )
        scale = {"color": values, "colorscale": "Viridis", "showscale": True}
        yield None, slice(None), scale
        return
    for place, name in enumerate(names):
        yield str(name), values == name, {"color": COLOURS[place]}
