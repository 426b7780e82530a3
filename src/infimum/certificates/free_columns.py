r"""Free columns: how short a change of the slopes can be that balances them exactly.

A coefficient without a price demands that its column be orthogonal to the weighted
slopes. Rounding leaves a defect δ. Some t with ZᵀQt = -δ removes it, the shortest of
them in the norm Σ q t²/room ≤ ‖δ‖²/σ², where σ is the least singular value of the
free columns Z, scaled. What is needed is a lower bound on σ: the computed value less
the backward error of its factorisation (Higham 2002, theorem 19.4). Columns that are
exact combinations of others are left out; others that nearly are leave no bound.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import linalg
from scipy.special import softmax

from infimum.losses import Loss, VectorLoss
from infimum.objectives import LinearRisk
from infimum.penalties import SeparablePenalty
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = [
    "Free",
    "free_columns",
    "free_directions",
    "inner_slopes",
    "inverse_length",
    "largest_share",
    "moved_inside",
]

UNIT = float(np.finfo(np.float64).eps) / 2.0
#: Designs of at most so many entries are centred for real before they are multiplied.
WORTH_CENTRING = 5_000_000
#: Columns with this share outside the span of others are taken to be inside it.
DEPENDENT = 1e-13
#: Steps towards balance, and the sums that are balanced well enough.
STEPS, BALANCED = 2_000, 1e-10
#: Columns whose least singular value, scaled, is above this are clearly independent.
WELL_APART = 1e-4
#: How much of slopes well inside is mixed into others.
MIXTURES = (1e-10, 1e-8, 1e-6, 1e-4, 1e-3)
#: Factors of an exact combination: at most this, in whole multiples of its inverse.
SIMPLEST = 64.0
#: Veltkamp's factor, which splits a number into halves of 26 bits; and what is so small
#: that such a half may underflow.
SPLIT, TINIEST = 2.0**27 + 1.0, 2.0**-900


class Free(NamedTuple):
    """What has no price, and the direction v that is asked for all coefficients."""

    #: Which coefficients, or the directions as columns.
    which: Any
    direction: Vector


def free_directions(
    risk: LinearRisk, direction: Vector | None, defects: Vector | float
) -> Free | None:
    """Return the coefficients, or directions, without a price; None if there is none.

    A coefficient that only walls hold is one of them where its entry of v is 0 within
    rounding: elsewhere it is held.
    """
    penalty, d = risk.penalty, risk.design.shape[1]
    if direction is None:
        direction = risk.origin()[:-1]
    if not isinstance(penalty, SeparablePenalty):
        directions = penalty.free_directions(d)
        return Free(directions, direction) if directions.shape[1] else None
    if penalty.elastic is not None:
        l1, l2 = (np.asarray(price) == 0.0 for price in penalty.elastic)
        mask: Mask = np.broadcast_to(l1 & l2, d)
    else:
        ones = np.ones(d)
        mask = (penalty.admit(ones) == 0.0) | (penalty.admit(-ones) == 0.0)
        near = np.abs(direction) <= defects
        mask = mask & near.reshape(d, -1).any(axis=1)
    return Free(mask, direction) if mask.any() else None


def inverse_length(risk: LinearRisk, slopes: Vector, room: Vector, free: Free) -> float:
    """Bound √(Σ q t²/room) for the shortest t that balances the slopes exactly.

    Infinite if the free columns are not provably independent, or too many to look at.
    """
    n, d = risk.design.shape
    rough, least = _by_moments(risk, slopes, room, free)
    if least >= WELL_APART or n * (d + 1) > WORTH_CENTRING:
        return rough
    Z, defect = _defects(risk, slopes, free)
    if not defect.any():
        return 0.0
    scaled = Z * np.sqrt(risk.weights * room)[:, None]
    norms = np.sqrt(np.sum(scaled**2, axis=0))
    empty = norms == 0.0
    # Numbers whose products underflow leave no trace in a defect.
    hidden = (Z[:, empty] != 0.0) & (np.abs(Z[:, empty]) < TINIEST)
    if defect[empty].any() or hidden.any():
        return np.inf
    kept = np.flatnonzero(~empty)
    # All lengths and angles of the columns, in as many rows as there are columns.
    triangle = np.asarray(np.linalg.qr(scaled[:, kept] / norms[kept], mode="r"))
    some = _independent(risk, free, kept, triangle)
    kept = kept[some]
    if not len(kept):
        return np.inf
    least = _least_singular_value(triangle[:, some], len(Z))
    return float(np.linalg.norm((defect[kept].T / norms[kept]).T)) / least


def _defects(risk: LinearRisk, slopes: Vector, free: Free) -> tuple[Matrix, Matrix]:
    """Return the free columns and, for each, how far slopes can be from balance."""
    n = len(slopes)
    Z, sizes, aim = free_columns(risk, free)
    weighted = (slopes.T * risk.weights).T.reshape(n, -1)
    lost = 2.0 * (n + 8) * UNIT * (sizes.T @ np.abs(weighted) + np.abs(aim))
    return Z, np.abs(Z.T @ weighted + aim) + lost


def free_columns(risk: LinearRisk, free: Free) -> tuple[Matrix, Matrix, Matrix]:
    """Return the columns of X along free directions, and the ones of an intercept.

    With them come the sizes of the numbers that were added to make them, and the
    products with the weighted slopes, up to their sign, that the direction asks for.
    """
    X = np.asarray(risk.design.toarray(), dtype=np.float64)
    which, aim = free.which, free.direction.reshape(X.shape[1], -1)
    if which.dtype == bool:
        columns, aim = X[:, which], aim[which]
        sizes = np.abs(columns)
    else:
        apart = _apart(which, np.sqrt(risk.weights @ X**2))
        columns, sizes = X @ apart, np.abs(X) @ np.abs(apart)
        aim = np.zeros((apart.shape[1], aim.shape[1]))  # Ω* is finite nowhere else
    if risk.intercept:
        ones = np.ones(len(X))
        columns = np.column_stack([columns, ones])
        sizes = np.column_stack([sizes, ones])
        aim = np.vstack([aim, np.zeros((1, aim.shape[1]))])
    return np.asarray(columns), np.asarray(sizes), np.asarray(aim)


def _apart(free: Matrix, lengths: Vector) -> Matrix:
    """Return the same directions, each with a coefficient of 1 that no other has.

    Those are the coefficients of the longest columns: so the columns along free
    directions are about as independent as those of X, whatever their units.
    """
    count = free.shape[1]
    order = linalg.qr((lengths[:, None] * free).T, mode="r", pivoting=True)[1]
    return np.asarray(free @ np.linalg.inv(free[order[:count]]))


def largest_share(risk: LinearRisk, slopes: Vector, room: Vector, free: Free) -> float:
    """Bound |t|/room, for a t along the free columns that balances the slopes exactly.

    Sharper than `inverse_length` where few directions are free and the slopes t is
    added to have room everywhere: t = room·(Z a) with a = -G⁻¹δ is looked at sample by
    sample. Infinite where G is nearly singular.
    """
    n, d = risk.design.shape
    if n * (d + 1) > WORTH_CENTRING:
        return np.inf
    Z, defect = _defects(risk, slopes, free)
    scaled = Z * np.sqrt(risk.weights * room)[:, None]
    norms = np.sqrt(np.sum(scaled**2, axis=0))
    if not norms.all():
        return np.inf
    triangle = np.asarray(np.linalg.qr(scaled / norms, mode="r"))
    if _least_singular_value(triangle, len(scaled)) < WELL_APART:
        return np.inf
    inverse = np.linalg.inv(scaled.T @ scaled / np.outer(norms, norms))
    spread = np.abs((Z / norms) @ inverse) @ (defect.T / norms).T
    # The computed inverse is off by a small share, which doubling covers.
    return 2.0 * float(spread.max(initial=0.0))


def inner_slopes(risk: LinearRisk, free: Free) -> Vector | None:
    """Return slopes well inside the domain of ℓ* that are nearly balanced, if any.

    A loss of residuals has 0. A maximum of planes has the slopes of a soft maximum,
    which weighs all planes, at the scores along free columns that make it least.
    """
    if isinstance(risk.loss, Loss):
        low, high = risk.loss.slopes(risk.y)
        if np.all((low < 0.0) & (high > 0.0)):
            return np.zeros(len(risk.y))
    planes = risk.loss.planes(risk.y)
    n, d = risk.design.shape
    if planes is None or max(n * (d + 1), planes[0].size) > WORTH_CENTRING:
        return None
    # Found once for all points of a run: they depend on data and loss alone.
    known = risk.memory.made(_InnerSlopes, _InnerSlopes)
    name = type(risk.loss), free.which.tobytes()
    if name not in known:
        columns = free_columns(risk, free)[0]
        known[name] = _soft_slopes(planes, columns, risk.weights)
    found = known[name]
    return found[:, 0] if isinstance(risk.loss, Loss) else found


class _InnerSlopes(dict[tuple[type, bytes], Matrix]):
    """Slopes inside the domain of ℓ*, by the loss and by which columns are free."""


def _soft_slopes(planes: tuple[Matrix, Matrix], Z: Matrix, weights: Vector) -> Matrix:
    """Minimise a soft maximum by accelerated gradient steps; return its slopes."""
    (steep, heights), curve = planes, float(np.max(np.sum(planes[0] ** 2, axis=(1, 3))))
    inverse = np.linalg.pinv(Z.T @ (Z.T * weights).T) / max(curve, 1e-300)
    scores = last = np.zeros((len(Z), steep.shape[3]))
    slopes = scores
    for step in range(STEPS):
        ahead = scores + step / (step + 3.0) * (scores - last)
        shares = softmax(np.einsum("itpk,ik->itp", steep, ahead) + heights, axis=2)
        slopes = np.einsum("itp,itpk->ik", shares, steep)
        pulled = Z.T @ (slopes.T * weights).T
        if np.abs(pulled).max(initial=0.0) <= BALANCED * np.abs(Z).max(initial=0.0):
            break
        last, scores = scores, ahead - Z @ (inverse @ pulled)
    return np.asarray(slopes)


def moved_inside(risk: LinearRisk, slopes: Vector, free: Free) -> list[Vector]:
    """Return slopes nearby with room to move, balanced as well as rounding allows."""
    inner = inner_slopes(risk, free)
    if inner is None:
        return []
    room = 0.5 * _distance(risk, inner)
    (Z, _, aim), found = free_columns(risk, free), []
    scaled = np.sqrt(risk.weights * room)[:, None] * Z
    moments = scaled.T @ scaled
    for share in MIXTURES:
        mixed = (1.0 - share) * slopes + share * inner
        for _ in range(2):  # the second time removes the rounding of the first
            weighted = (mixed.T * risk.weights).T.reshape(len(mixed), -1)
            defect = Z.T @ weighted + (1.0 - share) * aim
            moved = room[:, None] * (Z @ np.linalg.lstsq(moments, defect)[0])
            mixed = mixed - moved.reshape(mixed.shape)
        inside = np.isfinite(risk.loss.conjugate(risk.y, mixed))
        if inside[risk.weights > 0.0].all():
            found.append(mixed)
    return found


def _distance(risk: LinearRisk, slopes: Vector) -> Vector:
    """Return how far slopes may move and stay inside the domain of ℓ*."""
    if isinstance(risk.loss, VectorLoss):
        return np.maximum(risk.loss.slack(risk.y, slopes), 0.0)
    low, high = risk.loss.slopes(risk.y)
    room = np.minimum(slopes - low, high - slopes)
    return np.where(np.isfinite(room), np.maximum(room, 0.0), 1.0)


def _least_singular_value(triangle: Matrix, n: int) -> float:
    """Return a lower bound for columns of n rows, from those of their triangle.

    1e-300 if rounding leaves none.
    """
    m = triangle.shape[1]
    if m > n:
        return 1e-300
    least = float(np.linalg.svd(triangle, compute_uv=False)[-1])
    # The backward error of the factorisation: that of the columns left out is theirs.
    error = 4.0 * (n + m) * m * UNIT * (1.0 + float(np.linalg.norm(triangle)))
    return float(max(least - error, 1e-300))


def _by_moments(
    risk: LinearRisk, slopes: Vector, room: Vector, free: Free
) -> tuple[float, float]:
    """Bound the same from XᵀQX alone, and say by which least eigenvalue, scaled.

    Many times faster, and as sharp where columns are clearly independent. Elsewhere
    rounding hides the square of what it hides from a factorisation of the columns.
    """
    d, weights = risk.design.shape[1], risk.weights * room
    which = free.which
    W = np.eye(d)[:, which] if which.dtype == bool else np.asarray(which)
    moments = np.zeros((d + 1, d + 1))
    moments[:d, :d] = risk.design.gram(weights)
    moments[:d, d] = moments[d, :d] = risk.design.pull_back(weights)
    moments[d, d] = weights.sum()
    W = linalg.block_diag(W, np.eye(1)) if risk.intercept else np.vstack([W, 0 * W[:1]])
    G = W.T @ moments @ W
    own = np.sqrt(np.maximum(np.diag(moments), 0.0))
    reach = np.append(risk.design.reach(weights, own[:d]), own[d])
    lengths, norms = np.abs(W).T @ reach, np.sqrt(np.maximum(np.diag(G), 0.0))
    if not norms.all():
        return np.inf, 0.0
    error = 2.0 * (len(slopes) + 8) * UNIT * float(np.sum((lengths / norms) ** 2))
    least = float(np.linalg.eigvalsh(G / np.outer(norms, norms))[0])
    least -= error + 16.0 * len(G) ** 2 * UNIT
    if least <= 0.0:
        return np.inf, 0.0
    weighted = (slopes.T * risk.weights).T.reshape(len(slopes), -1)
    pulled = np.asarray(risk.design.pull_back(weighted), dtype=np.float64)
    pulled = pulled + free.direction.reshape(d, -1)
    defect = np.abs(W.T @ np.vstack([pulled, weighted.sum(axis=0)]))
    size = np.sqrt(risk.weights @ slopes.reshape(len(slopes), -1) ** 2)
    far = np.append(risk.reach, 1.0)
    lost = 2.0 * (risk.design.depth + 8) * UNIT
    defect = defect + lost * np.multiply.outer(np.abs(W).T @ far, size)
    return float(np.linalg.norm((defect.T / norms).T) / np.sqrt(least)), least


def _independent(
    risk: LinearRisk, free: Free, chosen: Indices, triangle: Matrix
) -> Indices:
    """Return the columns that are left without exact combinations of others."""
    m = triangle.shape[1]
    pivoted, order = linalg.qr(triangle, mode="r", pivoting=True)
    diagonal = np.abs(np.diag(pivoted))
    rank = int(np.count_nonzero(diagonal > DEPENDENT * diagonal.max(initial=0.0)))
    if rank == m:
        return np.arange(m)
    kept, dropped = order[:rank], order[rank:]
    # As the user gave them: centring may round differences away, and an intercept
    # absorbs any shift.
    raw = np.asarray(risk.design.as_given().toarray(), dtype=np.float64)
    single = free.which.dtype == bool
    raw = raw[:, free.which] if single else raw
    if rank == len(np.unique(raw, axis=0)):
        return np.sort(kept)  # these already tell apart all rows that differ
    if not single:
        return np.arange(m)
    if risk.intercept:
        raw = np.column_stack([raw, np.ones(len(raw))])
    raw = raw[:, chosen]
    factors = np.linalg.lstsq(raw[:, kept], raw[:, dropped])[0]
    factors = np.round(SIMPLEST * factors) / SIMPLEST
    for column, mix in zip(dropped, factors.T, strict=True):
        if not _exact(raw[:, kept], raw[:, column], mix):
            return np.arange(m)
    return np.sort(kept)


def _exact(others: Matrix, column: Vector, factors: Vector) -> bool:
    """Tell whether a column is that combination of others, without any rounding."""
    if np.abs(factors).max(initial=0.0) > SIMPLEST:
        return False
    left = column.copy()
    with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is not 0
        for other, factor in zip(others.T, factors, strict=True):
            if factor == 0.0:
                continue
            product = factor * other
            # Halves of the digits: their products with a factor of few bits are exact.
            high = SPLIT * other - (SPLIT * other - other)
            lost = (factor * high - product) + factor * (other - high)
            total = left - product
            # The rounding of a difference, exactly (Knuth's two-sum).
            back = total - left
            error = (left - (total - back)) + (-product - back)
            tiny = (np.abs(product) < TINIEST) & (other != 0.0)
            if lost.any() or error.any() or tiny.any():
                return False
            left = total
    return not left.any()
