"""How far apart vertices are for a random walk: hitting, commute, resistance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg, sparse
from scipy.sparse import csgraph

from infimum.errors import DataError
from infimum.models.graph._directed import accept_graph, place_of, same_back
from infimum.models.graph._m_system import EPS, MSystem
from infimum.models.graph._weights import accept_weights, degrees_of
from infimum.models.graph.walks import transition_matrix
from infimum.typing import Mask, Matrix, Vector

__all__ = [
    "HittingTimes",
    "PairTable",
    "commute_times",
    "hitting_times",
    "resistance",
]

_HIDDEN = (
    "the weights differ too much: beside the largest, rounding hides the smallest; "
    "drop weights near 0."
)


@dataclass(frozen=True, eq=False)
class HittingTimes:
    """Expected steps of a walk to a target, and the error of each.

    Attributes
    ----------
    values : ndarray of shape (n_vertices,)
        Infinite where the walk may never arrive.
    error : ndarray of shape (n_vertices,)
        No exact value is farther away.
    nodes : list or None
        Names of the vertices.
    """

    values: Vector
    error: Vector
    nodes: list[Any] | None = None


@dataclass(frozen=True, eq=False)
class PairTable:
    """A number for each pair of vertices, and a bound on the error of all.

    Attributes
    ----------
    values : ndarray of shape (n_vertices, n_vertices)
    error : float
        No finite entry is farther from the exact one. Infinite where weights differ so
        much that rounding may have hidden some.
    nodes : list or None
    """

    values: Matrix
    error: float
    nodes: list[Any] | None = None


def hitting_times(W: Any, target: Any) -> HittingTimes:
    r"""Return the expected number of steps from each vertex to a target.

    .. math:: h_t = 0, \qquad h_i = 1 + \sum_j P_{ij} h_j

    Parameters
    ----------
    W : array-like, sparse matrix or networkx graph
        Weights from row to column.
    target : int or name

    Examples
    --------
    >>> hitting_times([[0, 1, 0], [1, 0, 1], [0, 1, 0]], 2).values
    array([4., 3., 0.])
    """
    weights, names = accept_graph("hitting_times", W)
    n = weights.shape[0]
    aim = place_of("hitting_times", target, names, n)
    sure = _sure_of(weights, aim)
    free = np.flatnonzero(sure & (np.arange(n) != aim))
    values, error = np.where(sure, 0.0, np.inf), np.zeros(n)
    if len(free):
        both = same_back(weights)
        rows = weights if both else transition_matrix(weights, "stay")
        d = degrees_of(rows)[free]
        # Loops only delay: they stay in the degrees, and leave the diagonal.
        matrix = sparse.csr_array(sparse.diags_array(d) - rows[free][:, free])
        system = MSystem(matrix, d[:, None], symmetric=both)
        found, bound, _ = system.proved(1e-13, 10 * n)
        if np.isnan(found).any():
            raise DataError(f"hitting_times: {_HIDDEN}")
        values[free], error[free] = found[:, 0], bound
    return HittingTimes(values, error, names)


def resistance(W: Any) -> PairTable:
    r"""Return the effective resistance between all pairs, for conductances W.

    .. math:: R_{ij} = (e_i - e_j)^\top L^+ (e_i - e_j)

    It is a metric; infinite between components. Needs n² numbers.

    Parameters
    ----------
    W : array-like, sparse matrix or networkx graph
        Undirected.

    Examples
    --------
    >>> resistance([[0, 1, 1], [1, 0, 1], [1, 1, 0]]).values.round(6)
    array([[0.      , 0.666667, 0.666667],
           [0.666667, 0.      , 0.666667],
           [0.666667, 0.666667, 0.      ]])
    """
    weights, names = accept_graph("resistance", W)
    weights = accept_weights("resistance", weights)
    values = np.full(weights.shape, np.inf)
    error = 0.0
    parts = csgraph.connected_components(weights, directed=False)[1]
    for part in range(parts.max() + 1):
        inside = np.flatnonzero(parts == part)
        block, off = _within(weights[inside][:, inside].toarray())
        values[np.ix_(inside, inside)] = block
        error = max(error, off)
    return PairTable(values, error, names)


def commute_times(W: Any) -> PairTable:
    """Return the expected steps there and back, for all pairs: volume × resistance.

    Examples
    --------
    >>> commute_times([[0, 1, 0], [1, 0, 1], [0, 1, 0]]).values.round(6)
    array([[0., 4., 8.],
           [4., 0., 4.],
           [8., 4., 0.]])
    """
    weights, names = accept_graph("commute_times", W)
    found = resistance(weights)
    parts = csgraph.connected_components(weights, directed=False)[1]
    volumes = np.bincount(parts, degrees_of(weights))[parts]
    joined = np.isfinite(found.values)
    scaled = np.multiply(
        found.values, volumes[:, None], out=found.values.copy(), where=joined
    )
    rounding = 2.0 * EPS * float(scaled[np.isfinite(scaled)].max(initial=0.0))
    return PairTable(scaled, found.error * float(volumes.max()) + rounding, names)


def _within(W: Matrix) -> tuple[Matrix, float]:
    """Return resistances in a connected part, and a bound on their error."""
    n = len(W)
    if n == 1:
        return np.zeros((1, 1)), 0.0
    np.fill_diagonal(W, 0.0)
    d = W.sum(axis=1)
    level = float(d.mean()) / n
    # Adding the constant functions makes L invertible and changes no difference.
    A = np.diag(d) - W + level
    try:
        factor, _ = linalg.cho_factor(A, lower=True, check_finite=False)
    except np.linalg.LinAlgError:
        raise DataError(f"resistance: {_HIDDEN}") from None
    inverse, _ = linalg.lapack.dpotri(factor, lower=1, overwrite_c=1)
    inverse = np.tril(inverse) + np.tril(inverse, -1).T
    diagonal = np.diag(inverse)
    values = diagonal[:, None] + diagonal[None, :] - 2.0 * inverse
    np.fill_diagonal(values, 0.0)
    return np.maximum(values, 0.0), _error_of(A, inverse)


def _error_of(A: Matrix, inverse: Matrix) -> float:
    """Bound the error of a difference of entries of an approximate inverse M.

    A⁻¹ - M = A⁻¹(I - A M), and (I - A M) small bounds A⁻¹ by M.
    """
    defect = A @ inverse
    defect[np.diag_indices(len(A))] -= 1.0
    rounding = len(A) * EPS * float(np.linalg.norm(A) * np.linalg.norm(inverse))
    size = float(np.linalg.norm(defect)) + rounding
    if size >= 1.0:
        return float("inf")
    spread = float(np.linalg.norm(inverse)) * size / (1.0 - size)
    return float(2.0 * spread + 8.0 * EPS * np.diag(inverse).max())


def _sure_of(weights: Any, aim: int) -> Mask:
    """Tell from where a walk arrives with probability 1."""
    n = weights.shape[0]
    arriving = np.zeros(n, dtype=bool)
    back = sparse.csr_array(weights.T)
    arriving[csgraph.breadth_first_order(back, aim, return_predecessors=False)] = True
    if arriving.all():
        return arriving
    # Who can step, on the way, to where there is no arriving, may be lost.
    lost = ~arriving
    without = back.tolil()
    without[aim] = 0.0  # a walk that has arrived stops
    edges = sparse.csr_array(without)
    reach = lost.copy()
    while True:
        wider = reach | (np.asarray(edges.T @ reach.astype(np.float64)) > 0)
        wider[aim] = False
        if (wider == reach).all():
            return np.asarray(~reach)
        reach = wider
