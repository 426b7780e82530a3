"""What completing a matrix can mean, and the two projections that say what is seen."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from infimum.data.doors import array
from infimum.typing import Matrix

__all__ = [
    "RankObjective",
    "TraceObjective",
    "project_seen",
    "project_unseen",
    "rank_objective",
    "trace_objective",
]


class RankObjective(NamedTuple):
    """The three problems of least rank at a matrix."""

    rank: int
    #: Whether the matrix agrees with what was seen, and whether within δ.
    exact: bool
    tolerated: bool
    #: Squared error on what was seen, and that plus λ·rank.
    lost: float
    regularized: float


class TraceObjective(NamedTuple):
    """The two problems of least trace norm at a matrix."""

    trace_norm: float
    tolerated: bool
    #: ½ squared error on what was seen, plus λ times the trace norm.
    regularized: float
    #: ‖P(Z - M)‖₂: at the minimum it is at most λ.
    residual_norm: float


def project_seen(M: Any, mask: Any) -> Matrix:
    """Return the matrix with 0 where nothing was seen.

    Examples
    --------
    >>> project_seen([[1.0, 2.0]], [[True, False]]).tolist()
    [[1.0, 0.0]]
    """
    return np.where(np.asarray(mask, dtype=bool), array(M), 0.0)


def project_unseen(M: Any, mask: Any) -> Matrix:
    """Return the matrix with 0 where something was seen."""
    return np.where(np.asarray(mask, dtype=bool), 0.0, array(M))


def rank_objective(
    M: Any, Z: Any, mask: Any, *, strength: float = 1.0, delta: float = 0.0
) -> RankObjective:
    """Return rank(M), and what the exact, tolerant and regularised problems say of M.

    Examples
    --------
    >>> rank_objective([[1.0, 1.0]], [[1.0, 9.0]], [[True, False]]).exact
    True
    """
    M = array(M)
    lost = float(np.sum(project_seen(M - array(Z), mask) ** 2))
    rank = int(np.linalg.matrix_rank(M))
    near = 1e-12 * max(float(np.sum(M**2)), 1.0)
    return RankObjective(
        rank, lost <= near, lost <= delta + near, lost, lost + strength * rank
    )


def trace_objective(
    M: Any, Z: Any, mask: Any, *, strength: float = 1.0, delta: float = 0.0
) -> TraceObjective:
    """Return ‖M‖_*, and what the tolerant and the regularised problem say of M."""
    M = array(M)
    left = project_seen(array(Z) - M, mask)
    lost, norm = float(np.sum(left**2)), float(np.linalg.norm(M, "nuc"))
    return TraceObjective(
        norm,
        lost <= delta * (1.0 + 1e-12),
        0.5 * lost + strength * norm,
        float(np.linalg.norm(left, 2)),
    )
