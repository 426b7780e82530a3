"""As many factors as the proof asks for: new ones where the residual has directions.

The duality gap is open where a singular value of the residual is above λ. Its vectors
are factors that lower the risk; once there are none, no factorisation does better.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import LinearOperator, eigsh

from infimum.certificates.completion_gap import dual_coefficients, residual_operator
from infimum.limits import in_time
from infimum.models.recommend._alternating import alternate
from infimum.objectives.matrix_risk import Factors, MatrixRisk
from infimum.typing import Matrix, Vector

__all__ = ["FIRST", "grow"]

#: Factors at first, and added at a time.
FIRST, MORE = 10, 16
#: Turns of sweeps, and sweeps between two looks at the gap.
TURNS, SWEEPS = 60, 6
#: A singular value is above λ if it is so by this share.
ABOVE = 1e-5


def grow(
    risk: MatrixRisk, point: Factors, *, gap: float, tol: float, max_iter: int
) -> tuple[Factors, list[float]]:
    """Sweep and add factors until the estimated relative gap is below `gap`.

    It also ends where no direction is left and sweeps change the risk by less than
    `tol` of itself, or after `max_iter` turns. The risks met are told.
    """
    history: list[float] = []
    for _ in in_time(range(min(max_iter, TURNS))):
        point, met = alternate(risk, point, tol=0.0, max_iter=SWEEPS)
        still = bool(history) and history[-1] - met[-1] <= tol * gap * met[-1]
        history += met
        left, sizes, right, open_by = _directions(risk, point)
        above = sizes > risk.penalty * (1.0 + ABOVE)
        room = min(risk.shape) - point.rank
        above[max(room, 0) :] = False
        if open_by <= gap or (still and not above.any()):
            break
        if above.any():
            point = _widened(risk, point, left[:, above], right[:, above], sizes[above])
    return point, history


def _directions(
    risk: MatrixRisk, point: Factors
) -> tuple[Matrix, Vector, Matrix, float]:
    """Return the leading singular vectors of the residual, and the gap by them."""
    said = risk.fitted(point)
    residual = np.asarray(risk.weights * (risk.targets - said))
    K, low_rank = residual_operator(risk, point, residual, said)
    turned = sparse.csr_array(K.T)
    A, B = (np.zeros((size, 1)) for size in K.shape) if low_rank is None else low_rank

    def back(y: Matrix) -> Matrix:
        return np.asarray(turned @ y - B @ (A.T @ y))

    def forth(x: Matrix) -> Matrix:
        return np.asarray(K @ x - A @ (B.T @ x))

    tall = K.shape[0] >= K.shape[1]
    one, two = (forth, back) if tall else (back, forth)
    size = min(K.shape)
    if size <= 2 * MORE:
        values, vectors = linalg.eigh(two(one(np.eye(size))))
    else:
        operator = LinearOperator((size, size), lambda x: two(one(x)), dtype=float)
        start = np.random.default_rng(0).standard_normal(size)
        values, vectors = eigsh(operator, MORE, v0=start, tol=1e-4)
    values, vectors = values[::-1][:MORE], vectors[:, ::-1][:, :MORE]
    sizes = np.sqrt(np.maximum(values, 0.0))
    images = one(vectors) / np.maximum(sizes, 1e-300)
    limit = risk.penalty / sizes[0] if sizes[0] > 0.0 else 1.0
    dual = dual_coefficients(risk, point, residual, said).best(limit)[1]
    primal = risk.value(point) * risk.total
    open_by = (primal - dual) / max(risk.null * risk.total - dual, 1e-300)
    left, right = (images, vectors) if tall else (vectors, images)
    return left, sizes, right, float(open_by)


def _widened(
    risk: MatrixRisk, point: Factors, left: Matrix, right: Matrix, sizes: Vector
) -> Factors:
    """Return factors with more directions, each as large as is best for it alone."""
    pairs = [(risk.rows, left), (risk.columns, right)]
    free = [led / np.sqrt(side.scales)[:, None] for side, led in pairs]
    U, V = (
        risk.effective(side, led) for (side, _), led in zip(pairs, free, strict=True)
    )
    curved = risk.background * np.sum(U**2, axis=0) * np.sum(V**2, axis=0)
    lines = np.repeat(np.arange(risk.shape[0]), np.diff(risk.seen.indptr))
    for k in range(len(sizes)):
        met = U[lines, k] * V[risk.seen.indices, k]
        curved[k] += float((risk.weights - risk.background) @ met**2)
    roots = np.sqrt((sizes - risk.penalty) / np.maximum(curved, 1e-300))
    rank, more = point.rank, point.rank + len(sizes)
    made = []
    for factors, led in zip(point[:2], free, strict=True):
        part = np.zeros((len(factors), risk.width(more)))
        part[:, :rank], part[:, rank:more] = factors[:, :rank], led * roots
        if risk.bias_strength is not None:
            part[:, more] = factors[:, rank]
        made.append(part)
    return Factors(made[0], made[1], more)
