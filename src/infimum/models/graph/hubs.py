"""HITS and Katz: ranks of vertices from hubs and authorities, and from all paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import svds

from infimum.errors import DataError
from infimum.models.graph._directed import accept_graph
from infimum.models.graph._m_system import EPS, SMALL, MSystem
from infimum.parameters import check_domain, positive, whole
from infimum.typing import Matrix, Vector

__all__ = ["Hits", "Katz", "hits", "katz"]


@dataclass(frozen=True, eq=False)
class Hits:
    """Hubs point to authorities, authorities are pointed to by hubs.

    Attributes
    ----------
    hubs, authorities : ndarray of shape (n_vertices,)
        They sum to 1 each.
    error : float
        A bound on the sum of absolute errors of either; it takes for granted that the
        second largest singular value was found. Infinite if there is no single
        largest one: then hubs are not determined.
    nodes : list or None
    """

    hubs: Vector
    authorities: Vector
    error: float
    nodes: list[Any] | None = None


@dataclass(frozen=True, eq=False)
class Katz:
    """Scores by the number of ways that lead to a vertex, long ones discounted.

    Attributes
    ----------
    scores : ndarray of shape (n_vertices,)
    error : ndarray of shape (n_vertices,)
        No exact score is farther away.
    nodes : list or None
    """

    scores: Vector
    error: Vector
    nodes: list[Any] | None = None


def hits(W: Any) -> Hits:
    r"""Return hubs and authorities: the leading singular vectors of the weights.

    .. math:: h ∝ W a, \qquad a ∝ W^\top h

    Parameters
    ----------
    W : array-like, sparse matrix or networkx graph
        Weights from row to column.

    Examples
    --------
    >>> found = hits([[0, 1, 1], [0, 0, 1], [0, 0, 0]])
    >>> found.authorities.round(4).tolist()
    [0.0, 0.382, 0.618]
    """
    weights, names = accept_graph("hits", W)
    if not weights.data.any():
        raise DataError("hits needs an edge with a weight above 0.")
    n = weights.shape[0]
    if n <= SMALL:
        left, values, right = np.linalg.svd(weights.toarray())
        u, v, sigma = left[:, 0], right[0], values
    else:
        start = np.random.default_rng(0).random(n)
        left, values, right = svds(weights, k=2, v0=start)
        u, v, sigma = left[:, -1], right[-1], values[::-1]
    u, v = np.abs(u), np.abs(v)
    off = float(np.linalg.norm(weights @ v - sigma[0] * u))
    off = max(off, float(np.linalg.norm(weights.T @ u - sigma[0] * v)))
    off += EPS * n * float(sigma[0])  # of the sums themselves
    second = float(sigma[1]) if len(sigma) > 1 else 0.0
    gap = float(sigma[0]) - second - off
    # Wedin's angle, in sums of n entries, after division by the sum.
    angle = off / gap if gap > 1e-10 * sigma[0] else np.inf
    error = 3.0 * np.sqrt(n) * angle / min(u.sum(), v.sum())
    return Hits(u / u.sum(), v / v.sum(), float(error), names)


def katz(
    W: Any,
    alpha: float = 0.1,
    beta: Any = 1.0,
    *,
    normalized: bool = True,
    tol: float = 1e-12,
    max_iter: int = 10_000,
) -> Katz:
    r"""Return Katz' scores :math:`x = α W^\top x + β`.

    Parameters
    ----------
    W : array-like, sparse matrix or networkx graph
        Weights from row to column.
    alpha : float, default=0.1
        Discount of a step; below 1 over the largest eigenvalue of W.
    beta : float or array-like of shape (n_vertices,), default=1.0
        What a vertex has by itself.
    normalized : bool, default=True
        Whether scores are divided by their length.
    tol, max_iter
        Of the sweeps on large graphs: the last step, relative to the largest score.

    Examples
    --------
    >>> katz([[0, 1, 0], [0, 0, 1], [0, 0, 0]], 0.5, normalized=False).scores
    array([1.  , 1.5 , 1.75])
    """
    check_domain("katz: alpha", alpha, positive)
    check_domain("katz: tol", tol, positive)
    check_domain("katz: max_iter", max_iter, whole(1))
    weights, names = accept_graph("katz", W)
    n = weights.shape[0]
    own = np.broadcast_to(np.asarray(beta, dtype=np.float64), (n,))
    if not np.isfinite(own).all():
        raise DataError("katz: beta must be finite.")
    matrix = sparse.csr_array(sparse.eye_array(n) - float(alpha) * weights.T)
    system = _Sweeping(matrix, np.array(own)[:, None], symmetric=False)
    found, error, _ = system.proved(float(tol), int(max_iter))
    if not np.isfinite(error).all():
        raise DataError(
            f"katz: alpha must be below 1 over the largest eigenvalue of the weights, "
            f"got {alpha}; then the sum over all ways has no limit."
        )
    scores = found[:, 0]
    length = float(np.linalg.norm(scores)) if normalized else 1.0
    if not length > 0:
        raise DataError("katz: all scores are 0, and cannot be normalized.")
    spread = 2.0 * float(np.linalg.norm(error)) / length if normalized else 0.0
    shared = spread * np.abs(scores) / length
    return Katz(scores / length, error / length + shared, names)


class _Sweeping(MSystem):
    """Large systems near the identity, by x ← right + (I - A) x."""

    def solve(self, right: Matrix, tol: float, most: int) -> tuple[Matrix, int]:
        if self.matrix.shape[0] <= SMALL:
            return super().solve(right, tol, most)
        x = right.copy()
        for count in range(1, most + 1):
            step = right - self.matrix @ x
            x = x + step
            size = float(np.abs(x).max())
            if not np.isfinite(size) or size > 1e100:  # the sum over all ways diverges
                return np.zeros_like(right), count
            if np.abs(step).max() <= tol * size:
                break
        return x, count
