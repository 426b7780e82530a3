r"""Rounding: how far the computed sides of a duality gap can be from the exact ones.

For any slopes s in the domain of ℓ*, and any direction v, every model (w, b) has

    P(w, b) ≥ -Σ q (ℓ*(y, s) - s·o) - Ω*(v) - ⟨δ, w⟩ + b·Σ q s,    δ = v + Xᵀ(q∘s).

In exact arithmetic v is chosen so that δ = 0, and the slopes so that Σ q s = 0. In
floating point both are off by rounding, and what they are off by is charged:

- along coefficients that Ω prices, ⟨δ, w⟩ is bounded over all w that could be better
  than the point at hand: Ω(w) is at most its risk less the least conceivable one;
- along free directions (the intercept, coefficients without a price) w may be long, so
  the slopes are moved instead, by an amount t that cancels δ there exactly. It exists
  if the free columns are provably independent; Σ q (ℓ*(y, s + t) - ℓ*(y, s)) is its
  price, bounded by convexity from values of ℓ* at the ends of the room that s has.

Sums of k terms are off by γₖ = k·u/(1 - k·u) of the sum of sizes, in any order (Higham
2002, section 4.2); formulas of losses and penalties are taken to be right within a few
units in the last place of their largest term. If the charge cannot be bounded it is
infinite, and the proof stays open.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from infimum.certificates.domain import inside_domain, room_inside
from infimum.certificates.free_columns import (
    Free,
    free_directions,
    inner_slopes,
    inverse_length,
    largest_share,
)
from infimum.losses import Loss, VectorLoss
from infimum.objectives import Evaluation, LinearRisk
from infimum.typing import Mask, Matrix, Vector

__all__ = [
    "DualPoint",
    "gamma",
    "rounding_of_products",
    "rounding_slack",
]

UNIT = float(np.finfo(np.float64).eps) / 2.0
#: Formulas are right within so many units in the last place of their largest term.
ULPS = 16.0
#: So many samples are added at a time, by whoever adds losses or conjugates.
BLOCK = 1 << 14
#: A charge that need not be lowered.
CHEAP = 1e-12
#: More free directions than this are not charged for: the proof stays open.
MOST_FREE = 3_000


class DualPoint(NamedTuple):
    """Slopes with the value of the dual there, before rounding is charged."""

    value: float
    slopes: Vector
    #: The direction v that Ω* was asked at; None if a method knows Ω*(v) without it.
    direction: Vector | None
    #: Σ q |ℓ*(y, s)|: the size of the numbers that were added.
    size: float
    #: How far v can be from -Xᵀ(q∘s), if that is known better than from its terms.
    lost: Vector | None = None


def gamma(terms: float) -> float:
    """Return γₖ = k·u/(1 - k·u): what adding k terms may lose, as a share.

    Examples
    --------
    >>> gamma(1000) < 1.2e-13
    True
    """
    return terms * UNIT / (1.0 - terms * UNIT)


def rounding_slack(here: Evaluation, dual: DualPoint) -> float:
    """Bound what rounding may have added to the gap between a point and the dual."""
    risk = here.risk
    if not np.isfinite(dual.value):
        return 0.0
    if not np.isfinite(here.value):  # no worse than the null model is good enough
        here = risk.evaluate(risk.prox(risk.null, 1.0))
        if not np.isfinite(here.value):
            return np.inf
    sizes, reach = np.sqrt(risk.weights @ dual.slopes**2), risk.reach
    if not dual.slopes.any():  # nothing was multiplied, and nothing is off balance
        return _sums(here, dual, sizes, reach)
    products = dual.lost
    if products is None:
        products = rounding_of_products(risk, dual.slopes)
    inside, price = _inside(risk, dual)
    if inside is not dual:
        apart = np.sqrt(risk.weights @ (inside.slopes - dual.slopes) ** 2)
        dual, products = inside, products + np.multiply.outer(reach, apart)
    defects, total = _defects(risk, dual, products)
    free = free_directions(risk, dual.direction, defects)
    slack, moved = _free_charge(risk, dual, free, total)
    slack += price
    priced = defects + moved * np.multiply.outer(reach, np.ones_like(sizes))
    if free is not None:
        alone = free.which if free.which.dtype == bool else _alone(free.which)
        priced = np.where(alone, 0.0, priced.T).T
    slack += _sums(here, dual, sizes, reach)
    slack += _priced_charge(here, dual, priced, slack)
    return np.inf if np.isnan(slack) else float(slack)


def rounding_of_products(risk: LinearRisk, slopes: Vector) -> Vector:
    """Bound the rounding of Xᵀ(q∘s), for each coefficient."""
    sizes = np.sqrt(risk.weights @ slopes**2)
    lost = gamma(risk.design.depth + 4.0) * np.multiply.outer(risk.reach, sizes)
    return np.asarray(lost)


def _inside(risk: LinearRisk, dual: DualPoint) -> tuple[DualPoint, float]:
    """Move slopes into the domain of ℓ*; return them, and by how much ℓ* rises.

    Formulas of conjugates take slopes a little beyond their domain, where nothing is
    proved: what they are moved by counts as a defect, free directions included.
    """
    slopes = inside_domain(risk.loss, risk.y, dual.slopes)
    if slopes is dual.slopes:
        return dual, 0.0
    rise = risk.loss.conjugate(risk.y, slopes)
    rise = rise - risk.loss.conjugate(risk.y, dual.slopes)
    if risk.offset is not None:
        moved = np.abs((slopes - dual.slopes).T * risk.offset)
        rise = rise + moved.reshape(-1, len(rise)).sum(axis=0)
    used = risk.weights > 0.0
    price = float(risk.weights[used] @ np.maximum(rise[used], 0.0))
    return dual._replace(slopes=slopes, value=dual.value - price), price


def _alone(free: Matrix) -> Mask:
    """Return which coefficients are free by themselves, each a direction of its own."""
    single = np.count_nonzero(free, axis=0) == 1
    return np.asarray(free[:, single].any(axis=1))


def _defects(
    risk: LinearRisk, dual: DualPoint, products: Vector
) -> tuple[Vector, Vector]:
    """Bound |v + Xᵀ(q∘s)| for each coefficient, and |Σ q s| for each score."""
    weighted = (dual.slopes.T * risk.weights).T
    total = np.abs(weighted.sum(axis=0)) * float(risk.intercept)
    total = total + gamma(min(len(weighted), 64) + 64) * np.abs(weighted).sum(axis=0)
    defects = products
    if dual.direction is not None:
        defects = defects + 4.0 * UNIT * np.abs(dual.direction)
    return defects, np.asarray(total * float(risk.intercept))


def _priced_charge(
    here: Evaluation, dual: DualPoint, defects: Vector, slack: float
) -> float:
    """Bound ⟨δ, w⟩ over all points that are no worse than this one."""
    risk, penalty = here.risk, here.risk.penalty
    if not defects.any():
        return 0.0
    known = np.inf
    if dual.direction is not None:  # the weights that v stands for are known
        known = penalty.rise(dual.direction, defects)
    cheap = max(slack, CHEAP * risk.scale)
    if known <= cheap:
        return known
    level = max(here.value - risk.least, 0.0) * (1.0 + 1e-9)
    if not np.isfinite(level):
        level = _half_level(here, dual)
    charge = min(known, penalty.support(defects, level))
    if dual.direction is None or charge <= cheap:
        return charge
    # P = (loss + Ω/2) + Ω/2, and the slopes bound the first part from below as well,
    # as far as Ω*(2v) is finite: a penalty that is small at the optimum stays small.
    halved = dual.value + penalty.conjugate(dual.direction)
    halved -= 0.5 * penalty.conjugate(2.0 * dual.direction)
    for _ in range(4 if np.isfinite(halved) else 0):
        level = min(level, 2.0 * max(here.value - halved + slack + charge, 0.0))
        charge = min(charge, penalty.support(defects, level))
        if charge <= cheap:
            break
    return charge


def _half_level(here: Evaluation, dual: DualPoint) -> float:
    """Bound Ω where a loss has no least value: half the slopes bound loss + Ω/2."""
    risk, halves = here.risk, 0.5 * dual.slopes
    conjugates = risk.loss.conjugate(risk.y, halves)
    if risk.offset is not None:
        moved = (halves.T * risk.offset).T.reshape(len(halves), -1)
        conjugates = conjugates - moved.sum(axis=1)
    used = risk.weights > 0.0
    paid = float(risk.weights[used] @ conjugates[used])
    if dual.direction is not None:
        paid += 0.5 * risk.penalty.conjugate(dual.direction)
    return 2.0 * max(here.value + paid, 0.0) * (1.0 + 1e-9)


def _sums(here: Evaluation, dual: DualPoint, sizes: Vector, reach: Vector) -> float:
    """Bound the rounding of the two sums, and of the scores that enter the first."""
    risk, n = here.risk, len(dual.slopes)
    known = 0.0 if risk.offset is None else np.abs(risk.offset)
    targets = np.abs(risk.y).T if risk.y.dtype.kind == "f" else 0.0
    levers = np.abs(dual.slopes.T) * (np.abs(here.scores.T) + targets + known)
    leverage = float(np.sum(levers @ risk.weights))
    losses = abs(here.empirical) + 2.0 * max(-risk.least, 0.0)
    if not np.isfinite(losses):
        losses = abs(here.empirical) + leverage
    if isinstance(risk.loss, Loss):
        lost = risk.loss.cancelled(risk.y, here.scores)
        losses += 2.0 * float(np.sum(risk.weights * lost)) if np.any(lost) else 0.0
    penalty = abs(here.value - here.empirical)
    added = gamma(min(n, BLOCK) + n / BLOCK + 8.0) * (losses + dual.size + leverage)
    parts = ULPS * UNIT * (losses + dual.size + leverage + penalty)
    width = here.width(reach)
    scores = gamma(risk.design.shape[1] + 4.0) * float(np.sum(sizes * width))
    if risk.null_is_optimal:
        parts += _hidden(here)
    return added + parts + scores


def _hidden(here: Evaluation) -> float:
    """Return what rounding of the scores may add to a risk that has nothing to gain."""
    risk = here.risk
    near = risk.loss.distance_based  # others read no differences to targets
    targets = np.abs(risk.y).T if near else 0.0
    # Targets may have been moved by what the intercept gives back, rounded.
    moved = risk.moved if near else 0.0
    moves = ULPS * UNIT * (np.abs(here.scores.T) + targets + moved)
    if isinstance(risk.loss, Loss):  # convex: the ends of an interval are the worst
        ends = [risk.loss.value(risk.y, here.scores + sign * moves) for sign in (-1, 1)]
        risen = np.maximum(*ends) - risk.loss.value(risk.y, here.scores)
        return float(risk.weights @ np.maximum(risen, 0.0))
    bend = float(risk.loss.curvature)
    lost = np.abs(here.slopes.T) * moves
    if np.isfinite(bend):
        lost = lost + bend * moves**2
    return float(np.sum(lost @ risk.weights))


def _free_charge(
    risk: LinearRisk, dual: DualPoint, free: Free | None, total: Vector
) -> tuple[float, float]:
    """Charge for the defects along free directions.

    Returns the price of slopes that have none, and how far these are from the slopes
    given: √(Σ q t²) at most, for each score.
    """
    slopes = dual.slopes
    if free is None and not np.any(total):
        return 0.0, 0.0
    if free is None and isinstance(risk.loss, Loss):
        return _shrunk_charge(risk, dual, float(total))
    if free is None:
        return _intercept_charge(risk, slopes, total)
    if free.which.shape[-1] > MOST_FREE:
        return np.inf, 0.0
    charge = _columns_charge(risk, slopes, slopes, free)
    if np.isfinite(charge[0]):
        return charge
    inner = inner_slopes(risk, free)
    return charge if inner is None else _columns_charge(risk, slopes, inner, free)


def _shrunk_charge(
    risk: LinearRisk, dual: DualPoint, total: float
) -> tuple[float, float]:
    """Shrink the slopes of the heavier side: Σ q s becomes 0.

    Slopes may always move towards 0, and ℓ* is convex on the way: all the way it rises
    by ℓ*(y, 0) - ℓ*(y, s), no more than the sizes of both.
    """
    slopes = dual.slopes
    sizes = risk.weights * np.abs(slopes)
    weight = 0.5 * (float(sizes.sum()) - total)  # of the lighter side, at least
    if not total < weight:
        return np.inf, 0.0
    share, price = total / weight, risk.least_size + dual.size
    if risk.offset is not None:
        price += float(sizes @ np.abs(risk.offset))
    return share * price, share * float(np.sqrt(risk.weights @ slopes**2))


def _intercept_charge(
    risk: LinearRisk, slopes: Vector, total: Vector
) -> tuple[float, float]:
    """Move all slopes by the same share of their room: Σ q s becomes 0.

    Where the slopes have none, a little of slopes that do is mixed in first.
    """
    assert isinstance(risk.loss, VectorLoss)
    wanted = float(np.sum(total))
    charges = []
    for inner in (slopes, risk.loss.centre(risk.y, risk.weights)):
        room = room_inside(risk, inner)
        share = wanted / max(float(risk.weights @ room), 1e-300)
        charges.append(_mixed(risk, slopes, inner, room, share))
        if charges[-1][0] <= CHEAP:
            break
    return min(charges)


def _columns_charge(
    risk: LinearRisk, slopes: Vector, inner: Vector, free: Free
) -> tuple[float, float]:
    """Move slopes along the free columns, as little as their room allows.

    `inner` are the slopes themselves, or others, as well balanced, with more room: a
    little of these is mixed in first.
    """
    room, weights = room_inside(risk, inner), risk.weights
    length, used = inverse_length(risk, slopes, room, free), room > 0.0
    if inner is not slopes:
        # A share θ of the inner slopes has θ of their room, and θ of their defect.
        still = free._replace(direction=np.zeros_like(free.direction))
        own = largest_share(risk, inner, room, still)
        share = 2.0 * largest_share(risk, slopes, room, free)
        return _mixed(risk, slopes, inner, room, share if own <= 0.5 else np.inf)
    share = length / float(np.sqrt((weights * room)[used].min(initial=np.inf)))
    if not share < 1.0:
        return np.inf, 0.0
    prices = _prices(risk, slopes, room)
    ratio = np.divide(prices**2, room, out=np.zeros_like(room), where=used)
    charge = length * float(np.sqrt(weights @ ratio))
    return charge, length * float(np.sqrt(room.max(initial=0.0)))


def _mixed(
    risk: LinearRisk, slopes: Vector, inner: Vector, room: Vector, share: float
) -> tuple[float, float]:
    """Price slopes that go a share of the way to others, and as much of their room.

    ℓ* is convex: the price is the share of what all the way would cost.
    """
    if not share < 1.0:
        return np.inf, 0.0
    weights, apart = risk.weights, inner - slopes
    prices = _prices(risk, inner, room)
    if apart.any():
        here = risk.loss.conjugate(risk.y, slopes)
        prices = prices + np.maximum(risk.loss.conjugate(risk.y, inner) - here, 0.0)
    far = float(np.sqrt(np.max(weights @ apart**2)))
    moved = far + float(np.sqrt(weights @ room**2))
    with np.errstate(invalid="ignore"):
        price = float(np.where(weights > 0.0, weights * prices, 0.0).sum())
    return share * price, share * moved


def _prices(risk: LinearRisk, slopes: Vector, room: Vector) -> Vector:
    """Bound ℓ*(y, s + t) - ℓ*(y, s) over all t that keep within the room."""
    here = risk.loss.conjugate(risk.y, slopes)
    if isinstance(risk.loss, VectorLoss):
        above = risk.loss.ceiling(risk.y, slopes, room)
    else:
        ends = (risk.loss.conjugate(risk.y, slopes + sign * room) for sign in (-1, 1))
        above = np.maximum(*ends)
    used = (room > 0.0) & (risk.weights > 0.0)
    return np.where(used, np.maximum(above - here, 0.0), 0.0)
