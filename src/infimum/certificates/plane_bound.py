"""Bounds from planes: a mix of linear lower bounds, and the least value above it.

With shares p ≥ 0 of sum 1 the mix of planes is below the mean loss everywhere, so

    min P ≥ Σ pₖ dₖ - Ω*(-Σ pₖ aₖ)

where the slopes in a free intercept must cancel. Every plane is computed again from
the data; whoever chose the shares need not be trusted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from infimum.certificates.certificate import Certificate
from infimum.objectives.plane_risk import Mix, Plane, PlaneEvaluation, PlaneRisk
from infimum.typing import Vector

__all__ = ["certify_by_planes", "plane_bound"]

#: Sums of so many terms are off by this share of their sizes at most.
ROUNDING = 2.0**-45
#: A linear program is solved up to this share of what there is to gain.
RELAXED = 1e-6


def plane_bound(risk: PlaneRisk, mix: Mix) -> float:
    """Return the lower bound of a mix, as its planes are held."""
    planes = mix.planes
    if planes is None:
        planes = tuple(risk.rebuild(witness) for witness in mix.witnesses)
    return _bound(risk, np.asarray(mix.shares), planes)[0]


def certify_by_planes(
    risk: PlaneRisk,
    point: Vector | PlaneEvaluation,
    mix: Mix | None = None,
    tolerance: float = 1e-6,
) -> Certificate:
    """Certify a point by its own plane and by a mix, all of them rebuilt."""
    here = point if isinstance(point, PlaneEvaluation) else risk.evaluate(point)
    # What a solver held is not asked: the planes come from the data.
    own, *others = (
        (each, tuple(risk.rebuild(witness) for witness in each.witnesses))
        for each in (here.slopes, mix)
        if each is not None
    )
    unsure = ROUNDING * abs(here.value) + risk.unsure(here.point, own[1][0])
    found = [(-unsure, unsure)]  # no loss is negative
    for each, planes in (own, *others):
        dual, size, parts = _bound(risk, np.asarray(each.shares), planes)
        slack = ROUNDING * size + unsure
        slack += _rounding(risk, parts, planes, here.value + unsure)
        found.append((dual - slack, slack))
    dual, slack = max(found)
    relaxed = 0.0 if risk.exact else RELAXED * risk.scale
    dual, slack = max(dual - relaxed, -unsure), slack + relaxed
    proof = Certificate(here.value, dual, risk.scale, tolerance, slack=slack)
    return proof if risk.exact else replace(proof, reason="the relaxation, checked")


def _bound(
    risk: PlaneRisk, shares: Vector, planes: tuple[Plane, ...]
) -> tuple[float, float, Vector]:
    """Return the bound, the size of its numbers, and the shares that it is made of."""
    if (shares < 0.0).any() or shares.sum() > 1.0 + 1e-9 or not planes:
        return 0.0, 0.0, np.zeros(len(planes))  # no mix: no loss is negative
    shares = shares / max(1.0, float(shares.sum()))
    pulls = (np.array([plane.slope[-1] for plane in planes]).T * shares).T
    if risk.intercept and pulls.ndim > 1:  # several scores: balanced, or no proof
        shares = np.zeros_like(shares) if pulls.any() else shares
    elif risk.intercept:
        shares = _balanced(shares, pulls)
    slope: Any = sum(
        share * plane.slope[:-1] for share, plane in zip(shares, planes, strict=True)
    )
    height = float(shares @ [plane.height for plane in planes])
    factor = risk.penalty.dual_scale(-slope)
    dual = factor * height - risk.penalty.conjugate(-factor * slope)
    size = abs(height) + abs(height - dual)
    return max(float(np.nan_to_num(dual, nan=0.0)), 0.0), size, factor * shares


def _rounding(
    risk: PlaneRisk, shares: Vector, planes: tuple[Plane, ...], level: float
) -> float:
    """Bound what rounding of the planes adds, over all points that are no worse.

    What the slopes in the intercept may lack to cancel, one side of them gives up.
    """
    blur: Any = sum(
        share * plane.blur for share, plane in zip(shares, planes, strict=True)
    )
    slack = float(shares @ [plane.doubt for plane in planes])
    if not np.any(blur):
        return slack
    if risk.intercept:
        pulls = np.array([float(np.max(np.abs(plane.slope[-1]))) for plane in planes])
        lacking, side = float(np.max(blur[-1])), 0.5 * float(shares @ pulls)
        heights = float(shares @ [abs(plane.height) for plane in planes])
        share = lacking / side if lacking < side else 1.0
        slack += 2.0 * share * heights
    slope: Any = sum(
        share * plane.slope[:-1] for share, plane in zip(shares, planes, strict=True)
    )
    known = risk.penalty.rise(-slope, blur[:-1])
    return slack + min(known, risk.penalty.support(blur[:-1], max(level, 0.0)))


def _balanced(shares: Vector, pulls: Vector) -> Vector:
    """Give up what keeps the slopes in the intercept from cancelling."""
    up, down = pulls[pulls > 0].sum(), -pulls[pulls < 0].sum()
    if up == down:
        return shares
    if min(up, down) == 0.0:
        return np.where(pulls == 0.0, shares, 0.0)
    side = pulls > 0 if up > down else pulls < 0
    return np.where(side, shares * (min(up, down) / max(up, down)), shares)
