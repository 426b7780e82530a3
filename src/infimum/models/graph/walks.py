"""Random walks on a graph: transition matrix, powers and stationary law."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph
from scipy.sparse.linalg import eigs, eigsh, splu

from infimum.errors import DataError
from infimum.models.graph._directed import accept_graph, place_of, same_back
from infimum.models.graph._weights import degrees_of
from infimum.parameters import Choice, check_domain, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "StationaryLaw",
    "in_degrees",
    "mixing_rate",
    "out_degrees",
    "sample_walks",
    "stationary_law",
    "transition_matrix",
    "walk_law",
]

_DANGLING = Choice(("refuse", "stay", "uniform"))
#: Chains up to this size are solved by elimination without subtractions.
EXACT = 400
#: Matrices up to this size have all their eigenvalues computed.
DENSE = 1_000


def out_degrees(W: Any) -> Vector:
    """Return what leaves each vertex of a directed graph: row sums.

    Examples
    --------
    >>> out_degrees([[0, 2], [0, 0]])
    array([2., 0.])
    """
    return degrees_of(accept_graph("out_degrees", W)[0])


def in_degrees(W: Any) -> Vector:
    """Return what arrives at each vertex of a directed graph: column sums.

    Examples
    --------
    >>> in_degrees([[0, 2], [0, 0]])
    array([0., 2.])
    """
    weights = accept_graph("in_degrees", W)[0]
    return np.asarray(weights.sum(axis=0), dtype=np.float64).ravel()


def transition_matrix(W: Any, dangling: str = "refuse") -> sparse.csr_array:
    r"""Return the matrix of one step of a walk, :math:`P = D^{-1} W`.

    Parameters
    ----------
    W : array-like, sparse matrix or networkx graph
        Weights from row to column.
    dangling : {"refuse", "stay", "uniform"}, default="refuse"
        What a walk does at a vertex that nothing leaves.

    Examples
    --------
    >>> transition_matrix([[0, 3], [1, 1]]).toarray()
    array([[0. , 1. ],
           [0.5, 0.5]])
    """
    check_domain("transition_matrix: dangling", dangling, _DANGLING)
    weights = accept_graph("transition_matrix", W)[0]
    d, n = degrees_of(weights), weights.shape[0]
    stuck = np.flatnonzero(d == 0)
    if stuck.size and dangling == "refuse":
        raise DataError(
            f"transition_matrix: nothing leaves vertex {stuck[0]}"
            + (f" and {stuck.size - 1} others" if stuck.size > 1 else "")
            + "; say what a walk does there by dangling='stay' or 'uniform'."
        )
    steps = sparse.diags_array(np.divide(1.0, d, out=np.zeros(n), where=d > 0))
    P = sparse.csr_array(steps @ weights)
    if stuck.size:
        held = np.zeros((len(stuck), n)) + 1.0 / n
        if dangling == "stay":
            held = np.zeros((len(stuck), n))
            held[np.arange(len(stuck)), stuck] = 1.0
        choice = sparse.csr_array(
            (np.ones(len(stuck)), (stuck, np.arange(len(stuck)))), (n, len(stuck))
        )
        P = sparse.csr_array(P + choice @ sparse.csr_array(held))
    return P


def walk_law(W: Any, start: Any, steps: int) -> Vector:
    """Return where a walk is after some steps: the law μPᵏ.

    Parameters
    ----------
    W : array-like, sparse matrix or networkx graph
    start : int, name or array-like of shape (n_vertices,)
        The first vertex, or its law.
    steps : int

    Examples
    --------
    >>> walk_law([[0, 1, 0], [1, 0, 1], [0, 1, 0]], 0, 2)
    array([0.5, 0. , 0.5])
    """
    check_domain("walk_law: steps", steps, whole(0))
    P = transition_matrix(W).T.tocsr()
    law = _first_law("walk_law", W, start, P.shape[0])
    for _ in range(int(steps)):
        law = P @ law
    return np.asarray(law)


def sample_walks(
    W: Any, start: Any, steps: int, n_walks: int = 1, random_state: Any = None
) -> Indices:
    """Return the vertices that random walks visit, a row a walk, the first included.

    Parameters
    ----------
    W, start, steps
        As in `walk_law`.
    n_walks : int, default=1
    random_state : int, Generator or None

    Examples
    --------
    >>> sample_walks([[0, 1], [1, 0]], 0, 3, n_walks=2)
    array([[0, 1, 0, 1],
           [0, 1, 0, 1]])
    """
    check_domain("sample_walks: steps", steps, whole(0))
    check_domain("sample_walks: n_walks", n_walks, whole(1))
    P = transition_matrix(W)
    draw = np.random.default_rng(random_state)
    law = _first_law("sample_walks", W, start, P.shape[0])
    out = np.empty((int(n_walks), int(steps) + 1), dtype=np.intp)
    out[:, 0] = draw.choice(P.shape[0], int(n_walks), p=law / law.sum())
    # One sum over all rows: where a row ends, the sum is a whole number of steps.
    sums = np.cumsum(P.data)
    ends = np.append(0.0, sums)[P.indptr]
    for step in range(int(steps)):
        here = out[:, step]
        low, high = ends[here], ends[here + 1]
        places = np.searchsorted(sums, low + draw.random(len(here)) * (high - low))
        last = P.indptr[here + 1] - 1
        out[:, step + 1] = P.indices[np.clip(places, P.indptr[here], last)]
    return out


def _first_law(owner: str, W: Any, start: Any, n: int) -> Vector:
    if np.ndim(start) == 1 and not isinstance(start, str | tuple):
        law = np.asarray(start, dtype=np.float64)
        if law.shape != (n,) or law.min() < 0 or abs(law.sum() - 1.0) > 1e-9:
            raise DataError(
                f"{owner}: a law has {n} probabilities that sum to 1, got shape "
                f"{law.shape} with sum {law.sum():.6g}."
            )
        return law
    law = np.zeros(n)
    law[place_of(owner, start, accept_graph(owner, W)[1], n)] = 1.0
    return law


@dataclass(frozen=True, eq=False)
class StationaryLaw:
    """Where a walk is in the long run.

    Attributes
    ----------
    laws : ndarray of shape (n_classes, n_vertices)
        A stationary law for each closed class: a set that a walk does not leave.
    classes : ndarray of shape (n_vertices,)
        The closed class of each vertex; -1 if walks leave it forever.
    periods : tuple of int
        Walks in a class of period above 1 go round and round: their law oscillates.
    residual : float
        The largest ‖πP - π‖₁.
    """

    laws: Matrix
    classes: Indices
    periods: tuple[int, ...]
    residual: float

    @property
    def law(self) -> Vector:
        """The stationary law, where there is only one."""
        if len(self.laws) > 1:
            raise DataError(
                f"The chain is reducible: it has {len(self.laws)} closed classes and a "
                "stationary law for each (laws)."
            )
        return np.asarray(self.laws[0])

    @property
    def converges(self) -> bool:
        """Whether the law of every walk tends to one and the same law."""
        return len(self.laws) == 1 and self.periods[0] == 1

    def __str__(self) -> str:
        parts = f"{len(self.laws)} closed classes of periods {self.periods}"
        transient = int(np.count_nonzero(self.classes < 0))
        return f"{parts}, {transient} transient vertices"


def stationary_law(W: Any) -> StationaryLaw:
    r"""Return the laws that a step of the walk does not change.

    .. math:: π P = π, \qquad π_i = \frac{d_i}{\sum_j d_j} \text{ if undirected}

    Parameters
    ----------
    W : array-like, sparse matrix or networkx graph
        Every vertex must be left by an edge.

    Examples
    --------
    >>> found = stationary_law([[0, 2, 1], [2, 0, 1], [1, 1, 0]])
    >>> found.law, found.converges
    (array([0.375, 0.375, 0.25 ]), True)
    """
    P = transition_matrix(W)
    weights = accept_graph("stationary_law", W)[0]
    both = same_back(weights)
    count, parts = csgraph.connected_components(P, connection="strong")
    edges = P.tocoo()
    leaving = np.unique(
        parts[edges.coords[0]][parts[edges.coords[0]] != parts[edges.coords[1]]]
    )
    closed = np.setdiff1d(np.arange(count), leaving)
    laws, periods = np.zeros((len(closed), P.shape[0])), []
    classes = np.full(P.shape[0], -1, dtype=np.intp)
    for k, part in enumerate(closed):
        inside = np.flatnonzero(parts == part)
        classes[inside] = k
        own = P[inside][:, inside]
        d = degrees_of(weights)[inside]
        laws[k, inside] = d / d.sum() if both else _law_of(own)
        periods.append(_period(own))
    off = np.abs(laws @ P - laws).sum(axis=1)
    return StationaryLaw(laws, classes, tuple(periods), float(off.max()))


def mixing_rate(W: Any) -> float:
    """Return |λ₂| of the step: a walk's law nears its limit by this factor a step.

    1 if it does not: in a reducible or periodic chain.

    Examples
    --------
    >>> round(mixing_rate([[0, 1, 1], [1, 0, 1], [1, 1, 0]]), 9)
    0.5
    """
    weights = accept_graph("mixing_rate", W)[0]
    P = transition_matrix(weights)
    n = P.shape[0]
    if n == 1:
        return 0.0
    if same_back(weights):
        roots = sparse.diags_array(1.0 / np.sqrt(degrees_of(weights)))
        even = roots @ weights @ roots
        if n <= DENSE:
            values = np.linalg.eigvalsh(even.toarray())
        else:
            start = np.random.default_rng(0).standard_normal(n)
            values = eigsh(even, k=3, return_eigenvectors=False, v0=start)
    elif n <= DENSE:
        values = np.linalg.eigvals(P.toarray())
    else:
        start = np.random.default_rng(0).standard_normal(n)
        values = eigs(P, k=3, return_eigenvectors=False, v0=start)
    return float(min(np.sort(np.abs(values))[-2], 1.0))


def _law_of(P: Any) -> Vector:
    """Solve πP = π in a closed class."""
    n = P.shape[0]
    if n > EXACT:
        # One equation says that probabilities sum to 1.
        balance: Any = sparse.csr_array(sparse.eye_array(n) - P.T)[: n - 1]
        system: Any = sparse.vstack([balance, sparse.csr_array(np.ones((1, n)))])
        law = splu(system.tocsc()).solve(np.append(np.zeros(n - 1), 1.0))
        return np.asarray(np.maximum(law, 0.0) / np.maximum(law, 0.0).sum())
    # Grassmann, Taksar and Heyman: no subtraction, so all digits are right.
    A = P.toarray()
    for k in range(n - 1, 0, -1):
        A[:k, k] /= A[k, :k].sum()
        A[:k, :k] += np.outer(A[:k, k], A[k, :k])
    law = np.ones(n)
    for k in range(1, n):
        law[k] = law[:k] @ A[:k, k]
    return np.asarray(law / law.sum())


def _period(P: Any) -> int:
    """Return the greatest common divisor of the lengths of all ways back."""
    far = csgraph.shortest_path(P, method="D", unweighted=True, indices=0)
    edges = P.tocoo()
    lengths = far[edges.coords[0]] + 1 - far[edges.coords[1]]
    found = 0
    for length in np.unique(np.abs(lengths)).astype(int):
        found = gcd(found, int(length))
    return found
