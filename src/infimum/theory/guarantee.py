"""A guarantee: what has been proved about the future of a model, in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from infimum.theory.plain_record import PlainRecord

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plotly.graph_objects import Figure

__all__ = ["Guarantee", "plot_guarantees"]

_LARGE, _HUGE = 1e4, 1e12


@dataclass(frozen=True)
class Guarantee(PlainRecord, told=("vacuous", "sentence")):
    r"""An upper bound of a risk that holds with a stated probability.

    .. math:: R \le \hat R + \text{capacity} + \text{slack}
        \quad\text{with probability at least } \text{confidence}

    Attributes
    ----------
    quantity : str
        What is bounded, such as "error rate".
    method : str
        The inequality behind the bound.
    estimate : float
        What was measured on `n` rows.
    bound : float
        What the true value does not exceed.
    confidence : float
        Probability, over the draw of the rows, that the statement is true.
    n : int
        Number of rows measured.
    comparisons : int
        Number of models, or statements, among which one was chosen; all of them hold
        together with the probability stated.
    largest : float
        The largest value that the quantity can take: a bound from there on is vacuous.
    capacity : float
        The part of the bound that pays for the richness of the class; 0 on test rows.
    slack : float
        The part of the bound that pays for the luck of the draw.
    rows : str
        Which rows were measured, such as "unseen rows".
    assumption : str
        What the proof takes for granted.
    """

    quantity: str
    method: str
    estimate: float
    bound: float
    confidence: float
    n: int
    comparisons: int = 1
    largest: float = 1.0
    capacity: float = 0.0
    slack: float = 0.0
    rows: str = "unseen rows"
    assumption: str = "rows are drawn independently from one law"

    @property
    def vacuous(self) -> bool:
        """Whether the bound says nothing that was not known before."""
        return self.bound >= self.largest

    @property
    def sentence(self) -> str:
        """The guarantee as a reader without mathematics wants it."""
        share = self.quantity.endswith("rate")
        what = f"{_article(self.quantity)} {self.quantity}"
        value = _number(self.estimate, share=share)
        measured = f"{self.n:,} {self.rows} gave {what} of {value}"
        if self.vacuous:
            return (
                f"{measured}, which allows no promise: the bound ({self.method}) is "
                f"{_number(self.bound, share=share)}, vacuous."
            )
        chosen = (
            f", even after choosing among {self.comparisons:,} models"
            if self.comparisons > 1
            else ""
        )
        return (
            f"{measured}; with {100 * self.confidence:.4g} % confidence the true "
            f"{self.quantity} is at most {_number(self.bound, share=share)}{chosen}."
        )


def plot_guarantees(guarantees: Sequence[Guarantee]) -> Figure:
    """Draw several guarantees: what was measured, and how far the proof reaches.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    from infimum.theory.pictures import COLORS, blank_figure

    names = [f"{each.quantity}<br>{each.method}" for each in guarantees]
    estimates = [each.estimate for each in guarantees]
    reach = [each.bound - each.estimate for each in guarantees]
    figure = blank_figure("", "", height=120 + 60 * len(names), showlegend=False)
    figure.add_scatter(
        x=estimates,
        y=names,
        mode="markers",
        marker={"size": 10, "color": COLORS[0]},
        error_x={"array": reach, "arrayminus": [0.0] * len(names), "thickness": 2},
        customdata=[each.sentence for each in guarantees],
        hovertemplate="%{customdata}<extra></extra>",
    )
    return figure


def _number(value: float, *, share: bool) -> str:
    if share:
        return f"{100 * value:.3g} %"
    # Prices and wages are read in thousands, not in powers of ten.
    return f"{value:,.0f}" if _LARGE <= abs(value) < _HUGE else f"{value:.4g}"


def _article(noun: str) -> str:
    return "an" if noun[:1].lower() in "aeiou" else "a"
