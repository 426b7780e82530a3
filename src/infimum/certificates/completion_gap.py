r"""Proof that no factorisation of any rank has a lower risk.

For every Y with :math:`\|T^\top Y S\|_2 ≤ λ` (rows and columns scaled as their
penalties are), weak duality gives every U, V, a, b of every rank

.. math:: N F ≥ ⟨Y, Z⟩ - \tfrac12 \sum Y^2/c
          - \tfrac1{2β} (\|T^\top Y 1\|^2 + \|S^\top Y^\top 1\|^2) .

Y is the residual c(z - m), and -g m where nothing was seen, times the factor that
makes it feasible and the bound largest. The spectral norm is bounded from above
(`spectral_norm_bound`), not estimated, and what rounding may have added is subtracted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from infimum.certificates.certificate import Certificate
from infimum.certificates.rounding import UNIT, gamma
from infimum.certificates.spectral_norm import spectral_norm_bound
from infimum.compiled.factor_rows import entry_products
from infimum.objectives.matrix_risk import Factors, MatrixRisk, SeenSide
from infimum.typing import Matrix, Vector

__all__ = ["certify_factors", "dual_coefficients", "residual_operator"]


class _Dual(NamedTuple):
    """The dual along the ray τY: τ·linear - ½ τ²·square, and the sizes of both."""

    linear: float
    square: float
    slack: float

    def best(self, limit: float) -> tuple[float, float]:
        """Return the best τ up to a limit, and the value there."""
        tau = limit if self.square <= 0 else min(limit, self.linear / self.square)
        return tau, tau * self.linear - 0.5 * tau**2 * self.square


def certify_factors(
    risk: MatrixRisk, point: Factors, *, tolerance: float = 1e-6, reason: str = ""
) -> Certificate:
    """Return the risk of factors, and a number that no factors of any rank go below.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> risk = MatrixRisk(sparse.csr_array([[3.0, 0.0], [0.0, 1.0]]), strength=1.0)
    >>> root = np.array([[1.0, 0, 0, 0], [0.0, 0, 0, 0]])
    >>> proof = certify_factors(risk, Factors(root, root, 1))
    >>> round(proof.primal, 6), round(proof.dual, 6)
    (2.25, 2.25)
    """
    said = risk.fitted(point)
    residual = np.asarray(risk.weights * (risk.targets - said))
    K, low_rank = residual_operator(risk, point, residual, said)
    bound = spectral_norm_bound(K, low_rank, enough=risk.penalty)
    norm = bound.value + 8.0 * UNIT * _size(risk, K, low_rank)
    limit = risk.penalty / norm * (1.0 - 4.0 * UNIT) if norm > 0.0 else 1.0
    found = dual_coefficients(risk, point, residual, said)
    tau, dual = found.best(limit)
    primal = risk.value(point) * risk.total
    slack = found.slack * max(1.0, tau) + _primal_slack(risk, point, said, primal)
    dual, primal, slack = (x / risk.total for x in (max(dual, 0.0), primal, slack))
    dual = dual - slack if dual > 0.0 else 0.0
    gain = max(risk.null - dual - 2.0 * slack, 0.0)
    return Certificate(primal, dual, gain, tolerance, reason or "checked", slack)


def residual_operator(
    risk: MatrixRisk, point: Factors, residual: Vector, said: Vector
) -> tuple[Any, tuple[Matrix, Matrix] | None]:
    """Return K and (A, B): K - ABᵀ is the scaled residual in the space of factors."""
    X = risk.seen
    values = residual + risk.background * said if risk.background else residual
    S = sparse.csr_array((values, X.indices, X.indptr), X.shape)
    left, right = _map(risk.rows), _map(risk.columns)
    K = S if left is None else sparse.csr_array(left.T @ S)
    K = K if right is None else sparse.csr_array(K @ right)
    if not risk.background:
        return K, None
    U = risk.background * risk.effective(risk.rows, point.rows)[:, : point.rank]
    V = risk.effective(risk.columns, point.columns)[:, : point.rank]
    A = U if left is None else left.T @ U
    B = V if right is None else right.T @ V
    return K, (np.asarray(A), np.asarray(B))


def _map(side: SeenSide) -> Any:
    """Return [I, features], each column over the root of its scale; None for I."""
    if side.features is None and (side.scales == 1.0).all():
        return None
    n = len(side.starts) - 1
    eye = sparse.eye_array(n, format="csr")
    whole = eye if side.features is None else sparse.hstack([eye, side.features])
    roots = sparse.diags_array(1.0 / np.sqrt(side.scales))
    return sparse.csr_array(whole @ roots)


def _size(risk: MatrixRisk, K: Any, low_rank: tuple[Matrix, Matrix] | None) -> float:
    """Return the size of the numbers that were rounded to make K, and A and B."""
    size, terms = float(np.linalg.norm(K.data)), 1.0
    if low_rank is not None:
        size += float(np.linalg.norm(low_rank[0]) * np.linalg.norm(low_rank[1]))
    for side in (risk.rows, risk.columns):
        if side.features is not None:
            n = side.features.shape[0]
            size *= float(np.sqrt(1.0 + (side.features.multiply(side.features)).sum()))
            terms += n
    return size * terms


def dual_coefficients(
    risk: MatrixRisk, point: Factors, residual: Vector, said: Vector
) -> _Dual:
    """Return the dual along the ray of a residual, with its rounding."""
    linear = float(residual @ risk.targets)
    square = float(residual**2 @ (1.0 / risk.weights))
    sizes = float(np.abs(residual) @ np.abs(risk.targets)) + square
    if risk.background:
        U = risk.effective(risk.rows, point.rows)
        V = risk.effective(risk.columns, point.columns)
        whole = float(np.sum((U.T @ U) * (V.T @ V)))
        own = float(np.sum(U**2) * np.sum(V**2))
        square += risk.background * max(whole - float(said @ said), 0.0)
        sizes += risk.background * (own + 2.0 * float(said @ said)) * point.rank
    if risk.bias_penalty is not None:
        for side in (risk.rows, risk.columns):
            gained, lost = _bias_terms(side, residual)
            square += float(gained**2 @ (1.0 / side.scales)) / risk.bias_penalty
            sizes += float(lost**2 @ (1.0 / side.scales)) / risk.bias_penalty
    depth = len(residual) + sum(risk.shape) + 64.0
    return _Dual(linear, square, 2.0 * gamma(depth) * sizes)


def _bias_terms(side: SeenSide, residual: Vector) -> tuple[Vector, Vector]:
    """Return what each bias meets of the residual, and of its absolute values."""
    n = len(side.starts) - 1
    found: list[Any] = []
    ordered = residual[side.order]
    lines = np.repeat(np.arange(n), np.diff(side.starts))
    for values in (ordered, np.abs(ordered)):
        sums = np.bincount(lines, values, minlength=n)
        if side.features is not None:
            led = side.features if values is ordered else abs(side.features)
            sums = np.concatenate([sums, led.T @ sums])
        found.append(np.asarray(sums))
    return found[0], found[1]


def _sizes(risk: MatrixRisk, point: Factors) -> Vector:
    """Return for each entry the sum of the sizes of all that is added to say it."""
    sides = []
    for side, factors in ((risk.rows, point.rows), (risk.columns, point.columns)):
        features = None if side.features is None else abs(side.features)
        sizes = side._replace(features=features)
        sides.append(risk.effective(sizes, np.abs(factors)))
    faced, bias = risk.facing(sides[1], point.rank)
    rows = risk.rows
    said = entry_products(rows.starts, rows.places, sides[0], faced)
    return said if bias is None else said + bias[rows.places]


def _primal_slack(
    risk: MatrixRisk, point: Factors, said: Vector, primal: float
) -> float:
    """Bound the rounding of the risk: of each product, and of the sums."""
    terms = point.rows.shape[1] + 8.0
    for side in (risk.rows, risk.columns):
        terms += 0.0 if side.features is None else side.features.shape[1]
    reach = np.abs(risk.targets) + _sizes(risk, point) + np.abs(said)
    off = gamma(terms) * reach
    residual = np.abs(risk.targets - said)
    charge = float(risk.weights @ (residual * off + off**2))
    if risk.background:
        own = float(np.sum(point.rows**2) * np.sum(point.columns**2)) * point.rank
        charge += risk.background * gamma(sum(risk.shape) + terms) * 4.0 * own
        charge += risk.background * float(np.abs(said) @ off)
    return charge + gamma(len(said) + sum(risk.shape) + 64.0) * 2.0 * abs(primal)
