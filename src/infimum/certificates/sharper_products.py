"""Sharper products: correlations that lose less by rounding than a plain product does.

Needed where the sum of many terms is multiplied by a long w: under a weak penalty.
"""

from __future__ import annotations

import numpy as np

from infimum.certificates.free_columns import free_directions
from infimum.certificates.rounding import UNIT, DualPoint, gamma
from infimum.objectives import LinearRisk
from infimum.typing import Matrix, Vector

__all__ = ["sharpened"]

#: The unit of extended precision, and the designs that are worth it.
EXTENDED = float(np.finfo(np.longdouble).eps) / 2.0
WORTH_EXTENDING = 2_000_000
#: From so many samples on, sums over a few of them lose no more than extended precision
#: loses of all, and take a tenth of the time.
MANY, A_FEW = 10_000, 32


def sharpened(risk: LinearRisk, dual: DualPoint) -> DualPoint | None:
    """Return the dual point with v computed more sharply, where that can be done.

    Only for designs that are small enough to be read once more, slowly.
    """
    n, d = risk.design.shape
    if dual.direction is None or n * d > WORTH_EXTENDING or not np.isfinite(dual.value):
        return None
    if EXTENDED > 1e-3 * UNIT or free_directions(risk, dual.direction, 0.0) is not None:
        return None
    X = np.asarray(risk.design.toarray(), dtype=np.float64)
    products, share = _blocked(X, risk, dual) if n > MANY else _extended(X, risk, dual)
    direction = -products.astype(np.float64).reshape(dual.direction.shape)
    scale = risk.penalty.dual_scale(direction)
    if scale < 1.0:
        return None
    sizes = np.abs(X).T @ np.abs((dual.slopes.T * risk.weights).T)
    lost = UNIT * np.abs(direction) + share * sizes
    lost = lost + 2.0 * UNIT * np.multiply.outer(
        risk.reach, np.sqrt(risk.weights @ dual.slopes**2)
    )
    value = dual.value + risk.penalty.conjugate(dual.direction)
    value -= risk.penalty.conjugate(direction)
    return dual._replace(value=value, direction=direction, lost=lost)


def _extended(X: Matrix, risk: LinearRisk, dual: DualPoint) -> tuple[Vector, float]:
    """Return Xᵀ(q∘s) in extended precision, and the share of the sizes it may lose."""
    weighted = (dual.slopes.T * risk.weights.astype(np.longdouble)).T
    products = [column @ weighted for column in X.T.astype(np.longdouble)]
    return np.array(products), 2.0 * (len(X) + 4.0) * EXTENDED


def _blocked(X: Matrix, risk: LinearRisk, dual: DualPoint) -> tuple[Vector, float]:
    """Return the same by blocks of few samples, added in extended precision."""
    weighted = (dual.slopes.T * risk.weights).T.reshape(len(X), -1)
    whole = len(X) // A_FEW * A_FEW
    blocks = X[:whole].reshape(-1, A_FEW, X.shape[1]).transpose(0, 2, 1)
    parts = blocks @ weighted[:whole].reshape(-1, A_FEW, weighted.shape[1])
    total = parts.astype(np.longdouble).sum(axis=0)
    total = total + X[whole:].T @ weighted[whole:]
    added = (len(parts) + 4.0) * EXTENDED
    return total, 2.0 * (gamma(A_FEW + 2.0) + added)
