"""Traces as a picture: how fast the value falls and the proof closes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from infimum.parameters import Choice, check_domain
from infimum.study.convexity.descent.trace import Trace

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["plot"]

_AXES = {"iteration": "iteration", "seconds": "seconds"}
# Okabe and Ito's palette, distinguishable without colour vision.
_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")


def plot(
    traces: Trace | Mapping[str, Trace],
    against: str = "iteration",
    minimum: float | None = None,
) -> "Figure":
    """Draw one trace, or several by name, as a plotly figure.

    The upper panel shows the best value so far, or, when the `minimum` is known, how
    far above it that value is; the lower one shows the proven gaps, if there are any.
    `against` is ``"iteration"`` or ``"seconds"``.

    >>> import numpy as np
    >>> from infimum.study.convexity import NewtonMethod, Softplus, SquaredNorm
    >>> trace = NewtonMethod().minimize(Softplus() + SquaredNorm(), np.ones(3))
    >>> [line.name for line in plot({"Newton": trace}).data]
    ['Newton', 'Newton, gap']
    """
    check_domain("plot against", against, Choice(tuple(_AXES)))
    from plotly.subplots import make_subplots

    named = {"value": traces} if isinstance(traces, Trace) else dict(traces)
    proved = any(np.isfinite(trace.gaps).any() for trace in named.values())
    figure = make_subplots(rows=1 + proved, cols=1, shared_xaxes=True)
    for position, (name, trace) in enumerate(named.items()):
        _draw(figure, trace, against, (name, minimum, position))
    title = "value" if minimum is None else "value above the minimum"
    figure.update_yaxes(title_text=title, row=1, col=1)
    if minimum is not None:
        figure.update_yaxes(type="log", row=1, col=1)
    if proved:
        figure.update_yaxes(type="log", title_text="proven gap", row=2, col=1)
    figure.update_xaxes(title_text=_AXES[against], row=1 + proved, col=1)
    figure.update_layout(template="plotly_white")
    return figure


def _draw(
    figure: "Figure",
    trace: Trace,
    against: str,
    style: tuple[str, float | None, int],
) -> None:
    name, minimum, position = style
    line = {"color": _COLORS[position % len(_COLORS)]}
    across = trace.seconds if against == "seconds" else np.arange(len(trace.values))
    best = np.minimum.accumulate(trace.values)
    height = best if minimum is None else _drawable(best - minimum)
    figure.add_scatter(x=across, y=height, name=name, line=line, row=1, col=1)
    if np.isfinite(trace.gaps).any():
        figure.add_scatter(
            x=across,
            y=_drawable(trace.gaps),
            name=f"{name}, gap",
            line={**line, "dash": "dot"},
            row=2,
            col=1,
        )


def _drawable(heights: np.ndarray) -> np.ndarray:
    """Return the heights a logarithmic axis can show; the others leave no mark."""
    shown = np.isfinite(heights) & (heights > 0.0)
    return np.where(shown, heights, np.nan)
