"""Iterative thresholding and the least energy: two ways back from measurements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from infimum.certificates import Certificate, gamma
from infimum.errors import InvalidParameterError
from infimum.limits import in_time
from infimum.models.sensing.basis_pursuit import measured_system
from infimum.parameters import check_domain, positive, whole
from infimum.typing import Matrix, Vector

__all__ = ["SparseRecovery", "iterative_thresholding", "minimum_energy"]


@dataclass(frozen=True, eq=False)
class SparseRecovery:
    """A recovered signal, its coefficients, and how the steps went."""

    signal: Vector
    coefficients: Vector
    #: Residual ‖Wx - y‖ after each step.
    residuals: list[float]
    #: The gap of ½‖Wx - y‖² + λ‖α‖₁, for soft thresholds.
    certificate: Certificate | None = None


def iterative_thresholding(
    W: Any,
    y: Any,
    *,
    strength: float | None = None,
    n_nonzero: int | None = None,
    basis: Any = None,
    tol: float = 1e-6,
    max_iter: int = 2000,
) -> SparseRecovery:
    """Recover a sparse signal by steps towards the data, each followed by a threshold.

    Parameters
    ----------
    W, y : array-like
        Measurements y = Wx.
    strength : float, optional
        Soft thresholds: the least of ½‖Wx - y‖² + strength·‖α‖₁, with momentum, until
        the relative duality gap is `tol`.
    n_nonzero : int, optional
        Hard thresholds: keep so many coefficients after each step.
    basis : OrthonormalBasis, name or matrix, optional
    tol : float, default=1e-6
    max_iter : int, default=2000

    Examples
    --------
    >>> W = [[1.0, 0.5], [0.0, 1.0]]
    >>> found = iterative_thresholding(W, [2.0, 0.0], n_nonzero=1)
    >>> found.signal.round(6).tolist()
    [2.0, 0.0]
    """
    A, y, basis = measured_system("iterative_thresholding", W, y, basis)
    if (strength is None) == (n_nonzero is None):
        raise InvalidParameterError(
            "iterative_thresholding needs a strength, for soft thresholds, or "
            "n_nonzero, for hard ones."
        )
    check_domain("iterative_thresholding.max_iter", max_iter, whole(1))
    reach = float(np.linalg.norm(A, 2)) ** 2 or 1.0
    residuals: list[float] = []
    if strength is not None:
        check_domain("iterative_thresholding.strength", strength, positive)
        x, proof = _soft(A, y, float(strength), reach, tol, max_iter, residuals)
    else:
        check_domain("iterative_thresholding.n_nonzero", n_nonzero, whole(1))
        x, proof = _hard(A, y, int(n_nonzero or 1), tol, max_iter, residuals), None
    signal = x if basis is None else basis.synthesize(x)
    return SparseRecovery(signal, x, residuals, proof)


def minimum_energy(W: Any, y: Any, *, basis: Any = None) -> SparseRecovery:
    """Return the signal of least Euclidean norm with these measurements.

    It explains the data, and is hardly ever sparse.

    Examples
    --------
    >>> minimum_energy([[1.0, 1.0]], [2.0]).signal.round(9).tolist()
    [1.0, 1.0]
    """
    A, y, basis = measured_system("minimum_energy", W, y, basis)
    x = linalg.lstsq(A, y, lapack_driver="gelsy")[0]
    left = float(np.linalg.norm(A @ x - y))
    return SparseRecovery(x if basis is None else basis.synthesize(x), x, [left])


def _soft(
    A: Matrix,
    y: Vector,
    strength: float,
    reach: float,
    tol: float,
    max_iter: int,
    residuals: list[float],
) -> tuple[Vector, Certificate]:
    x = ahead = np.zeros(A.shape[1])
    pace, cut = 1.0, strength / reach
    proof = _lasso_gap(A, y, x, strength, tol)
    for count in in_time(range(max_iter)):
        moved = ahead - (A.T @ (A @ ahead - y)) / reach
        new = np.sign(moved) * np.maximum(np.abs(moved) - cut, 0.0)
        if float((ahead - new) @ (new - x)) > 0:  # the momentum points uphill
            pace = 1.0
        faster = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * pace**2))
        ahead = new + ((pace - 1.0) / faster) * (new - x)
        x, pace = new, faster
        residuals.append(float(np.linalg.norm(A @ x - y)))
        if count % 10 == 9 or count == max_iter - 1:  # noqa: PLR2004
            proof = _lasso_gap(A, y, x, strength, tol)
            if proof.closed:
                break
    return x, proof


def _lasso_gap(
    A: Matrix, y: Vector, x: Vector, strength: float, tol: float
) -> Certificate:
    """Return the objective, and a number that none goes below, rounding counted."""
    (n, d), sizes = A.shape, np.abs(A)
    left = y - A @ x
    off = gamma(d + 4.0) * (np.abs(y) + sizes @ np.abs(x))
    lost = gamma(n + 8.0) * (sizes.T @ np.abs(left))
    pulls = float(np.max(np.abs(A.T @ left) + lost, initial=0.0))
    v = left * min(1.0, strength / pulls) if pulls > 0 else left
    value = 0.5 * float(left @ left) + strength * float(np.abs(x).sum())
    dual = float(y @ v) - 0.5 * float(v @ v)
    slack = float((np.abs(left) + off) @ off)
    slack += gamma(n + d + 16.0) * (value + float(np.abs(y) @ np.abs(v) + v @ v))
    scale = 0.5 * float(y @ y) - dual
    proof = Certificate(value, dual - slack, scale, tol, "thresholds", slack)
    return proof.as_fine_as_rounding_allows()


def _hard(
    A: Any, y: Vector, count: int, tol: float, max_iter: int, residuals: list[float]
) -> Vector:
    """Step along the gradient, with the best length on the support, and cut."""
    x, size = np.zeros(A.shape[1]), float(np.linalg.norm(y)) or 1.0
    for _ in in_time(range(max_iter)):
        way = A.T @ (y - A @ x)
        support = np.flatnonzero(x) if x.any() else np.argsort(-np.abs(way))[:count]
        led = A[:, support] @ way[support]
        total = float(led @ led)
        if total == 0.0:
            break
        x = x + float(way[support] @ way[support]) / total * way
        x[np.argsort(-np.abs(x))[count:]] = 0.0
        residuals.append(float(np.linalg.norm(A @ x - y)))
        if residuals[-1] <= tol * size:
            break
    return x
