"""Partial dependence: how a model's answer moves with one column, row by row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from infimum.errors import DataError
from infimum.evaluation import PlainRecord
from infimum.explanation._mosaic import Mosaic
from infimum.explanation._response import Response, respond_to
from infimum.parameters import check_domain, whole
from infimum.typing import Indices, Matrix, Vector

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["Dependence", "partial_dependence"]


@dataclass(frozen=True)
class Dependence(PlainRecord, told=("mean", "error")):
    """The answers of a model when one column is set to each of some values.

    Attributes
    ----------
    column : str
    values : tuple
        The values, in order for numbers, the most frequent first for categories.
    individual : ndarray of shape (rows, values)
        One curve a row: individual conditional expectation.
    rows : ndarray
        The positions of these rows in the table.
    response : str
        What the numbers are, such as "probability".
    numeric : bool
    """

    column: str
    values: tuple[Any, ...]
    individual: Matrix
    rows: Indices
    response: str
    numeric: bool

    @property
    def mean(self) -> Vector:
        """The partial dependence: the average over rows, one number a value."""
        return np.asarray(self.individual.mean(axis=0))

    @property
    def error(self) -> Vector:
        """Standard error of the differences of `mean` from its own average."""
        if len(self.individual) == 1:
            return np.zeros(len(self.values))
        centred = self.individual - self.individual.mean(axis=1, keepdims=True)
        return np.asarray(centred.std(axis=0, ddof=1) / np.sqrt(len(centred)))

    @property
    def heterogeneity(self) -> float:
        """Share of the curves' movement that their average does not show, 0 to 1."""
        centred = self.individual - self.individual.mean(axis=1, keepdims=True)
        total = float(np.square(centred).mean())
        kept = float(np.square(centred.mean(axis=0)).mean())
        return 0.0 if total == 0 else 1 - kept / total

    def plot(self, curves: int = 50) -> Figure:
        """Draw the average with two standard errors, and some of the single curves.

        Returns
        -------
        plotly.graph_objects.Figure
        """
        from infimum.theory.pictures import COLORS, GREY, blank_figure

        figure = blank_figure(self.column, self.response, showlegend=False)
        x = list(self.values) if self.numeric else [str(v) for v in self.values]
        for row in self.individual[:curves]:
            figure.add_scatter(
                x=x, y=row, mode="lines", line={"color": GREY, "width": 0.7}
            )
        figure.add_scatter(
            x=x,
            y=self.mean,
            mode="lines+markers" if self.numeric else "markers",
            line={"color": COLORS[0], "width": 3},
            error_y={"array": 2 * self.error},
        )
        return figure


def partial_dependence(
    model: Any,
    X: Any,
    column: Any,
    *,
    points: int = 20,
    rows: int = 200,
    response: str = "auto",
    target: Any = None,
    seed: int = 0,
) -> Dependence:
    """Set one column to each of its usual values in many rows, and ask the model.

    The values are quantiles that occur in the table, or its most frequent categories.
    The average shows the effect of the column alone if the others do not move with it;
    where they do, rows that cannot occur are asked about, and
    `accumulated_local_effects` is the better picture.

    Parameters
    ----------
    model : fitted estimator, or a function of tables
    X : array, pandas or polars frame
    column : name or position
    points : int, default=20
        The most values to try.
    rows : int, default=200
        The most rows to try them in, drawn at random.
    response : {"auto", "probability", "score", "prediction"}, default="auto"
    target : label, optional
        The class whose probability or score is asked for; None is the last one.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.explanation import partial_dependence
    >>> X = np.arange(20.0).reshape(10, 2)
    >>> found = partial_dependence(lambda X: X[:, 0] ** 2, X, 0, points=3)
    >>> found.values, found.mean
    ((0.0, 8.0, 18.0), array([  0.,  64., 324.]))

    References
    ----------
    J. Friedman (2001), Greedy function approximation, Annals of Statistics 29.
    A. Goldstein et al. (2015), Peeking inside the black box, JCGS 24.
    """
    check_domain("partial_dependence's points", points, whole(2))
    check_domain("partial_dependence's rows", rows, whole(1))
    table = Mosaic(X)
    place = table.place(column)
    examples = _examples(table, place, points)
    ask = Response(model, response, target)
    order = np.random.default_rng(seed).permutation(table.n_rows)
    chosen = np.sort(order[:rows])
    sources = np.repeat(chosen[:, None], len(table.names), axis=1)
    sources = np.repeat(sources, len(examples), axis=0)
    sources[:, place] = np.tile(examples, len(chosen))
    said = respond_to(ask, table, sources).reshape(len(chosen), len(examples))
    values = table.column(place)[examples].tolist()
    return Dependence(
        table.names[place],
        tuple(values),
        said,
        chosen,
        ask.name,
        numeric=table.numeric(place),
    )


def _examples(table: Mosaic, place: int, points: int) -> Indices:
    """Return rows that have the values to try."""
    values = table.column(place)
    if values.dtype.kind == "f":
        known = np.flatnonzero(np.isfinite(values))
        if len(known) == 0:
            name = table.names[place]
            raise DataError(f"Column {name!r} has no known value to try.")
        order = known[np.argsort(values[known], kind="stable")]
        steps = np.linspace(0, len(order) - 1, points).round().astype(int)
        chosen = order[steps]
        _, first = np.unique(values[chosen], return_index=True)
        return np.asarray(chosen[first])
    texts = np.array([str(value) for value in values])
    _, first, counts = np.unique(texts, return_index=True, return_counts=True)
    return np.asarray(first[np.argsort(-counts, kind="stable")][:points])
