"""Duality gap: a proof of how far a point can be from the optimum.

The certificate never asks which solver produced the point. Any dual-feasible vector s
of slopes gives a lower bound

    D(s) = -Σᵢ qᵢ (ℓ*(yᵢ, sᵢ) - sᵢ oᵢ) - Ω*(-Xᵀ(q∘s))  <=  min P

so P(point) - D(s) bounds the error, whoever found the point. Slopes are feasible when
a free intercept makes them sum to 0 and Ω* is finite; this file makes them so.
"""

import numpy as np

from infimum.certificates.certificate import Certificate
from infimum.certificates.feasibility import balance, repair, side_factors
from infimum.objectives import Evaluation, LinearRisk
from infimum.typing import Vector

__all__ = ["certify", "feasible_correlation", "lower_bound"]

#: Samples whose conjugates are added at a time: few enough for the caches.
BLOCK = 1 << 14


def certify(
    risk: LinearRisk, point: Vector | Evaluation, slopes: Vector | None = None
) -> Certificate:
    """Certify `point`: build dual-feasible slopes and evaluate both sides.

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
    here = point if isinstance(point, Evaluation) else risk.evaluate(point)
    bounds = [_bound_at(here)] if slopes is None or risk.loss.smooth else []
    if slopes is not None:
        bounds.append(lower_bound(risk, slopes))
    return Certificate(primal=here.value, dual=max(bounds), scale=risk.scale)


def lower_bound(risk: LinearRisk, slopes: Vector) -> float:
    """Return the dual value of `slopes` after making them feasible."""
    slopes = balance(risk, slopes)
    return _dual_side(risk, slopes, _correlation(risk, slopes))[0]


def feasible_correlation(here: Evaluation) -> tuple[float, Vector]:
    """Return a dual value at `here` and the correlations -Xᵀ(q∘s) that go with it."""
    if here.bound is None:
        here.__dict__["bound"] = _dual_side(here.risk, *_balanced(here))
    found: tuple[float, Vector] = here.__dict__["bound"]
    return found


def _bound_at(here: Evaluation) -> float:
    return feasible_correlation(here)[0] if here.proven is None else here.proven


def _balanced(here: Evaluation) -> tuple[Vector, Vector]:
    """Reuse the products already computed at a point when its slopes need no change."""
    balanced = balance(here.risk, here.slopes)
    if balanced is here.slopes:
        return balanced, -here.pulled_back
    if here.sides is not None:
        factors = side_factors(here.risk, here.slopes)
        return balanced, -np.asarray(factors @ here.sides[:, :-1])
    return balanced, _correlation(here.risk, balanced)


def _correlation(risk: LinearRisk, slopes: Vector) -> Vector:
    pulled = risk.design.pull_back((slopes.T * risk.weights).T)
    return -np.asarray(pulled, dtype=np.float64)


def _dual_side(
    risk: LinearRisk, slopes: Vector, correlation: Vector
) -> tuple[float, Vector]:
    """Make slopes feasible for the penalty; return value and correlations."""
    scale = risk.penalty.dual_scale(correlation)
    if scale == 0.0 and (mended := repair(risk, slopes, correlation)) is not None:
        slopes, correlation = mended
        scale = risk.penalty.dual_scale(correlation)
    slopes, correlation = scale * slopes, scale * correlation
    blocks = range(0, len(slopes), BLOCK)
    total = sum(_conjugates(risk, slopes, slice(a, a + BLOCK)) for a in blocks)
    return float(-total - risk.penalty.conjugate(correlation)), correlation


def _conjugates(risk: LinearRisk, slopes: Vector, rows: slice) -> float:
    """Return the weighted sum of ℓ*(y, s) - s·o over some samples."""
    slopes, weights = slopes[rows], risk.weights[rows]
    conjugates = risk.loss.conjugate(risk.y[rows], slopes)
    if risk.offset is not None:
        moved = (slopes.T * risk.offset[rows]).T.reshape(len(slopes), -1)
        conjugates = conjugates - moved.sum(axis=1)
    with np.errstate(invalid="ignore"):
        return float(np.where(weights > 0, weights * conjugates, 0.0).sum())
