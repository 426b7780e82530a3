"""Pictures of results: the quiet frame and the colours that all of them share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["COLORS", "GREY", "blank_figure"]

#: Okabe and Ito's palette, distinguishable without colour vision.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
GREY = "rgba(120, 120, 120, 0.5)"


def blank_figure(x: str, y: str, *, height: int = 420, **layout: Any) -> Figure:
    """Return an empty Plotly figure with these titles of its axes.

    Examples
    --------
    >>> blank_figure("dose", "response").layout.xaxis.title.text
    'dose'
    """
    from plotly.graph_objects import Figure

    figure = Figure()
    figure.update_layout(
        template="plotly_white",
        height=height,
        width=620,
        margin={"l": 60, "r": 20, "t": 40, "b": 50},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        xaxis={"title": {"text": x}, "automargin": True},
        yaxis={"title": {"text": y}, "automargin": True},
    )
    figure.update_layout(**layout)
    return figure
