"""The least ℓ₁ norm for large systems: projection and threshold, in turn.

Rows are made orthonormal first, so that the nearest signal with the measurements costs
two products with the matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from infimum.limits import in_time
from infimum.models.sensing.basis_pursuit import l1_certificate, measured_system
from infimum.models.sensing.thresholding import SparseRecovery
from infimum.parameters import check_domain, positive, whole
from infimum.typing import Matrix

__all__ = ["split_pursuit"]

#: The threshold as a share of the largest pull, and steps between two proofs.
THRESHOLD, LOOKS = 0.05, 10
#: Directions of measurements below this share of the largest are repetitions.
NEGLIGIBLE = 1e-12


def split_pursuit(
    W: Any, y: Any, *, basis: Any = None, tol: float = 1e-3, max_iter: int = 500
) -> SparseRecovery:
    """Return a signal of nearly the least ℓ₁ norm among those with the measurements.

    Douglas–Rachford steps; `certificate` says how far below the norm any other can be.
    `BasisPursuit` is exact and follows a path, which has too many steps where thousands
    of coefficients are not 0.

    Parameters
    ----------
    W, y : array-like
        Measurements y = Wx.
    basis : OrthonormalBasis, name or matrix, optional
    tol : float, default=1e-3
        Relative gap.
    max_iter : int, default=500

    Examples
    --------
    >>> found = split_pursuit([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]], [1.0, 1.0], tol=1e-9)
    >>> (found.coefficients.round(6) + 0.0).tolist(), found.certificate.closed
    ([0.0, 0.0, 1.0], True)
    """
    A, y, basis = measured_system("split_pursuit", W, y, basis)
    check_domain("split_pursuit.tol", tol, positive)
    check_domain("split_pursuit.max_iter", max_iter, whole(1))
    back, Q = _orthonormal_rows(A)
    target = back.T @ y
    cut = THRESHOLD * float(np.abs(Q.T @ target).max(initial=0.0)) or 1.0
    kept, left = np.zeros(A.shape[1]), np.zeros(A.shape[1])
    residuals: list[float] = []
    for count in in_time(range(max_iter)):
        aim = kept - left
        x = aim + Q.T @ (target - Q @ aim)
        moved = x + left
        left = np.clip(moved, -cut, cut)
        kept = moved - left
        residuals.append(float(np.linalg.norm(x - kept)))
        if count % LOOKS == LOOKS - 1 or count == max_iter - 1:
            proof = l1_certificate(A, y, 0.0, (x, back @ (Q @ left)), tol)
            if proof.closed:
                break
    signal = x if basis is None else basis.synthesize(x)
    return SparseRecovery(signal, x, residuals, proof)


def _orthonormal_rows(A: Matrix) -> tuple[Matrix, Matrix]:
    """Return B and Q = BᵀA, whose rows are orthonormal and span those of A."""
    values, vectors = linalg.eigh(A @ A.T)
    able = values > NEGLIGIBLE * values[-1]
    back: Matrix = vectors[:, able] / np.sqrt(values[able])
    return back, back.T @ A
