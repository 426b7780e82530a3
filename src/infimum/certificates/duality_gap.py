"""Duality gap: a proof of how far a point can be from the optimum.

The certificate never asks which solver produced the point. Any dual-feasible vector s
of slopes gives a lower bound

    D(s) = -Σᵢ qᵢ (ℓ*(yᵢ, sᵢ) - sᵢ oᵢ) - Ω*(-Xᵀ(q∘s))  <=  min P

so P(point) - D(s) bounds the error, whoever found the point. Slopes are feasible when
a free intercept makes them sum to 0 and Ω* is finite; this file makes them so, as far
as floating point allows. What is left, and all other rounding, is bounded in
`infimum.certificates.rounding` and subtracted from the lower bound.
"""

from typing import Any, NamedTuple

import numpy as np

from infimum.certificates.certificate import Certificate
from infimum.certificates.feasibility import balance, repair, side_factors
from infimum.certificates.free_columns import free_directions, moved_inside
from infimum.certificates.plane_bound import certify_by_planes, plane_bound
from infimum.certificates.rounding import (
    DualPoint,
    rounding_of_products,
    rounding_slack,
)
from infimum.certificates.sharper_products import sharpened
from infimum.data.designs import DenseDesign, SparseDesign, StandardizedDesign
from infimum.losses import VectorLoss
from infimum.objectives import Evaluation, LinearRisk
from infimum.typing import Vector

__all__ = ["best_bound", "certify", "feasible_correlation", "lower_bound"]

#: A slack beyond this share of what there is to gain is worth a second look, if it is
#: more than a small part of the gap.
LARGE_SLACK, SMALL_PART = 1e-10, 0.1
#: Columns this many lengths from the origin are moved there, unless they are too many.
FAR, WORTH_CENTRING = 30.0, 5_000_000
_HELD = DenseDesign, SparseDesign
#: Samples whose conjugates are added at a time: few enough for the caches.
BLOCK = 1 << 14


def certify(
    risk: LinearRisk, point: Vector | Evaluation, slopes: Vector | None = None
) -> Certificate:
    """Certify `point`: build dual-feasible slopes, evaluate both sides, count rounding.

    Parameters
    ----------
    risk : LinearRisk
        What was minimised.
    point : ndarray or Evaluation
        Where, with the intercept last.
    slopes : ndarray, optional
        Slopes that a dual method proposes; both these and the derivative of the loss
        at `point` are tried, and the better bound counts.
    """
    if risk.by_planes:
        given: Any = risk, point, slopes
        return certify_by_planes(*given)
    if reason := risk.loss.unbounded(risk.y):
        primal = point.value if isinstance(point, Evaluation) else risk.value(point)
        return Certificate(primal, -np.inf, risk.scale, reason=reason)
    plain = isinstance(risk.design, DenseDesign) and risk.design.dtype == np.float64
    if not plain and (exact := _exact(risk)) is not risk:
        risk = exact
        point = point.point if isinstance(point, Evaluation) else point
    here = point if isinstance(point, Evaluation) else risk.evaluate(point)
    best, hopeless = _at_hand(here, slopes)
    slack = rounding_slack(here, best)
    poor = best.value - slack < risk.least
    gap = here.value - best.value
    large = slack > max(LARGE_SLACK * risk.scale, SMALL_PART * gap)
    if not hopeless and (poor or large):
        # Sharper products gain no more than the slack.
        nearby = _nearby(risk, best) if best.value + slack >= risk.least else []
        if poor or risk.null_is_optimal:  # the least conceivable risk needs no slopes
            nearby.append(_dual_point(risk, np.zeros_like(best.slopes)))
        others = [(dual, rounding_slack(here, dual)) for dual in nearby]
        cost = [slack - dual.value for dual, slack in [(best, slack), *others]]
        best, slack = [(best, slack), *others][int(np.argmin(cost))]
    return Certificate(here.value, best.value - slack, risk.scale, slack=slack)


def _at_hand(here: Evaluation, slopes: Vector | None) -> tuple[DualPoint, bool]:
    """Return the best dual point known, or slopes of 0, and whether it is these.

    A bound that lies below the least conceivable risk by more than all there is to gain
    lacks more than rounding. No loss goes below its least value: slopes of 0 say so.
    """
    risk, points = here.risk, []
    if slopes is None or risk.loss.smooth:
        known = here.proven
        points.append(_dual_at(here) if known is None else _known_dual(here, known))
    if slopes is not None:
        points.append(_dual_point(risk, slopes))
    best = max(points, key=lambda dual: dual.value)
    if best.value < risk.least - risk.scale:
        return _dual_point(risk, np.zeros_like(best.slopes)), True
    return best, False


def _exact(risk: LinearRisk) -> LinearRisk:
    """Return the risk with products that lose little: in double, near the origin."""
    if risk.design.dtype != np.float64:
        risk = risk.in_double()
    design = risk.design
    if not isinstance(design, StandardizedDesign) or design.shape[0] == 0:
        return risk
    far = risk.memory.get(_Far)
    if far is None:
        far = risk.memory.keep(_Far(bool(np.any(risk.reach > FAR * risk.lengths))))
    if not far.off or not isinstance(design.original, _HELD):
        return risk
    if design.shape[0] * design.shape[1] > WORTH_CENTRING:
        return risk
    return risk.afresh(design=DenseDesign(design.toarray(), design))


class _Far(NamedTuple):
    """Whether some column lies far off the origin, beside its length."""

    off: bool


def _nearby(risk: LinearRisk, dual: DualPoint) -> list[DualPoint]:
    """Return dual points nearby that rounding may cost less.

    The same with sharper products, or others further inside their domain.
    """
    if dual.direction is None or not np.isfinite(dual.value):
        return []
    if (sharp := sharpened(risk, dual)) is not None:
        return [sharp]
    near = LARGE_SLACK * float(np.abs(dual.direction).max(initial=0.0))
    free = free_directions(risk, dual.direction, near)
    if free is None:
        return []
    moved = moved_inside(risk, dual.slopes, free)
    return [_dual_point(risk, slopes) for slopes in moved]


def best_bound(here: Evaluation, slopes: Vector | None = None) -> float:
    """Return the best dual value at hand, before rounding is counted.

    Cheap enough for every iterate of a solver; nothing is proved by it alone.
    """
    risk = here.risk
    if risk.by_planes:
        known: Any = risk
        mixes: Any = [here.slopes] if slopes is None else [here.slopes, slopes]
        return max(plane_bound(known, mix) for mix in mixes)
    # No loss goes below its least value, and no penalty below 0: slopes of 0 say so.
    bounds = [risk.least]
    if slopes is None or risk.loss.smooth:
        bounds.append(_dual_at(here).value if here.proven is None else here.proven)
    if slopes is not None:
        bounds.append(lower_bound(risk, slopes))
    return max(bounds)


def lower_bound(risk: LinearRisk, slopes: Vector) -> float:
    """Return the dual value of `slopes` after making them feasible."""
    return _dual_point(risk, slopes).value


def feasible_correlation(here: Evaluation) -> tuple[float, Vector]:
    """Return a dual value at `here` and the correlations -Xᵀ(q∘s) that go with it."""
    found = _dual_at(here)
    assert found.direction is not None
    return found.value, found.direction


def _dual_at(here: Evaluation) -> DualPoint:
    """Return the dual point of the slopes at a point."""
    known: DualPoint | None = here.dual
    if known is not None:
        return known
    risk, balanced = here.risk, balance(here.risk, here.slopes)
    # Products already computed serve again, as far as the slopes need little change.
    if balanced is here.slopes:
        correlation = -here.pulled_back
    elif isinstance(risk.loss, VectorLoss) or (sides := here.cheap_sides) is None:
        correlation = _correlation(risk, balanced)
    else:
        correlation = -np.asarray(side_factors(risk, here.slopes) @ sides[:, :-1])
    found = _dual_side(risk, balanced, correlation)
    here.told(dual=found)
    return found


def _known_dual(here: Evaluation, proven: float) -> DualPoint:
    """Return what a method knows of the dual at a point: a value it has proved."""
    slopes = balance(here.risk, here.slopes)
    size = float(here.risk.weights @ np.abs(slopes * (np.abs(here.risk.y) + slopes)))
    return DualPoint(proven, slopes, None, size)


def _dual_point(risk: LinearRisk, slopes: Vector) -> DualPoint:
    slopes = balance(risk, slopes)
    return _dual_side(risk, slopes, _correlation(risk, slopes))


def _correlation(risk: LinearRisk, slopes: Vector) -> Vector:
    pulled = risk.design.pull_back((slopes.T * risk.weights).T)
    return -np.asarray(pulled, dtype=np.float64)


def _dual_side(risk: LinearRisk, slopes: Vector, correlation: Vector) -> DualPoint:
    """Make slopes feasible for the penalty; return them with their value."""
    scale, lost = risk.penalty.dual_scale(correlation), None
    if scale == 0.0 and (mended := repair(risk, slopes, correlation)) is not None:
        slopes, correlation = mended
        lost = np.abs(correlation - _correlation(risk, slopes))
        lost = lost + rounding_of_products(risk, slopes)
        scale = risk.penalty.dual_scale(correlation)
    slopes, correlation = scale * slopes, scale * correlation
    total = size = 0.0
    for first in range(0, len(slopes), BLOCK):
        part, wide = _conjugates(risk, slopes, slice(first, first + BLOCK))
        total, size = total + part, size + wide
    value = float(-total - risk.penalty.conjugate(correlation))
    value = -np.inf if np.isnan(value) else value  # numbers too large bound nothing
    return DualPoint(value, slopes, correlation, float(size), lost)


def _conjugates(risk: LinearRisk, slopes: Vector, rows: slice) -> tuple[float, float]:
    """Return the weighted sum of ℓ*(y, s) - s·o over some samples, and of the sizes."""
    slopes, weights = slopes[rows], risk.weights[rows]
    conjugates = risk.loss.conjugate(risk.y[rows], slopes)
    if risk.offset is not None:
        moved = (slopes.T * risk.offset[rows]).T.reshape(len(slopes), -1)
        conjugates = conjugates - moved.sum(axis=1)
    with np.errstate(invalid="ignore"):
        terms = weights * conjugates
        total = float(terms.sum())
    if np.isnan(total):  # a weight of 0 does not count, whatever its conjugate
        terms = np.where(weights > 0, terms, 0.0)
        total = float(terms.sum())
    return total, float(np.abs(terms).sum())
