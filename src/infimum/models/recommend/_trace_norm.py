"""The least of loss and trace norm over all matrices, by factors of a growing rank.

Alternating least squares find the best matrix of a rank. Where the residual, outside
the rows and columns of that matrix, has a singular value above λ, its vectors are new
directions; where it has none the matrix is the best of all ranks, and the duality gap
proves it. Products with the residual are sparse: no entry is ever filled in.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import LinearOperator, eigsh

from infimum.certificates import Certificate
from infimum.certificates.completion_gap import certify_factors, dual_coefficients
from infimum.models.recommend._alternating import balanced, sweep, widened
from infimum.objectives.matrix_risk import Factors, MatrixRisk
from infimum.typing import Matrix, Vector

__all__ = ["Completion", "complete", "largest_penalty", "singular_values"]

#: Sweeps between two looks at the gap.
SWEEPS = 4
#: New directions at a time.
MOST_NEW = 8
#: Entries whose products are formed at a time, and turns over all sizes.
CHUNK, SIZING = 1 << 15, 50
#: Singular values below this share of the largest are dropped.
NEGLIGIBLE = 1e-9


@dataclass(frozen=True)
class Completion:
    """Factors of a completed matrix, with their proof."""

    factors: Factors
    certificate: Certificate
    n_iter: int

    @property
    def rank(self) -> int:
        """How many singular values are above 0."""
        return int(np.sum(singular_values(self.factors) > 0.0))


def singular_values(point: Factors) -> Vector:
    """Return the singular values of balanced factors."""
    return np.asarray(np.sum(point.rows[:, : point.rank] ** 2, axis=0))


def complete(
    risk: MatrixRisk,
    point: Factors | None = None,
    *,
    tol: float = 1e-6,
    max_iter: int = 500,
    max_rank: int | None = None,
) -> Completion:
    """Minimise over all matrices, or over those of a rank, from a point if given."""
    most = min(max_rank or min(risk.shape), *risk.shape)
    if point is None:
        point = _nothing(risk)
    count, reason = 0, "the sweeps are used up"
    point = _with_new_directions(risk, point, most)
    while count < max_iter:
        for _ in range(min(SWEEPS, max_iter - count)):
            point = sweep(risk, point)
            count += 1
        point = balanced(point, drop=NEGLIGIBLE)
        wider = _with_new_directions(risk, point, most)
        if wider.rank == point.rank and _estimated_gap(risk, point) <= 0.5 * tol:
            proof = certify_factors(risk, point, tolerance=tol, reason="converged")
            if proof.closed:
                return Completion(point, proof, count)
        point = wider
    point = balanced(point, drop=NEGLIGIBLE)
    return Completion(
        point, certify_factors(risk, point, tolerance=tol, reason=reason), count
    )


def largest_penalty(risk: MatrixRisk) -> float:
    """Return the spectral norm of what was seen: from that λ on the answer is 0."""
    found = _outside(risk, _nothing(risk), 1)
    return float(found[1][0]) if len(found[1]) else 0.0


def _nothing(risk: MatrixRisk) -> Factors:
    n, m = risk.shape
    return Factors(np.zeros((n, risk.width(1))), np.zeros((m, risk.width(1))), 1)


def _with_new_directions(risk: MatrixRisk, point: Factors, most: int) -> Factors:
    """Add the directions that the optimality of the point lacks."""
    known = 0 if not point.rows.any() else point.rank
    room = min(MOST_NEW, most - known)
    if room <= 0:
        return point
    left, sizes, right = _outside(risk, point, room)
    above = sizes > risk.penalty * (1.0 + 1e-9)
    if not above.any():
        return point
    roots = np.sqrt(np.maximum(sizes[above] - risk.penalty, 0.0))
    new = (left[:, above] * roots, right[:, above] * roots)
    if known == 0:
        point = _of_rank_zero(point)
    return _reweighted(risk, widened(point, *new))


def _reweighted(risk: MatrixRisk, point: Factors) -> Factors:
    """Return the directions with their best sizes: a lasso over products of rank one.

    A small factor would grow by (σ/λ)² a sweep only.
    """
    norms = [np.linalg.norm(part[:, : point.rank], axis=0) for part in point[:2]]
    U, V = (
        part[:, : point.rank] / np.maximum(norm, 1e-300)
        for part, norm in zip(point[:2], norms, strict=True)
    )
    lines = np.repeat(np.arange(risk.shape[0]), np.diff(risk.seen.indptr))
    gram, pull = np.zeros((point.rank,) * 2), np.zeros(point.rank)
    for at in range(0, len(lines), CHUNK):
        part = slice(at, at + CHUNK)
        atoms = U[lines[part]] * V[risk.seen.indices[part]]
        led = atoms.T * risk.weights[part]
        gram += led @ atoms
        pull += led @ risk.targets[part]
    sizes = norms[0] * norms[1]
    for _ in range(SIZING):
        for k in range(point.rank):
            rest = pull[k] - gram[k] @ sizes + gram[k, k] * sizes[k]
            if gram[k, k] > 0:
                sizes[k] = max((rest - risk.penalty) / gram[k, k], 0.0)
    kept = sizes > 0.0
    roots = np.sqrt(sizes[kept])
    return widened(_of_rank_zero(point), U[:, kept] * roots, V[:, kept] * roots)


def _of_rank_zero(point: Factors) -> Factors:
    """Return factors of rank 0."""
    return Factors(point.rows[:, :0], point.columns[:, :0], 0)


def _outside(
    risk: MatrixRisk, point: Factors, count: int
) -> tuple[Matrix, Vector, Matrix]:
    """Return the leading singular vectors of the residual outside the factors."""
    n, m = risk.shape
    R = sparse.csr_array(
        (risk.weights * (risk.targets - risk.fitted(point)), *_places(risk)), (n, m)
    )
    turned = sparse.csr_array(R.T)
    left, right = (_frame(part[:, : point.rank]) for part in point[:2])

    def image(x: Matrix) -> Matrix:
        y = R @ (x - right @ (right.T @ x))
        return np.asarray(y - left @ (left.T @ y))

    def back(y: Matrix) -> Matrix:
        x = turned @ (y - left @ (left.T @ y))
        return np.asarray(x - right @ (right.T @ x))

    if min(n, m) <= count + 2:
        whole = image(np.eye(m))
        P, sizes, Qt = linalg.svd(whole, full_matrices=False)
        return P[:, :count], sizes[:count], Qt[:count].T
    tall = n >= m
    one, two = (image, back) if tall else (back, image)
    size = min(n, m)
    operator = LinearOperator((size, size), matvec=lambda x: two(one(x)), dtype=float)
    start = np.random.default_rng(0).standard_normal(size)
    values, vectors = eigsh(operator, count, v0=start, tol=1e-4)
    sizes = np.sqrt(np.maximum(values[::-1], 0.0))
    vectors = vectors[:, ::-1]
    images = one(vectors) / np.maximum(sizes, 1e-300)
    return (images, sizes, vectors) if tall else (vectors, sizes, images)


def _places(risk: MatrixRisk) -> tuple[Vector, Vector]:
    return risk.seen.indices, risk.seen.indptr


def _frame(factors: Matrix) -> Matrix:
    if not factors.any():
        return factors[:, :0]
    return np.asarray(linalg.qr(factors, mode="economic")[0])


def _estimated_gap(risk: MatrixRisk, point: Factors) -> float:
    """Return the relative gap with the spectral norm estimated, not proved."""
    said = risk.fitted(point)
    residual = np.asarray(risk.weights * (risk.targets - said))
    norm = _norm(sparse.csr_array((residual, *_places(risk)), risk.shape), point)
    found = dual_coefficients(risk, point, residual, said)
    dual = found.best(risk.penalty / norm if norm > 0 else 1.0)[1]
    value = risk.value(point) * risk.total
    return (value - dual) / max(risk.null * risk.total - dual, 1e-300)


def _norm(R: sparse.csr_array, point: Factors) -> float:
    """Estimate ‖R‖₂ from the directions of the point, which are nearly its leaders."""
    if min(R.shape) <= 32:  # noqa: PLR2004
        return float(np.linalg.norm(R.toarray(), 2))
    turned = sparse.csr_array(R.T)
    start = turned @ (R @ point.columns.sum(axis=1))
    if not np.any(start):
        start = np.ones(R.shape[1])
    size = R.shape[1]
    operator = LinearOperator(
        (size, size), matvec=lambda x: turned @ (R @ x), dtype=float
    )
    return float(np.sqrt(max(eigsh(operator, 1, v0=start, tol=1e-6)[0][0], 0.0)))
