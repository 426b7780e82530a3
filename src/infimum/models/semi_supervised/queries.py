"""Active learning on a graph: which vertices to label next."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from infimum.errors import DataError
from infimum.models.graph._affinity import without_loops
from infimum.models.semi_supervised._label_function import system_of
from infimum.parameters import Choice, check_domain, whole
from infimum.typing import Indices, Matrix

__all__ = ["suggest_queries"]

_HOW = Choice(("risk", "variance"))
#: Vertices whose equations are inverted whole.
LARGEST = 4_000


def suggest_queries(model: Any, k: int = 1, how: str = "risk") -> Indices:
    r"""Return the vertices whose labels would help most, the best first.

    Parameters
    ----------
    model : fitted GraphLabelClassifier or GraphLabelRegressor
    k : int, default=1
    how : {"risk", "variance"}, default="risk"
        "risk", for a classifier: the least expected error of all vertices, over the
        classes that a vertex may turn out to have. "variance": the largest variance of
        the Gaussian field :math:`p(f) ∝ e^{-f^\top L f/2}` with the labels given, that
        of earlier suggestions counted as known.

    Examples
    --------
    >>> from infimum.models.semi_supervised import GraphLabelClassifier
    >>> path = [[0, 1, 0, 0, 0], [1, 0, 1, 0, 0], [0, 1, 0, 1, 0], [0, 0, 1, 0, 1],
    ...         [0, 0, 0, 1, 0]]
    >>> model = GraphLabelClassifier("precomputed").fit(path, [0, 1, -1, -1, -1])
    >>> suggest_queries(model, how="variance").tolist()
    [4]

    References
    ----------
    Zhu, Lafferty & Ghahramani (2003), ICML workshop on labeled and unlabeled data.
    """
    check_domain("suggest_queries: how", how, _HOW)
    if not hasattr(model, "reached_"):
        raise DataError("suggest_queries takes a fitted model of labels on a graph.")
    numbers = hasattr(model, "values_")
    if numbers and how == "risk":
        raise DataError("suggest_queries: a regressor has no classes; use variance.")
    known = ~np.isnan(model._labels) if numbers else model._codes >= 0
    free = np.flatnonzero(model.reached_ & ~known)
    check_domain("suggest_queries: k", k, whole(1, max(len(free), 1)))
    if not len(free):
        raise DataError("suggest_queries: every vertex that labels reach has one.")
    if len(free) > LARGEST:
        raise DataError(
            f"suggest_queries inverts the equations of {LARGEST} vertices at most, got "
            f"{len(free)}."
        )
    G = _inverse(model, known, free)
    if how == "variance":
        return free[_most_uncertain(G, int(k))]
    risks = _risks(G, model.label_distributions_[free])
    return free[np.argsort(risks, kind="stable")[: int(k)]]


def _inverse(model: Any, known: Any, free: Indices) -> Matrix:
    """Return the covariance of the field at the free vertices, labels held exactly."""
    W = sparse.csr_array(without_loops(model.affinity_matrix_))
    none = np.zeros((int(known.sum()), 1))
    system, vertices = system_of(W, known, none, model.reached_, np.inf)
    assert len(vertices) == len(free)
    return np.linalg.inv(system.matrix.toarray())


def _most_uncertain(G: Matrix, k: int) -> Indices:
    G, chosen = G.copy(), []
    for _ in range(k):
        best = int(np.argmax(np.diag(G)))
        chosen.append(best)
        G -= np.outer(G[:, best], G[best]) / G[best, best]
        G[best, best] = -np.inf
    return np.array(chosen, dtype=np.intp)


def _risks(G: Matrix, F: Matrix) -> Any:
    """Return the expected error of all vertices after each query.

    Learning that j has class c moves all values by G[:, j]/G[j, j] times what f_j was
    off.
    """
    risks = np.zeros(len(F))
    for j in range(len(F)):
        way = G[:, j] / G[j, j]
        for c in range(F.shape[1]):
            off = -F[j]
            off[c] += 1.0
            after = F + np.outer(way, off)
            risks[j] += F[j, c] * float(np.sum(1.0 - after.max(axis=1)))
    return risks
