"""A picture of a proof: how the two bounds on the least risk came together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

    from infimum.certificates.certificate import Certificate

__all__ = ["draw"]

_ABOVE, _BELOW, _BETWEEN = "#D55E00", "#0072B2", "rgba(120, 120, 120, 0.25)"


def draw(certificate: Certificate, history: Sequence[Any] = ()) -> Figure:
    """Return the bounds of a certificate, along the history of the fit if it is given.

    `history` is the ``history_`` of a model: steps with seconds, primal and dual.
    """
    from plotly.graph_objects import Figure

    steps = [(step.seconds, step.primal, step.dual) for step in history]
    last = steps[-1][0] if steps else 0.0
    steps.append((last, certificate.primal, certificate.dual))
    if len(steps) == 1:  # a bound has no width to be seen without a second moment
        steps.append((1.0, certificate.primal, certificate.dual))
    seconds, upper, lower = np.array(steps, dtype=np.float64).T
    lower = np.maximum.accumulate(np.where(np.isfinite(lower), lower, -np.inf))
    known = np.isfinite(lower)
    figure = Figure()
    figure.add_scatter(
        x=seconds[known],
        y=lower[known],
        name="no model below",
        line={"color": _BELOW, "shape": "hv"},
    )
    figure.add_scatter(
        x=seconds,
        y=upper,
        name="risk reached",
        line={"color": _ABOVE, "shape": "hv"},
        fill="tonexty",
        fillcolor=_BETWEEN,
    )
    figure.update_layout(
        template="plotly_white",
        title={"text": str(certificate).partition(":")[0]},
        xaxis={"title": {"text": "seconds"}, "visible": len(history) > 0},
        yaxis={"title": {"text": "risk"}},
        legend={"orientation": "h"},
        width=620,
        height=420,
    )
    return figure
