"""The domain of a conjugate: room inside, and slopes that rounding left outside."""

from __future__ import annotations

import numpy as np

from infimum.losses import Loss, VectorLoss
from infimum.objectives import LinearRisk
from infimum.typing import Matrix, Vector

__all__ = ["inside_domain", "room_inside"]

#: Samples with less room than this share of the most are left where they are.
LITTLE_ROOM = 1e-10
UNIT = float(np.finfo(np.float64).eps) / 2.0


def inside_domain(loss: Loss | VectorLoss, y: Vector, slopes: Vector) -> Vector:
    """Return slopes where ℓ* is finite, as near as is easy; the same ones if they are.

    Formulas of conjugates take slopes a little beyond their domain as inside.
    """
    if isinstance(loss, VectorLoss):
        return _mixed_inside(loss, y, slopes)
    low, high = loss.slopes(y)
    if not np.any((slopes < low) | (slopes > high)):
        return slopes
    return np.clip(slopes, low, high)


def _mixed_inside(loss: VectorLoss, y: Vector, slopes: Matrix) -> Matrix:
    """Return slopes in the domain of ℓ*: the same where they are, else a mixture.

    The slack is concave, so that a little of slopes well inside brings others there.
    """
    inside = slopes
    if loss.shift_invariant:
        sums = np.abs(slopes.sum(axis=1))
        if np.any(sums > 4.0 * loss.outputs * UNIT * np.abs(slopes).max(axis=1)):
            inside = slopes - slopes.mean(axis=1, keepdims=True)
    beyond = np.maximum(-loss.slack(y, inside), 0.0)
    if not beyond.any():
        return inside
    centre = loss.centre(y, np.full(len(y), 1.0 / len(y)))
    depth = beyond + np.maximum(loss.slack(y, centre), 0.0)
    share = np.divide(2.0 * beyond, depth, out=np.zeros_like(depth), where=beyond > 0.0)
    return np.asarray(inside + np.minimum(share, 1.0)[:, None] * (centre - inside))


def room_inside(risk: LinearRisk, slopes: Vector) -> Vector:
    """Return how far each slope may move either way; 0 where that is next to nothing.

    Where the domain has no end, the typical slope is as good as any distance.
    """
    if isinstance(risk.loss, VectorLoss):
        room = np.maximum(risk.loss.slack(risk.y, slopes), 0.0) / risk.loss.outputs
        if risk.loss.unlimited:
            room = room * float(np.sqrt((risk.weights @ slopes**2).max()) or 1.0)
    else:
        low, high = risk.loss.slopes(risk.y)
        size = float(np.sqrt(risk.weights @ slopes**2))
        finite = np.minimum(slopes - low, high - slopes)
        room = np.where(np.isfinite(finite), np.maximum(finite, 0.0), size or 1.0)
    room = 0.5 * room  # the ends of the domain may have an infinite price
    shares = risk.weights * room
    return np.where(shares > LITTLE_ROOM * shares.max(initial=0.0), room, 0.0)
