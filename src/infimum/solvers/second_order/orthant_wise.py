"""Orthant-wise L-BFGS: a smooth risk under an ℓ₁ penalty, one orthant at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import whole
from infimum.solvers._cutting_planes import RecentPlanes
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Descent, Iterate
from infimum.solvers.second_order._secant_pairs import SecantPairs
from infimum.typing import Vector

__all__ = ["OrthantWise"]

DELIVER, BLUR, MAX_HALVINGS = 1e-4, 1e-15, 40


@dataclass(frozen=True)
class OrthantWise(Solver):
    """Quasi-Newton steps within the orthant that the steepest descent points into.

    For smooth risks of which planes are known, under a lasso or an elastic net: there
    the penalty is linear plus a square, and what leaves the orthant becomes 0.

    References
    ----------
    Andrew & Gao (2007), ICML.
    """

    max_iterations: int = field(default=2_000, metadata={"domain": whole(1)})
    memory: int = field(default=10, metadata={"domain": whole(1)})
    check_every: int = field(default=5, metadata={"domain": whole(1)})

    def _objection(self, risk: LinearRisk) -> str | None:
        return (
            f"{type(risk.loss).__name__} is a loss of single samples, for which "
            "coordinate descent is quicker"
        )

    def _objection_to_planes(self, risk: Any) -> str | None:
        if not risk.smooth:
            return f"{type(risk).__name__} has kinks, and its gradient jumps there"
        if risk.intercept or getattr(risk.penalty, "elastic", None) is None:
            return f"{type(risk.penalty).__name__} is not an elastic net"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        scales = here.risk.curvatures  # type: ignore[attr-defined]
        pairs = SecantPairs(self.memory, curvatures=scales)
        recent = RecentPlanes(here.risk)
        yield Iterate(here, 0)
        for iteration in count(1):
            steep = _steepest(here)
            direction = pairs.direction(steep)
            direction = np.where(direction * steep < 0.0, direction, 0.0)
            found = _project(here, direction, steep, bool(pairs) or scales is not None)
            if found is None:
                if not pairs:
                    yield Iterate(here, iteration)
                    return
                pairs.forget()
                continue
            pairs.learn(found.point - here.point, _smooth(found) - _smooth(here))
            here = found
            recent.add(here)
            if iteration % self.check_every == 0 or iteration >= self.max_iterations:
                yield Iterate(here, iteration, recent.mix())  # type: ignore[arg-type]


def _smooth(here: Evaluation) -> Vector:
    """Return the gradient of all but the ℓ₁ part."""
    ridge = here.risk.penalty.elastic[1]  # type: ignore[attr-defined]
    gradient = here.risk_gradient.copy()
    gradient[:-1] += ridge * here.point[:-1]
    return gradient


def _steepest(here: Evaluation) -> Vector:
    """Return minus the direction in which the objective falls fastest."""
    corner = here.risk.penalty.elastic[0]  # type: ignore[attr-defined]
    gradient, w = _smooth(here), here.point
    at_zero = np.sign(gradient) * np.maximum(np.abs(gradient) - corner, 0.0)
    out = np.where(w != 0.0, gradient + corner * np.sign(w), at_zero)
    out[-1] = 0.0
    return np.asarray(out)


def _project(
    here: Evaluation,
    direction: Vector,
    steep: Vector,
    warm: bool,  # noqa: FBT001
) -> Evaluation | None:
    """Return a lower point along the direction, kept within the orthant."""
    if not np.any(direction):
        return None
    orthant = np.where(here.point != 0.0, np.sign(here.point), -np.sign(steep))
    step = 1.0 if warm else 1.0 / max(1.0, float(np.linalg.norm(steep)))
    blur = BLUR * abs(here.value)
    for _ in range(MAX_HALVINGS):
        point = here.point + step * direction
        point = np.where(point * orthant > 0.0, point, 0.0)
        there = here.risk.evaluate(point)
        if there.value <= here.value + DELIVER * steep @ (point - here.point) + blur:
            return there if np.any(point != here.point) else None
        step *= 0.5
    return None
