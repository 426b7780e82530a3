"""Losses with kinks, rounded off: a start that Newton's method reaches in few passes.

The Moreau envelope of a loss replaces each kink by a piece of a parabola. Its slopes
are slopes of the loss itself, so they prove a lower bound for the original problem; and
the gap they leave is a mean over the few samples near a kink, quadratic in the width of
the rounding. On tall tables that proof is often all that was asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from infimum.losses import Hinge, Loss
from infimum.objectives import Evaluation, LinearRisk
from infimum.solvers._line_search import backtrack
from infimum.solvers.second_order._newton_direction import factorized
from infimum.solvers.second_order._sampled_curvature import some_rows
from infimum.typing import Vector

__all__ = ["Envelope", "smoothed_minima"]

#: The first width, in units of the root of the tolerance; the next is so much narrower.
WIDTH, NARROWER = 3.0, 0.4
#: Widths tried on a sample of the rows first, as multiples of the last one.
WIDER = (16.0, 4.0, 1.0)
#: Rounded kinks must hold this many samples per unknown, by a guess at their density.
CROWD, DENSITY = 3.0, 0.2
MOST_STEPS = 15
#: The smoothed problem is solved to this share of the tolerance.
SHARE = 0.2


@dataclass(frozen=True)
class Envelope(Loss):
    """The Moreau envelope of a loss that consists of straight pieces."""

    loss: Loss
    width: float

    curvature: ClassVar[float] = np.inf

    @property
    def target(self) -> str:  # type: ignore[override]
        """What y is: the same as for the loss."""
        return self.loss.target

    @property
    def fused(self) -> tuple[str, float] | None:  # type: ignore[override]
        """The hinge has a compiled pass of its own."""
        return ("hinge", self.width) if isinstance(self.loss, Hinge) else None

    @property
    def smooth(self) -> bool:  # type: ignore[override]
        """Rounding off is what makes it so."""
        return True

    @property
    def parameters(self) -> Vector:
        """The width alone."""
        return np.array([self.width])

    def value(self, y: Vector, f: Vector) -> Vector:
        near = self.loss.prox(y, f, self.width)
        return self.loss.value(y, near) + (near - f) ** 2 / (2.0 * self.width)

    def derivative(self, y: Vector, f: Vector) -> Vector:
        return (f - self.loss.prox(y, f, self.width)) / self.width

    def hessian(self, y: Vector, f: Vector) -> Vector:
        near, bends = self.loss.prox(y, f, self.width), np.zeros(len(y))
        for kink, _, _ in self.loss.pieces(y) or ():
            bends[np.abs(near - kink) <= 1e-9 * self.width] = 1.0 / self.width
        return bends

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        return self.loss.conjugate(y, s) + 0.5 * self.width * s**2

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return self.loss.slopes(y)

    def best_constant(self, y: Vector, weights: Vector | None = None) -> float:
        return self.loss.best_constant(y, weights)


def smoothed_minima(
    risk: LinearRisk, tolerance: float, seed: int
) -> Iterator[tuple[Vector, Evaluation]]:
    """Yield slopes and points that minimise ever sharper versions of the risk.

    The first rounding is so narrow that the gap it leaves is about `tolerance`; they
    end when too few samples are left on the rounded pieces to tell where to go.
    """
    assert isinstance(risk.loss, Loss)
    if risk.loss.pieces(risk.y[:1]) is None:
        return
    share = WIDTH * float(np.sqrt(tolerance))
    sampled, point = some_rows(risk, seed), risk.null.copy()
    if sampled is None or not _crowded(risk, share):
        return
    goal = SHARE * tolerance * risk.unit
    for factor in WIDER:
        point = _minimize(_smoothed(sampled, factor * share), point, goal, np.inf).point
    while _crowded(risk, share):
        here = _minimize(_smoothed(risk, share), point, goal, goal)
        yield here.slopes, risk.evaluate(here.point, here.scores)
        point, share, goal = here.point, NARROWER * share, NARROWER * goal


def _crowded(risk: LinearRisk, share: float) -> bool:
    """Tell whether kinks so wide are likely to hold enough samples."""
    n, d = risk.design.shape
    return DENSITY * share * n >= CROWD * d


def _smoothed(risk: LinearRisk, share: float) -> LinearRisk:
    assert isinstance(risk.loss, Loss)
    return risk.afresh(loss=Envelope(risk.loss, share * risk.unit))


def _minimize(
    risk: LinearRisk, point: Vector, promise: float, gap: float
) -> Evaluation:
    """Take Newton steps until the next one promises little and the gap is narrow.

    The gap of the smoothed risk is ‖∇P‖²/(2λ), up to the balancing of slopes.
    """
    here = risk.judge(point)
    twice = 2.0 * (risk.penalty.quadratic or np.inf)
    for _ in range(MOST_STEPS):
        direction = factorized(risk.hessian(here.bends), here.gradient)
        promised = float(here.gradient @ direction)
        narrow = float(np.sum(here.gradient[:-1] ** 2)) <= gap * twice
        if -promised <= promise and narrow:
            break
        found = backtrack(here, direction, promised)
        if found is None:
            break
        here = found[0]
    return here
