"""Attributions: a model's answer about a row, shared out among the columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from infimum.evaluation import PlainRecord
from infimum.typing import Matrix, Vector

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["Attribution"]


@dataclass(frozen=True)
class Attribution(PlainRecord, told=("importance",)):
    """Shapley values of some rows: they add up from the base to the answer.

    Attributes
    ----------
    names : tuple of str
        The columns, or groups of columns.
    base : float
        The average answer to the background rows.
    values : ndarray of shape (rows, names)
        What each column adds to the base.
    errors : ndarray of shape (rows, names)
        Standard errors; 0 where the values are exact, given the background rows.
    answers : ndarray of shape (rows,)
        What the model says.
    response : str
        What the numbers are, such as "probability", "score" or, for boosted counts,
        "log prediction".
    method : {"linear", "tree", "members", "exact", "sampled"}
    """

    names: tuple[str, ...]
    base: float
    values: Matrix
    errors: Matrix
    answers: Vector
    response: str
    method: str

    @property
    def importance(self) -> Vector:
        """Average size of the values of each column."""
        return np.asarray(np.abs(self.values).mean(axis=0))

    def plot(self, row: int | None = None, most: int = 15) -> Figure:
        """Draw the values of one row, or the average sizes over all.

        Returns
        -------
        plotly.graph_objects.Figure
        """
        from infimum.theory.pictures import COLORS, blank_figure

        shown = self.importance if row is None else self.values[row]
        order = np.argsort(np.abs(shown), kind="stable")[-most:]
        title = f"average share of {self.response}"
        if row is not None:
            title = f"{self.response}: {self.base:.3g} → {self.answers[row]:.3g}"
        figure = blank_figure(title, "", height=110 + 26 * len(order))
        errors = np.zeros(len(order)) if row is None else 2 * self.errors[row][order]
        figure.add_bar(
            x=shown[order],
            y=[self.names[place] for place in order],
            orientation="h",
            marker={"color": [COLORS[int(value < 0)] for value in shown[order]]},
            error_x={"array": errors} if errors.any() else None,
        )
        return figure
