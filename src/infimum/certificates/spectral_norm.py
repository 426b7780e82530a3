r"""A proved upper bound of the spectral norm of a sparse matrix plus a low rank.

Iterations approach the largest singular value from below, and prove nothing. Here
c²I - KᵀK is factorised by Cholesky on the shorter side. If the factorisation succeeds,
all eigenvalues of the computed matrix are above -γ_{d+1} times its trace (Rump 2006,
BIT 46); the rounding of KᵀK is at most γ_t ‖K‖_F² for sums of t terms. Both are added:

.. math:: \|K\|_2^2 ≤ c^2 + 2 γ_{d+2}\, d c^2 + 2 γ_{t+2} \|K\|_F^2 .

Beyond `LARGEST_SIDE` the bound is :math:`\sqrt{\|K\|_1 \|K\|_∞}`, weighted by the
leading vectors of |K|, which is rougher.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import LinearOperator, eigsh

from infimum.certificates.rounding import UNIT, gamma
from infimum.errors import DataError
from infimum.typing import Matrix, Vector

__all__ = ["SpectralBound", "estimated_norm", "spectral_norm_bound"]

#: A shorter side beyond this is not factorised: its triangle would take over 0.6 GB.
LARGEST_SIDE = 12_000
#: Columns factorised at a time.
PANEL = 1_024
#: What is larger has squares beyond the numbers.
LARGEST = 1e150
#: How far above the estimate Cholesky is tried, in turn.
TRIES = (1e-10, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0)


class SpectralBound(NamedTuple):
    """A number that the largest singular value cannot exceed, and how it was proved."""

    value: float
    estimate: float
    method: str


def spectral_norm_bound(
    K: Any, low_rank: tuple[Matrix, Matrix] | None = None, enough: float = 0.0
) -> SpectralBound:
    """Bound the largest singular value of K - ABᵀ from above, rounding counted.

    Parameters
    ----------
    K : array or sparse matrix of shape (n, m)
    low_rank : (A, B), optional
        Two factors whose product is subtracted from K, and never formed.
    enough : float, default=0.0
        A number that the bound need not go below.

    Returns
    -------
    SpectralBound

    Examples
    --------
    >>> bound = spectral_norm_bound([[3.0, 0.0], [4.0, 0.0]])
    >>> 5.0 <= bound.value <= 5.0 + 1e-8, bound.method
    (True, 'Cholesky')
    """
    K = sparse.csr_array(K, dtype=np.float64)
    if not np.isfinite(K.data).all():
        raise DataError("spectral_norm_bound: K must be finite.")
    if K.shape[0] < K.shape[1]:
        K = sparse.csr_array(K.T)
        low_rank = None if low_rank is None else low_rank[::-1]
    size = _frobenius(K, low_rank)
    if size == 0.0:
        return SpectralBound(0.0, 0.0, "zero")
    estimate = estimated_norm(K, low_rank)
    if K.shape[1] <= LARGEST_SIDE:
        found = _by_cholesky(K, low_rank, max(estimate, enough), size)
        if found < np.inf:
            return SpectralBound(found, estimate, "Cholesky")
    rough = _by_sums(K)
    if low_rank is not None:
        A, B = low_rank
        rough += float(np.linalg.norm(A) * np.linalg.norm(B)) * (1.0 + gamma(A.size))
    return SpectralBound(min(rough, size), estimate, "sums")


def _frobenius(K: Any, low_rank: tuple[Matrix, Matrix] | None) -> float:
    """Return a bound of ‖|K| + |A||B|ᵀ‖_F."""
    found = float(np.linalg.norm(K.data))
    if low_rank is not None:
        found += float(np.linalg.norm(low_rank[0]) * np.linalg.norm(low_rank[1]))
    return found * (1.0 + gamma(K.nnz + 8))


def estimated_norm(K: Any, low_rank: tuple[Matrix, Matrix] | None = None) -> float:
    """Return the largest singular value as an iteration finds it: from below."""
    d = K.shape[1]
    turned = sparse.csr_array(K.T)
    if d <= 32:  # noqa: PLR2004
        dense = K.toarray() - (0.0 if low_rank is None else low_rank[0] @ low_rank[1].T)
        return float(np.linalg.norm(dense, 2))

    def multiply(x: Vector) -> Vector:
        image = K @ x
        if low_rank is not None:
            A, B = low_rank
            image = image - A @ (B.T @ x)
            return np.asarray(turned @ image - B @ (A.T @ image))
        return np.asarray(turned @ image)

    made = LinearOperator((d, d), matvec=multiply, dtype=np.float64)
    start = np.random.default_rng(0).standard_normal(d)
    try:
        top = eigsh(made, 1, v0=start, tol=1e-10, maxiter=60 * d, ncv=min(d, 40))[0][0]
    except sparse.linalg.ArpackNoConvergence:
        x = start
        for _ in range(50):
            x = multiply(x / np.linalg.norm(x))
        top = np.linalg.norm(x)
    return float(np.sqrt(max(top, 0.0)))


def _by_cholesky(
    K: Any, low_rank: tuple[Matrix, Matrix] | None, start: float, size: float
) -> float:
    """Return the least tried c for which c²I - KᵀK is proved semi-definite."""
    n, d = K.shape
    depth = int(np.diff(K.indptr).max(initial=0)) + d.bit_length()
    terms = int(np.bincount(K.indices, minlength=1).max()) + depth
    if low_rank is not None:
        terms += n + 2 * low_rank[0].shape[1]
    if not max(start, size) < LARGEST:
        return np.inf
    lost = 2.0 * gamma(terms + 2.0) * size**2
    for above in TRIES:
        square = (start * (1.0 + above)) ** 2
        if _definite(K, low_rank, square):
            charge = 2.0 * gamma(d + 2.0) * d * square + lost + 8.0 * UNIT * square
            return float(np.sqrt(square + charge)) * (1.0 + 4.0 * UNIT)
    return np.inf


def _definite(K: Any, low_rank: tuple[Matrix, Matrix] | None, square: float) -> bool:
    """Tell whether Cholesky succeeds on square·I - KᵀK, a panel of columns at a time.

    Only the lower triangle is kept: d²/2 numbers.
    """
    d = K.shape[1]
    by_column, turned = sparse.csc_array(K), sparse.csr_array(K.T)
    panels: list[Matrix] = []
    for first in range(0, d, PANEL):
        last = min(first + PANEL, d)
        part = by_column[:, first:last]
        panel = -(turned[first:] @ part).toarray()
        if low_rank is not None:
            panel += _with_low_rank(low_rank, turned, part, slice(first, last))
        panel[np.arange(last - first), np.arange(last - first)] += square
        for done, before in enumerate(panels):
            at = first - done * PANEL
            panel -= before[at:] @ before[at : at + last - first].T
        try:
            corner = linalg.cholesky(
                panel[: last - first], lower=True, check_finite=False
            )
        except linalg.LinAlgError:
            return False
        panel[: last - first] = corner
        below = panel[last - first :]
        if len(below):
            below[:] = linalg.solve_triangular(
                corner, below.T, lower=True, check_finite=False
            ).T
        panels.append(panel)
    return bool(np.isfinite(panels[-1]).all())


def _with_low_rank(
    low_rank: tuple[Matrix, Matrix], turned: Any, part: Any, at: slice
) -> Matrix:
    """Return the part of KᵀABᵀ + BAᵀK - BAᵀABᵀ that belongs to a panel."""
    A, B = low_rank
    led, below = B[at], B[at.start :]
    crossed = (turned[at.start :] @ A) @ led.T
    return np.asarray(crossed + below @ (part.T @ A).T - below @ ((A.T @ A) @ led.T))


def _by_sums(K: Any) -> float:
    """Bound ‖K‖₂ by √(max (|K|x)/y · max (|K|ᵀy)/x), for any positive x and y."""
    sizes = abs(K)
    turned = sparse.csr_array(sizes.T)
    x, y = np.ones(K.shape[1]), np.ones(K.shape[0])
    best = np.inf
    for _ in range(20):
        rows, columns = sizes @ x, turned @ y
        bound = float(np.sqrt(np.max(rows / y) * np.max(columns / x)))
        best = min(best, bound)
        y = np.maximum(rows, 1e-8 * rows.max())
        x = np.maximum(turned @ y, 1e-8 * np.max(turned @ y))
        x, y = x / np.linalg.norm(x), y / np.linalg.norm(y)
    return best * (1.0 + 4.0 * gamma(K.nnz + 8.0))
