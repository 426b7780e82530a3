"""Duality gap of support vector machines, with the best offset for any function."""

from __future__ import annotations

import numpy as np

from infimum.certificates.certificate import Certificate
from infimum.objectives import KernelTiles, SupportVectorDual
from infimum.typing import Mask, Vector

__all__ = [
    "best_offsets",
    "cancellation",
    "certify_support_vectors",
    "gain_of",
    "judged_by",
    "losses_at",
    "null_risk",
]

#: Sums within this share of the box differ by rounding.
ROUNDING = 1e-11
#: And sums within this share of their terms are equal.
EQUAL = 1e-13
HALVINGS = 200
#: So many units in the last place may be lost where coefficients cancel, and so many
#: for each sample.
ULPS, EACH = 64.0, 32.0
#: A gain below this share of such rounding is none.
NOTHING = 2e-3


def certify_support_vectors(
    dual: SupportVectorDual,
    point: Vector,
    scores: Vector,
    offsets: Vector | None = None,
    tolerance: float = 1e-3,
    scale: float | None = None,
) -> Certificate:
    """Return how far the machine with these dual variables can be from optimal.

    Whoever found them: the primal is evaluated at the function they stand for, with
    the `offsets` given or the best there are, and compared with the dual. What there
    is to gain, the `scale`, is measured from the risk of f = 0 with its best offsets,
    unless given. A KKT gap of t bounds the duality gap of a classifier by t times that.
    """
    if offsets is None:
        offsets = best_offsets(dual, scores)
    lower = -dual.value(point, scores)
    upper = _primal(dual, point, scores, offsets)
    if scale is None:
        scale = max(null_risk(dual) - lower, 0.0)
    return Certificate(upper, lower, scale, tolerance)


def cancellation(
    dual: SupportVectorDual, tiles: KernelTiles, tolerance: float
) -> float:
    """Return how much rounding leaves of a ‖f‖² that is 0, as a share of (Σ|cᵢ|)².

    That of a ν-machine whose classes cannot be told apart is a sum of coefficients that
    cancel. Where samples are so far from the origin, beside how far apart they are,
    that rounding hides what they could tell, nothing is said about it: the share is 0,
    as it is for the other machines, whose losses have a size of their own.
    """
    lengths = tiles.lengths()
    if dual.linear.any() or not len(lengths):
        return 0.0
    first, rows = np.zeros(1, dtype=np.int64), np.arange(len(lengths))
    near = tiles.multiply(np.ones(1), first, rows)
    apart = float((lengths**2 - 2.0 * near + lengths[0] ** 2).max())
    ulps = ULPS + EACH * len(lengths)
    share = ulps * float(np.finfo(np.float64).eps) * float(lengths.max()) ** 2
    return share if share <= tolerance * apart else 0.0


def gain_of(dual: SupportVectorDual, null: float, value: float, first: float) -> float:
    """Return what there is to gain, at a dual quadratic of this value.

    It is what f = 0 loses. That says nothing of a ν-machine without targets, whose
    f = 0 is optimal where classes cannot be told apart: there it is also what the
    `first` point had to gain.
    """
    gain = max(null + value, 0.0)
    return gain if dual.linear.any() else max(gain, first - value)


def judged_by(gain: float, rounding: float, tolerance: float) -> float:
    """Return the scale of a gap: what there is to gain, unless that is nothing.

    Rounding closes the gap then: see `cancellation`.
    """
    return gain if gain > NOTHING * rounding else max(gain, rounding / tolerance)


def null_risk(dual: SupportVectorDual) -> float:
    """Return the primal at f = 0 with the best offsets."""
    if not dual.linear.any():
        return 0.0  # nothing pulls
    nothing = np.zeros(dual.n_samples)
    offsets = best_offsets(dual, nothing)
    return _primal(dual, np.zeros(len(dual.start)), nothing, offsets)


def _primal(
    dual: SupportVectorDual, point: Vector, scores: Vector, offsets: Vector
) -> float:
    pull = -(scores[dual.places] + dual.linear + offsets[dual.groups])
    half_norm = 0.5 * float(point @ scores[dual.places])
    losses = losses_at(dual, pull)
    return half_norm + float(offsets @ dual.sums) + float(losses.sum())


def losses_at(dual: SupportVectorDual, pull: Vector) -> Vector:
    """Return what each variable adds to the primal, where f pulls it so far."""
    answer = _best_response(dual, pull, slice(None))
    return np.asarray(answer * pull - 0.5 * dual.ridge * answer**2)


def _best_response(dual: SupportVectorDual, pull: Vector, mine: Mask | slice) -> Vector:
    """Return the point of the box that gains most from a pull, net of the ridge."""
    low, high, ridge = dual.low[mine], dual.high[mine], dual.ridge[mine]
    with np.errstate(divide="ignore", invalid="ignore"):
        free = np.where(ridge > 0, pull / ridge, np.where(pull > 0, high, low))
    return np.clip(np.where(pull == 0, 0.0, free), low, high)


def best_offsets(dual: SupportVectorDual, scores: Vector) -> Vector:
    """Return the offset of each group that makes the primal least.

    Where a whole interval does, which happens when no variable lies strictly inside
    its box, its middle is returned.
    """
    offsets = np.zeros(2)
    for group in range(2):
        mine = dual.groups == group
        if mine.any():
            offsets[group] = _best_offset(dual, scores, mine)
    return offsets


def _best_offset(dual: SupportVectorDual, scores: Vector, mine: Mask) -> float:
    kept = float(dual.start[mine].sum())
    pulls = -(scores[dual.places[mine]] + dual.linear[mine])
    if np.any(dual.ridge[mine] > 0):
        return _halved(dual, pulls, mine, kept)
    order = np.argsort(pulls)
    pulls, width = pulls[order], (dual.high - dual.low)[mine][order]
    low = dual.low[mine][order]
    # Raising b past a pull moves that variable from its ceiling to its floor, so the
    # sum of the best responses falls from Σ high in steps of the widths.
    sums = float(dual.high[mine].sum()) - np.cumsum(width)
    blur = ROUNDING * float(width.sum())
    first = int(np.searchsorted(-sums, -kept - blur))
    last = int(np.searchsorted(-sums, -kept + blur, side="right"))
    top = len(pulls) - 1
    left, right = pulls[min(first, top)], pulls[min(last, top)]
    if left == right:
        return float(left)
    # Samples that weigh next to nothing may decide where the others do not.
    trials = np.array([0.5 * (left + right), left, right])
    beyond = pulls - trials[:, None]
    terms = np.where(beyond > 0, (low + width) * beyond, low * beyond)
    worth = terms.sum(axis=1) + kept * trials
    size = np.abs(terms).sum(axis=1) + np.abs(kept * trials)
    worth[1:] += EQUAL * size[1:]
    return float(trials[np.argmin(worth)])


def _halved(dual: SupportVectorDual, pulls: Vector, mine: Mask, kept: float) -> float:
    reach = float(np.abs(pulls).max()) + 1.0
    reach += abs(kept) * float(dual.ridge[mine].max())
    left, right = -reach, reach
    for _ in range(HALVINGS):
        middle = 0.5 * (left + right)
        if middle in (left, right):
            break
        if _best_response(dual, pulls - middle, mine).sum() > kept:
            left = middle
        else:
            right = middle
    return 0.5 * (left + right)
