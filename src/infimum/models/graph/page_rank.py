"""PageRank, with a proved error: the stationary law of a random surfer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.compiled.threads import one_blas_thread
from infimum.errors import DataError
from infimum.models.ensembles.committees._members import for_each
from infimum.models.graph._directed import accept_graph, place_of
from infimum.models.graph._weights import degrees_of
from infimum.models.graph.walks import transition_matrix
from infimum.parameters import Interval, check_domain, positive, whole
from infimum.typing import Matrix, Vector

__all__ = ["PageRank", "google_spectrum", "pagerank"]

_ALPHA = Interval(0, 1, open_high=True)
#: Personalisations that are swept together: as many as fit a line of memory, and as
#: the compiled loop knows.
WIDTH = 8
EPS = float(np.finfo(np.float64).eps)
#: Edges of a vertex from which on their weights are added pairwise.
MANY = 100


@dataclass(frozen=True, eq=False)
class PageRank:
    """Scores that sum to 1, and how far they can be from the exact ones.

    Attributes
    ----------
    scores : ndarray of shape (n_vertices,) or (n_personalizations, n_vertices)
    error : float or ndarray of shape (n_personalizations,)
        A bound on the sum of all absolute errors: ‖x - xG‖₁/(1 - α), rounding counted.
    n_iter : int
        Sweeps over all edges.
    nodes : list or None
        Names of the vertices.
    """

    scores: Matrix
    error: Any
    n_iter: int
    nodes: list[Any] | None = None

    def as_dict(self) -> dict[Any, float]:
        """Return the score of each node by its name, for one personalisation."""
        scores = np.atleast_2d(self.scores)[0]
        names = range(len(scores)) if self.nodes is None else self.nodes
        return {name: float(s) for name, s in zip(names, scores, strict=True)}

    def top(self, count: int = 10) -> list[tuple[Any, float]]:
        """Return the nodes of the largest scores, with them."""
        ranked = sorted(self.as_dict().items(), key=lambda pair: -pair[1])
        return ranked[:count]


def pagerank(
    W: Any,
    alpha: float = 0.85,
    personalization: Any = None,
    *,
    dangling: Any = None,
    tol: float = 1e-6,
    max_iter: int = 10_000,
) -> PageRank:
    r"""Return the stationary law of a surfer who jumps with probability 1 - α.

    .. math:: G = α (P + d\,u^\top) + (1 - α)\, 1 v^\top, \qquad π G = π

    d marks vertices that nothing leaves; from them the surfer goes to u. Found by
    Gauss–Seidel sweeps over the edges that leave each vertex, without a copy of them.

    Parameters
    ----------
    W : array-like, sparse matrix or networkx graph
        Weights from row to column.
    alpha : float, default=0.85
        Probability of following an edge, in [0, 1).
    personalization : array-like, dict or a list of them, optional
        Where the surfer jumps to, v: weights by vertex, by default all alike. Several,
        as rows of a table or as a list, are found at once.
    dangling : array-like or dict, optional
        Where the surfer goes from a vertex that nothing leaves, u; as v by default.
    tol : float, default=1e-6
        The proved error, a sum over all vertices, at which sweeps stop.
    max_iter : int, default=10000

    Examples
    --------
    >>> found = pagerank([[0, 1, 1], [1, 0, 0], [0, 0, 0]])
    >>> found.scores.round(4), found.error <= 1e-6
    (array([0.3936, 0.3032, 0.3032]), True)
    """
    check_domain("pagerank: alpha", alpha, _ALPHA)
    check_domain("pagerank: tol", tol, positive)
    check_domain("pagerank: max_iter", max_iter, whole(1))
    weights, names = accept_graph("pagerank", W)
    jumps = _laws("pagerank: personalization", personalization, names, weights)
    stuck = (
        None
        if dangling is None
        else _laws("pagerank: dangling", dangling, names, weights)
    )
    listed = isinstance(personalization, list) and len(personalization) > 0
    several = listed and isinstance(personalization[0], dict)
    several = several or (not listed and np.ndim(personalization) == 2)  # noqa: PLR2004
    several = several or (listed and np.ndim(personalization[0]) == 1)
    surfer = _Surfer(weights, float(alpha))
    scores, error, sweeps = surfer.ranks(jumps, stuck, float(tol), int(max_iter))
    if several:
        return PageRank(scores, error, sweeps, names)
    return PageRank(scores[0], float(error[0]), sweeps, names)


def google_spectrum(W: Any, alpha: float = 0.85) -> Any:
    """Return the eigenvalues of the surfer's matrix: 1, and α times those of P.

    By size, the largest first. From a vertex that nothing leaves the surfer goes to
    all alike. For graphs small enough for all eigenvalues.

    Examples
    --------
    >>> google_spectrum([[0, 1, 1], [1, 0, 1], [1, 1, 0]], 0.5).real.round(6)
    array([ 1.  , -0.25, -0.25])
    """
    check_domain("google_spectrum: alpha", alpha, _ALPHA)
    values = np.linalg.eigvals(transition_matrix(W, "uniform").toarray())
    values = values[np.argsort(-np.abs(values), kind="stable")]
    one = int(np.argmin(np.abs(values - 1.0)))
    return np.concatenate([[1.0], float(alpha) * np.delete(values, one)])


class _Surfer:
    """The surfer's equations: (I - αPᵀ) y = right, with P of zero rows where stuck."""

    def __init__(self, weights: Any, alpha: float) -> None:
        self.weights, self.alpha, degrees = weights, alpha, degrees_of(weights)
        self.leaving = np.diff(weights.indptr)
        for i in np.flatnonzero(self.leaving > MANY):
            degrees[i] = weights.data[weights.indptr[i] : weights.indptr[i + 1]].sum()
        self.stuck = degrees == 0
        self.free = np.divide(
            1.0, degrees, out=np.zeros(len(degrees)), where=~self.stuck
        )

    def ranks(
        self, jumps: Matrix, stuck: Matrix | None, tol: float, most: int
    ) -> tuple[Matrix, Vector, int]:
        """Return laws, their proved errors, and the sweeps used; parts side by side."""
        if len(jumps) == 1 and stuck is None:
            return self._proved(_Leaving(self), jumps, None, tol, most)
        width = WIDTH if stuck is None else WIDTH - 1
        parts = [jumps[k : k + width] for k in range(0, len(jumps), width)]
        laws, sides = np.empty(jumps.shape), _Arriving(self)

        def part(k: int) -> tuple[Vector, int]:
            found, error, sweeps = self._proved(sides, parts[k], stuck, tol, most)
            laws[k * width : (k + 1) * width] = found
            return error, sweeps

        with one_blas_thread():
            found = for_each(len(parts), part, -1 if len(parts) > 1 else None)
        errors, sweeps = zip(*found, strict=True)
        return laws, np.concatenate(errors), max(sweeps)

    def _proved(
        self, how: Any, jumps: Matrix, stuck: Matrix | None, tol: float, most: int
    ) -> tuple[Matrix, Vector, int]:
        """Sweep columns until their errors are proved."""
        rights = jumps if stuck is None else np.vstack([jumps, stuck])
        y = np.zeros((rights.shape[1], 1 if len(rights) == 1 else WIDTH))
        y[:, : len(rights)] = rights.T
        right, goal, sweeps = y * (1.0 - self.alpha), tol, 0
        y *= how.warm
        while True:
            sweeps += how.sweep(right, y, goal, most - sweeps)
            error = how.error(right, y, len(jumps), stuck)
            laws = self._joined(y, len(jumps), stuck is not None)
            if error is None or error.max() > tol:
                error = self._error(laws, jumps, jumps if stuck is None else stuck, tol)
            # Nothing is proved that rounding hides.
            if error.max() <= tol or sweeps >= most or goal < EPS:
                return laws, error, sweeps
            goal *= 0.1

    def _joined(self, y: Matrix, count: int, other: bool) -> Matrix:  # noqa: FBT001
        """Return the laws: what is lost where nothing leaves comes back by u."""
        laws: Matrix = y[:, :count].T
        if other:
            back = y[:, count]
            lost = laws[:, self.stuck].sum(axis=1)
            kept = (1.0 - self.alpha) - self.alpha * back[self.stuck].sum()
            laws = laws + np.outer(self.alpha * lost / kept, back)
        return np.asarray(laws / laws.sum(axis=1, keepdims=True))

    def _error(self, laws: Matrix, jumps: Matrix, stuck: Matrix, tol: float) -> Vector:
        """Bound ‖x - π‖₁ by ‖x - xG‖₁/(1 - α), with the rounding of that sum.

        What is lost in a sum over edges that arrive is kept, where it matters.
        """
        from infimum.compiled.graphs.rank_pushes import step_away, step_away_exactly

        A, whole_ = self.weights, np.ascontiguousarray(laws)
        terms = A.nnz + len(self.free)
        plain = terms * EPS <= 0.01 * tol * (1.0 - self.alpha)
        step = step_away if plain else step_away_exactly
        edges = (A.indptr, A.indices, A.data, self.free, self.alpha)
        off = [
            step(*edges, law, jump, stuck[k % len(stuck)])
            for k, (law, jump) in enumerate(zip(whole_, jumps, strict=True))
        ]
        return self.bound(np.array(off), whole_, terms if plain else 0.0)

    def bound(self, off: Vector, laws: Matrix, arriving: Any) -> Vector:
        """Return the errors of laws that a step moves so far.

        A score's rounding is a few units for each of its products, of the sum of what
        leaves, and of what arrives.
        """
        slack = 64.0 + laws @ (np.minimum(self.leaving, MANY) + arriving)
        more = 1.0 + len(self.free) * EPS
        return np.asarray((off * more + slack * EPS) / (1.0 - self.alpha))


class _Leaving:
    """Sweeps of one column along the edges that leave, of which no copy is made."""

    #: The first sweep finds more than jumps tell.
    warm = False

    def __init__(self, surfer: _Surfer) -> None:
        self.surfer = surfer

    def sweep(self, right: Matrix, y: Matrix, goal: float, most: int) -> int:
        from infimum.compiled.graphs.rank_pushes import push_ranks

        A, free, alpha = self.surfer.weights, self.surfer.free, self.surfer.alpha
        loops = 1.0 / (1.0 - alpha * (A.diagonal() * free))
        edges, settled = (A.indptr, A.indices, A.data), 0.9 * goal * (1.0 - alpha)
        column = right.ravel(), y.ravel()
        return int(push_ranks(edges, free, loops, alpha, *column, settled, most))

    def error(self, *_: Any) -> None:
        """Leave the proof to the surfer."""


class _Arriving:
    """Sweeps of eight columns along the edges that arrive: to read is quicker."""

    warm = True

    def __init__(self, surfer: _Surfer) -> None:
        self.surfer, A = surfer, surfer.weights.tocsc()
        self.edges = (A.indptr, A.indices, A.data, surfer.free, surfer.alpha)

    def sweep(self, right: Matrix, y: Matrix, goal: float, most: int) -> int:
        from infimum.compiled.graphs.page_rank import sweep_ranks

        # Sweeps get nearer than their last move tells; what is proved decides.
        settled = 4.0 * goal * (1.0 - self.surfer.alpha)
        return int(sweep_ranks(*self.edges, right, y, settled, most))

    def error(self, right: Matrix, y: Matrix, count: int, stuck: Any) -> Vector | None:
        """Scale laws in eight columns, and bound their errors; None if others do."""
        from infimum.compiled.graphs.page_rank import step_away

        if stuck is not None:
            return None
        off = step_away(*self.edges, right, y)[:count]
        return self.surfer.bound(off, y.T[:count], np.diff(self.edges[0]))


def _laws(owner: str, given: Any, names: list[Any] | None, weights: Any) -> Matrix:
    """Return laws in rows, from weights by vertex."""
    n = weights.shape[0]
    if given is None:
        return np.full((1, n), 1.0 / n)
    if isinstance(given, dict):
        given = [given]
    if isinstance(given, list) and given and isinstance(given[0], dict):
        rows = np.zeros((len(given), n))
        for row, chosen in zip(rows, given, strict=True):
            for node, weight in chosen.items():
                row[place_of(owner, node, names, n)] = weight
    else:
        rows = np.atleast_2d(np.asarray(given, dtype=np.float64))
    if rows.ndim != 2 or rows.shape[1] != n:  # noqa: PLR2004
        raise DataError(
            f"{owner} needs a weight for each of {n} vertices, got shape {rows.shape}."
        )
    totals = rows.sum(axis=1, keepdims=True)
    if not np.isfinite(rows).all() or rows.min() < 0 or not (totals > 0).all():
        raise DataError(f"{owner} needs weights that are not negative, and not all 0.")
    return np.asarray(rows / totals)
