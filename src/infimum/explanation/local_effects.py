"""Accumulated local effects: what a column does where its values do occur."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from infimum.errors import DataError
from infimum.evaluation import PlainRecord
from infimum.explanation._mosaic import Mosaic
from infimum.explanation._response import Response, respond_to
from infimum.parameters import check_domain, whole
from infimum.typing import Indices, Vector

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["LocalEffects", "accumulated_local_effects"]


@dataclass(frozen=True)
class LocalEffects(PlainRecord):
    """The accumulated effect of a numeric column, with average 0 over the rows.

    Attributes
    ----------
    column : str
    edges : ndarray
        Ends of the stretches, values of the column.
    effects : ndarray
        Accumulated effect at each edge.
    errors : ndarray
        Standard error of the effect accumulated since the first edge.
    counts : ndarray
        Rows in each stretch, one less than edges.
    response : str
    """

    column: str
    edges: Vector
    effects: Vector
    errors: Vector
    counts: Indices
    response: str

    def plot(self) -> Figure:
        """Draw the effect with two standard errors.

        Returns
        -------
        plotly.graph_objects.Figure
        """
        from infimum.theory.pictures import COLORS, blank_figure

        title = f"effect on {self.response}"
        figure = blank_figure(self.column, title, showlegend=False)
        figure.add_scatter(
            x=self.edges,
            y=self.effects,
            mode="lines+markers",
            line={"color": COLORS[0], "width": 3},
            error_y={"array": 2 * self.errors},
        )
        figure.add_hline(y=0, line={"color": "grey", "width": 1})
        return figure


def accumulated_local_effects(
    model: Any,
    X: Any,
    column: Any,
    *,
    stretches: int = 20,
    response: str = "auto",
    target: Any = None,
) -> LocalEffects:
    """Move each row to the two ends of its own stretch, and add up the differences.

    Rows are only moved a little, so columns that move together do not lead the model to
    rows that cannot occur, and the effect of a column is not mixed with those of its
    companions.

    Parameters
    ----------
    model : fitted estimator, or a function of tables
    X : array, pandas or polars frame
    column : name or position of a numeric column
    stretches : int, default=20
        The most stretches, of about equally many rows.
    response, target : see `partial_dependence`

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.explanation import accumulated_local_effects
    >>> X = np.linspace(0, 1, 101)[:, None]
    >>> found = accumulated_local_effects(lambda X: 3 * X[:, 0], X, 0, stretches=2)
    >>> found.edges, found.effects.round(1)
    (array([0. , 0.5, 1. ]), array([-1.5,  0. ,  1.5]))

    References
    ----------
    D. Apley and J. Zhu (2020), Visualizing the effects of predictor variables in black
    box supervised learning models, JRSS B 82.
    """
    check_domain("accumulated_local_effects' stretches", stretches, whole(1))
    table = Mosaic(X)
    place = table.place(column)
    name, values = table.names[place], table.column(place)
    if values.dtype.kind != "f":
        raise DataError(
            f"Column {name!r} has no order to accumulate along; use partial_dependence."
        )
    rows = np.flatnonzero(np.isfinite(values))
    corners, edges = _corners(values, rows, stretches)
    owner = np.clip(np.searchsorted(edges, values[rows], side="left") - 1, 0, None)
    ask = Response(model, response, target)
    ends = []
    for side in (0, 1):
        sources = np.repeat(rows[:, None], len(table.names), axis=1)
        sources[:, place] = corners[owner + side]
        ends.append(respond_to(ask, table, sources))
    return _accumulate(name, edges, owner, ends[1] - ends[0], ask.name)


def _corners(values: Vector, rows: Indices, stretches: int) -> tuple[Indices, Vector]:
    """Return rows that hold the edges of the stretches, and the edges."""
    order = rows[np.argsort(values[rows], kind="stable")]
    if len(order) == 0 or values[order[0]] == values[order[-1]]:
        raise DataError("A column with one value only has no effect to accumulate.")
    steps = np.linspace(0, len(order) - 1, stretches + 1).round().astype(int)
    edges, first = np.unique(values[order[steps]], return_index=True)
    return np.asarray(order[steps][first]), edges


def _accumulate(
    name: str, edges: Vector, owner: Indices, jumps: Vector, response: str
) -> LocalEffects:
    counts = np.bincount(owner, minlength=len(edges) - 1)
    safe = np.maximum(counts, 1)
    local = np.bincount(owner, jumps, minlength=len(counts)) / safe
    squares = np.bincount(owner, np.square(jumps - local[owner]), minlength=len(counts))
    variances = squares / np.maximum(counts - 1, 1) / safe
    effects = np.concatenate([[0.0], np.cumsum(local)])
    # The average over rows, each at the middle of its stretch, is moved to 0.
    middles = 0.5 * (effects[:-1] + effects[1:])
    effects = effects - np.average(middles, weights=counts)
    errors = np.sqrt(np.concatenate([[0.0], np.cumsum(variances)]))
    return LocalEffects(name, edges, effects, errors, counts, response)
