"""Rounds of coordinate descent on wide sparse least squares, with few columns read."""

from __future__ import annotations

from collections.abc import Generator
from itertools import count
from typing import NamedTuple, TypeAlias

import numpy as np

from infimum.data.designs import StandardizedDesign
from infimum.losses import Squared
from infimum.objectives import Evaluation, LinearRisk
from infimum.penalties import SeparablePenalty
from infimum.solvers.coordinates._bounded_correlations import BoundedCorrelations
from infimum.solvers.coordinates._column_access import has_columns
from infimum.solvers.coordinates._quadratic_model import QuadraticModel, minimize_model
from infimum.solvers.coordinates._sparse_evaluation import Place, SparseEvaluation
from infimum.solvers.progress import Iterate, Patience
from infimum.typing import Indices, Vector

__all__ = ["bounded_rounds", "may_be_bounded"]

#: Narrower tables are read faster than thought about.
WIDE = 1_000
#: A mean this small, relative to the length of the column, is rounding.
CENTRED = 1e-12
#: Most columns worked on; fewer than so many are not worth a choice.
MOST_MEMBERS, FEW = 2_000, 50
#: Columns join that correlate by nearly as much as the corner, or as last time's slope
#: of the path makes likely, but no less than half of it.
NEARLY, LEAST = 0.95, 0.5
#: Gaps from which on the rounding of a Gram matrix is nothing: members are not read.
FINE = 1e-9
#: Rounds without a narrower gap after which rounding has the last word.
STALL_LIMIT = 20

#: As `Descent`, but it returns a point from which another method should go on.
Rounds: TypeAlias = Generator[Iterate, float, Evaluation]


def may_be_bounded(risk: LinearRisk) -> bool:
    """Tell whether `bounded_rounds` knows this kind of risk."""
    penalty, design = risk.penalty, risk.design
    if not isinstance(penalty, SeparablePenalty) or penalty.elastic is None:
        return False
    one_price = len(penalty.settings) == 1 and float(np.max(penalty.corner)) > 0.0
    if not one_price or getattr(penalty, "positive", False):
        return False
    if not isinstance(risk.loss, Squared) or risk.offset is not None:
        return False
    if isinstance(design, StandardizedDesign) and np.all(design.scale == 1.0):
        design = design.original
    elif risk.intercept:
        return False
    wide = design.shape[1] >= WIDE and design.dtype == np.float64
    return wide and has_columns(design) and _centred(risk)


def _centred(risk: LinearRisk) -> bool:
    """Tell whether a free intercept leaves the other coefficients alone."""
    if not risk.intercept:
        return True
    return risk.memory.made(_Means, lambda: _Means.of(risk)).small


class _Means(NamedTuple):
    """Whether the means of all columns are small beside the longest of them."""

    small: bool

    @classmethod
    def of(cls, risk: LinearRisk) -> _Means:
        means = np.abs(risk.design.pull_back(risk.weights))
        lengths = np.sqrt(risk.design.squared_norms(risk.weights))
        return cls(bool(np.all(means <= CENTRED * lengths.max())))


def bounded_rounds(here: Evaluation, tolerance: float, norms: Vector) -> Rounds:
    """Yield ever better points with their proofs, as long as columns are few.

    Returns the last point, when there are too many columns or no more progress.
    """
    run = _Run(here, tolerance, norms)
    columns, corner, patience = run.columns, run.corner, Patience(STALL_LIMIT)
    beyond = columns.beyond(run.likely)
    if not run.ahead:  # where a path goes on, its last point is no news
        yield Iterate(run.evaluated(beyond), 0)
    columns.corner = corner
    for iteration in count(1):
        used = int(np.count_nonzero(run.w))
        fresh = _largest(beyond, max(FEW, 2 * used))
        if len(columns.members) + len(fresh) > MOST_MEMBERS:
            run.forget_unused()
        if len(columns.members) + len(fresh) > MOST_MEMBERS:
            break
        run.join(fresh)
        moved = run.minimize(beyond)
        beyond = columns.beyond(run.foreseen)
        gap = yield Iterate(run.evaluated(beyond), iteration)
        if patience.lost(gap, iteration) or not (moved or len(beyond[0])):
            break
    return run.evaluated(columns.beyond(corner))


class _Run:
    """The members' coefficients, and what follows from them."""

    def __init__(self, here: Evaluation, tolerance: float, norms: Vector) -> None:
        risk = self.risk = here.risk
        assert isinstance(risk.penalty, SeparablePenalty)
        self.penalty, self.tolerance = risk.penalty, tolerance
        self.corner = float(np.max(self.penalty.corner))
        self.columns = risk.memory.made(
            BoundedCorrelations, lambda: BoundedCorrelations(risk, norms)
        )
        place = here.place if isinstance(here, SparseEvaluation) else None
        known = place is not None and place is self.columns.place
        #: Whether this run goes on with a path from a stronger penalty.
        self.ahead = known and self.corner < self.columns.corner
        #: What will be `likely` when the path goes on as it does.
        self.foreseen = self.corner
        if self.ahead:
            self.foreseen = self._soon(
                self.corner**2 / self.columns.corner, self.corner
            )
        if known:
            assert place is not None
            self.w, self.correlation = place.w, place.correlation
            self.intercept = place.intercept
        else:
            self._arrive(here)

    def _arrive(self, here: Evaluation) -> None:
        """Begin at a point that this method has not left behind itself."""
        risk, columns = self.risk, self.columns
        residual, self.intercept = risk.y - here.scores, float(here.point[-1])
        if risk.intercept:
            excess = float(risk.weights @ residual)
            residual, self.intercept = residual - excess, self.intercept + excess
        columns.move_to(residual)
        used = np.flatnonzero(here.point[:-1])
        fresh = np.setdiff1d(used, columns.members)
        if len(fresh):
            columns.join(fresh)
        self.w = here.point[columns.members]
        self.correlation = columns.exact(columns.members)

    @property
    def likely(self) -> float:
        """The correlation from which on a column may soon be in use.

        Along a path correlations change no faster, mostly, than the strength does.
        """
        return self._soon(self.corner, self.columns.corner)

    def _soon(self, corner: float, last: float) -> float:
        ahead = 2.0 * corner - last if last > corner else corner
        return min(max(ahead, LEAST * corner), NEARLY * corner)

    def join(self, fresh: Indices) -> None:
        """Make some columns members, with coefficient 0."""
        if len(fresh):
            self.columns.join(fresh)
            self.w = np.append(self.w, np.zeros(len(fresh)))
            joined = self.columns.exact(fresh)
            self.correlation = np.append(self.correlation, joined)

    def forget_unused(self) -> None:
        """Keep only the members that are in use."""
        kept = np.flatnonzero(self.w)
        self.columns.retain(kept)
        self.w, self.correlation = self.w[kept], self.correlation[kept]

    def minimize(self, beyond: tuple[Indices, Vector]) -> bool:
        """Minimise over the members; tell whether a coefficient changed."""
        worst = max(self._residue(self.w, self.correlation),
                    self._residue(np.zeros(len(beyond[1])), beyond[1]))  # fmt: skip
        floor = 0.1 * self.tolerance * max(self.corner, 1e-3 * worst)
        gradient, start = np.append(-self.correlation, 0.0), np.append(self.w, 0.0)
        columns = self.columns
        model = QuadraticModel(
            columns.members,
            self.risk.design,
            columns.gram,
            gradient,
            start,
            columns.factor,
        )
        found = minimize_model(model, self.penalty, max(1e-2 * worst, floor))[:-1]
        changes, self.w = found - self.w, found
        columns.move_to(columns.moved(changes))
        if self.tolerance >= FINE:
            self.correlation = self.correlation - columns.answered(changes)
        else:
            self.correlation = columns.exact(columns.members)
        return bool(changes.any())

    def _residue(self, w: Vector, correlation: Vector) -> float:
        """Return how far a proximal gradient step of length 1 would move something."""
        step = w - self.penalty.prox(w + correlation, 1.0)
        return float(np.abs(step).max(initial=0.0))

    def evaluated(self, beyond: tuple[Indices, Vector]) -> Evaluation:
        """Return the point with its value and a lower bound.

        Columns that are neither members nor `beyond` the corner, or less, restrict the
        dual in nothing: their share of Ω* is 0.
        """
        risk, residual = self.risk, self.columns.residual
        correlation = np.concatenate([self.correlation, beyond[1]])
        scale = self.penalty.dual_scale(correlation)
        weighted = risk.weights * residual
        square, fit = float(weighted @ residual), float(weighted @ risk.y)
        dual = scale * fit - 0.5 * scale**2 * square
        here = SparseEvaluation.at(risk, self._place(), risk.y - residual)
        here.__dict__.update(
            empirical=0.5 * square,
            value=0.5 * square + self.penalty.value(self.w),
            proven=dual - self.penalty.conjugate(scale * correlation),
        )
        return here

    def _place(self) -> Place:
        """Return where this is, and remember it as the end of the run."""
        columns = self.columns
        if columns.place is None:
            columns.place = Place(
                columns.members,
                self.w,
                self.intercept,
                self.correlation,
                columns.blank_point,
            )
        return columns.place


def _largest(beyond: tuple[Indices, Vector], size: int) -> Indices:
    """Return the columns that correlate most, in order."""
    places, correlation = beyond
    if len(places) > size:
        best = np.argpartition(-np.abs(correlation), size - 1)[:size]
        places = np.sort(places[best])
    return places
