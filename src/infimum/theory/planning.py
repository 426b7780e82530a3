"""Planning: how many rows a promise costs, bound by bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from infimum.parameters import check_domain, opened, positive, whole
from infimum.theory.bounds import VCBound
from infimum.theory.concentration import (
    Bernstein,
    Chebyshev,
    Concentration,
    ExactBinomial,
    Hoeffding,
    NormalApproximation,
    UnionBound,
)
from infimum.theory.plain_record import PlainRecord

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["Plan", "PlannedRows", "plan"]

_FEW, _POINTS = 0.2, 40


@dataclass(frozen=True)
class PlannedRows(PlainRecord):
    """How many rows one bound asks for, and what it takes for granted."""

    kind: str
    method: str
    rows: float
    approximate: bool
    assumption: str


@dataclass(frozen=True)
class Plan(PlainRecord, told=("sentence",)):
    """The rows that make an error rate known within `within`, by each bound."""

    within: float
    confidence: float
    error_rate: float | None
    vc: float | None
    models: int
    rows: tuple[PlannedRows, ...]

    @property
    def sentence(self) -> str:
        """The least number of unseen rows that a proof asks for."""
        proved = [
            each for each in self.rows if each.kind == "test" and not each.approximate
        ]
        least = min(proved, key=lambda each: each.rows)
        known = self.error_rate
        rate = "" if known is None else f", if it is {100 * known:g} %"
        return (
            f"{least.rows:,.0f} unseen rows tell the error rate within "
            f"{100 * self.within:g} points with {100 * self.confidence:g} % confidence"
            f"{rate} ({least.method})."
        )

    def plot(self) -> Figure:
        """Draw the rows of every bound against the precision, both logarithmic."""
        from infimum.theory.pictures import COLORS, blank_figure

        figure = blank_figure("within", "rows", height=460)
        steps = [
            self.within * (_FEW / self.within) ** (k / _POINTS)
            for k in range(_POINTS + 1)
        ]
        if self.within >= _FEW:
            steps = [self.within * 0.1 ** (k / _POINTS) for k in range(_POINTS + 1)]
        drawn = [
            plan(
                step,
                self.confidence,
                error_rate=self.error_rate,
                vc=self.vc,
                models=self.models,
            ).rows
            for step in steps
        ]
        for place, each in enumerate(self.rows):
            figure.add_scatter(
                x=steps,
                y=[rows[place].rows for rows in drawn],
                name=f"{each.method} ({each.kind} rows)",
                mode="lines",
                line={
                    "color": COLORS[place % len(COLORS)],
                    "dash": "dot" if each.approximate else "solid",
                },
            )
        figure.update_xaxes(type="log", tickformat=".1%")
        figure.update_yaxes(type="log")
        return figure


def plan(
    within: float,
    confidence: float = 0.95,
    *,
    error_rate: float | None = None,
    vc: float | None = None,
    models: int = 1,
) -> Plan:
    """Return how many rows each bound needs to know an error rate this well.

    Parameters
    ----------
    within : float
        Largest difference between measured and true error rate.
    confidence : float, default=0.95
    error_rate : float, optional
        What the error rate is about; None plans for the worst, one half.
    vc : float, optional
        VC dimension of the class, for training rows.
    models : int, default=1
        How many models are compared on the same test rows.

    Examples
    --------
    >>> from infimum.theory import plan
    >>> for each in plan(0.02, error_rate=0.1, vc=11).rows:
    ...     print(f"{each.method:<22}{each.rows:>10,}")
    Chebyshev                  4,500
    Hoeffding                  4,612
    Bernstein                  1,783
    exact binomial               901
    normal approximation         865
    VC bound               1,525,531
    """
    check_domain("plan's within", within, opened(0, 1))
    check_domain("plan's confidence", confidence, opened(0, 1))
    check_domain("plan's models", models, whole(1))
    if error_rate is not None:
        check_domain("plan's error_rate", error_rate, opened(0, 1))
    if vc is not None:
        check_domain("plan's vc", vc, positive)
    delta = 1 - confidence
    made = [
        _tested(name, UnionBound(each, models), within, delta)
        for name, each in _inequalities(error_rate).items()
    ]
    if vc is not None:
        bound = VCBound(vc)
        rows = bound.sample_size(within, delta)
        made.append(
            PlannedRows("training", bound.method, rows, False, bound.assumption)
        )
    return Plan(within, confidence, error_rate, vc, models, tuple(made))


def _inequalities(error_rate: float | None) -> dict[str, Concentration]:
    variance = 0.25 if error_rate is None else error_rate * (1 - error_rate)
    made: dict[str, Concentration] = {
        "Chebyshev": Chebyshev(variance),
        "Hoeffding": Hoeffding(),
        "Bernstein": Bernstein(variance),
    }
    if error_rate is not None:
        made["exact binomial"] = ExactBinomial(error_rate)
    return made | {"normal approximation": NormalApproximation(variance)}


def _tested(name: str, each: UnionBound, within: float, delta: float) -> PlannedRows:
    rows = each.sample_size(within, delta)
    return PlannedRows("test", name, rows, bool(each.approximate), str(each.assumption))
