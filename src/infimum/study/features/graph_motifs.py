"""Graphs as counts of small subgraphs."""

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from infimum.errors import DataError, InvalidParameterError
from infimum.features.columns import is_sparse
from infimum.study.features._subgraphs import count_subgraphs
from infimum.typing import Matrix

__all__ = ["MotifCounts"]


class MotifCounts(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Graphs described by how often each small graph occurs in them.

    A motif occurs once for every choice of vertices and edges that forms it; with
    ``induced=True``, only where the chosen vertices carry no further edge. The named
    motifs are counted by closed formulas in the degrees and common neighbours, any
    other motif by search.

    Parameters
    ----------
    motifs : sequence of str or adjacency matrices, default=("edge", "wedge", \
"triangle")
        "edge", "wedge" (path of 2 edges), "triangle", "path" (of 3 edges), "claw" (one
        vertex joined to 3), "square", "paw" (triangle with a tail), "diamond" (square
        with a diagonal), "clique" (4 vertices), or the adjacency matrix of a motif.
    induced : bool, default=False
        Whether further edges between the vertices spoil an occurrence.

    Examples
    --------
    >>> square = [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]
    >>> MotifCounts(["edge", "wedge", "triangle", "square"]).fit_transform([square])
    array([[4., 4., 0., 1.]])
    """

    def __init__(
        self,
        motifs: Sequence[Any] = ("edge", "wedge", "triangle"),
        *,
        induced: bool = False,
    ) -> None:
        self.motifs = motifs
        self.induced = induced

    def fit(self, X: Any = None, y: Any = None) -> Self:
        """Check the motifs; return self."""
        for motif in self.motifs:
            if isinstance(motif, str) and motif not in _FORMULAS:
                raise InvalidParameterError(
                    f"MotifCounts.motifs must be among {', '.join(_FORMULAS)} or "
                    f"adjacency matrices, got {motif!r}."
                )
            if not isinstance(motif, str):
                _accept(motif)
        return self

    def transform(self, X: Any) -> Matrix:
        """Return one row per graph (an adjacency matrix), one column per motif."""
        self.fit()
        rows = [self._row(_accept(graph)) for graph in X]
        return np.asarray(rows, dtype=np.float64).reshape(len(rows), len(self.motifs))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the motifs; a matrix is named by its position."""
        named = [
            motif if isinstance(motif, str) else f"motif{position}"
            for position, motif in enumerate(self.motifs)
        ]
        return np.asarray(named, dtype=object)

    def _row(self, A: NDArray[np.int64]) -> list[float]:
        known: dict[str, int] = {}
        if any(isinstance(motif, str) for motif in self.motifs):
            known = {name: formula(A) for name, formula in _FORMULAS.items()}
            known = _induced(known) if self.induced else known
        return [
            float(
                known[motif]
                if isinstance(motif, str)
                else count_subgraphs(A, _accept(motif), induced=self.induced)
            )
            for motif in self.motifs
        ]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.no_validation = True
        tags.input_tags.two_d_array = False
        tags.input_tags.three_d_array = True
        return tags


def _accept(graph: Any) -> NDArray[np.int64]:
    dense = graph.toarray() if is_sparse(graph) else np.asarray(graph)
    if dense.ndim != 2 or dense.shape[0] != dense.shape[1]:  # noqa: PLR2004
        raise DataError(f"A graph is a square adjacency matrix, got {dense.shape}.")
    A: NDArray[np.int64] = (dense != 0).astype(np.int64)
    if (A != A.T).any() or A.diagonal().any():
        raise DataError(
            "MotifCounts expects undirected graphs without loops: the adjacency matrix "
            "must be symmetric with a zero diagonal."
        )
    return A


def _choose(n: Any, k: int) -> Any:
    return n * (n - 1) // 2 if k == 2 else n * (n - 1) * (n - 2) // 6  # noqa: PLR2004


def _edge(A: NDArray[np.int64]) -> int:
    return int(A.sum()) // 2


def _wedge(A: NDArray[np.int64]) -> int:
    return int(_choose(A.sum(axis=0), 2).sum())


def _triangle(A: NDArray[np.int64]) -> int:
    return int(((A @ A) * A).sum()) // 6


def _path(A: NDArray[np.int64]) -> int:
    # Extend each edge at both ends; a triangle closes three such walks.
    beyond = A.sum(axis=0) - 1
    return int(beyond @ A @ beyond) // 2 - 3 * _triangle(A)


def _claw(A: NDArray[np.int64]) -> int:
    return int(_choose(A.sum(axis=0), 3).sum())


def _square(A: NDArray[np.int64]) -> int:
    # A square has two diagonals; each is a pair with two common neighbours chosen.
    return int(_choose(np.triu(A @ A, 1), 2).sum()) // 2


def _paw(A: NDArray[np.int64]) -> int:
    at_vertex = ((A @ A) * A).sum(axis=0) // 2
    return int(at_vertex @ (A.sum(axis=0) - 2))


def _diamond(A: NDArray[np.int64]) -> int:
    return int(_choose(np.triu((A @ A) * A, 1), 2).sum())


def _clique(A: NDArray[np.int64]) -> int:
    # Six edges see the same clique, each through the edge opposite to it.
    edges = zip(*np.nonzero(np.triu(A)), strict=True)
    common = (np.flatnonzero(A[i] & A[j]) for i, j in edges)
    return sum(int(A[np.ix_(both, both)].sum()) // 2 for both in common) // 6


_FORMULAS: dict[str, Callable[[NDArray[np.int64]], int]] = {
    "edge": _edge,
    "wedge": _wedge,
    "triangle": _triangle,
    "path": _path,
    "claw": _claw,
    "square": _square,
    "paw": _paw,
    "diamond": _diamond,
    "clique": _clique,
}


def _induced(counts: dict[str, int]) -> dict[str, int]:
    """Take from each motif its occurrences inside denser graphs on as many vertices."""
    exact = dict(counts)
    clique = counts["clique"]
    exact["wedge"] -= 3 * counts["triangle"]
    exact["diamond"] -= 6 * clique
    diamond = exact["diamond"]
    exact["square"] -= diamond + 3 * clique
    exact["paw"] -= 4 * diamond + 12 * clique
    paw, square = exact["paw"], exact["square"]
    exact["claw"] -= paw + 2 * diamond + 4 * clique
    exact["path"] -= 4 * square + 2 * paw + 6 * diamond + 12 * clique
    return exact
