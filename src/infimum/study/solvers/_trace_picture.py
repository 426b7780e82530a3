"""Traces of solvers as a picture: excess and gap, against iterations and seconds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from infimum.parameters import Choice, check_domain
from infimum.typing import Vector

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

    from infimum.study.solvers.trace import SolverTrace

__all__ = ["draw"]

#: Okabe and Ito's palette, distinguishable without colour vision.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
#: Lines up to this many records show each of them as a dot.
DOTS = 60
AXES = {
    "both": ("iteration", "seconds"),
    "iteration": ("iteration",),
    "seconds": ("seconds",),
}
ROWS = ("value above the best bound", "proven gap")


def draw(traces: Sequence[SolverTrace], against: str) -> Figure:
    """Return a figure with one line per trace in each panel."""
    check_domain("SolverTrace.plot against", against, Choice(tuple(AXES)))
    from plotly.subplots import make_subplots

    columns = AXES[against]
    figure = make_subplots(
        rows=2,
        cols=len(columns),
        shared_xaxes="columns",
        shared_yaxes="rows",
        horizontal_spacing=0.04,
        vertical_spacing=0.06,
    )
    floor = max(float(one.bounds[-1]) for one in traces)
    for place, one in enumerate(traces):
        _add(figure, one, floor, (columns, COLORS[place % len(COLORS)]))
    for row, title in enumerate(ROWS, 1):
        figure.update_yaxes(title_text=title, row=row, col=1)
    for column, title in enumerate(columns, 1):
        figure.update_xaxes(title_text=title, row=2, col=column)
        if title == "seconds":  # fast and slow methods differ by orders of magnitude
            figure.update_xaxes(type="log", exponentformat="power", dtick=1, col=column)
    figure.update_yaxes(type="log", exponentformat="power", dtick=_ticks(traces))
    figure.update_layout(
        template="plotly_white",
        height=560,
        width=520 * len(columns),
        margin={"l": 70, "r": 20, "t": 60, "b": 50},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        hovermode="closest",
    )
    return figure


def _add(
    figure: Figure,
    one: SolverTrace,
    floor: float,
    style: tuple[tuple[str, ...], str],
) -> None:
    columns, color = style
    best = np.minimum.accumulate(one.values)
    across = {"iteration": one.numbers, "seconds": _drawable(one.seconds)}
    for column, axis in enumerate(columns, 1):
        for row, height in enumerate((best - floor, one.gaps), 1):
            figure.add_scatter(
                x=across[axis],
                y=_drawable(height),
                name=one.name,
                legendgroup=one.name,
                showlegend=row == column == 1,
                mode="lines+markers" if len(one.values) <= DOTS else "lines",
                line={"color": color, "width": 2},
                marker={"size": 5},
                hovertemplate=f"{axis} %{{x:.4g}}<br>%{{y:.2e}}",
                row=row,
                col=column,
            )


def _drawable(heights: Vector) -> Vector:
    """Return the heights a logarithmic axis can show; the others leave no mark."""
    shown = np.isfinite(heights) & (heights > 0.0)
    return np.where(shown, heights, np.nan)


def _ticks(traces: Sequence[SolverTrace]) -> Any:
    """Return so many decades between ticks that they stay readable."""
    gaps = np.concatenate([_drawable(one.gaps) for one in traces])
    if np.isnan(gaps).all():
        return 1
    decades = np.log10(np.nanmax(gaps)) - np.log10(np.nanmin(gaps))
    return max(1, int(np.ceil(decades / 7.0)))
