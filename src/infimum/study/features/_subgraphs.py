"""Occurrences of one small graph in another, by search."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["count_subgraphs"]


def count_subgraphs(
    A: NDArray[np.int64], motif: NDArray[np.int64], *, induced: bool
) -> int:
    """Return how many subgraphs of `A` look like `motif`.

    Every occurrence is found once for each symmetry of the motif, so the number of
    embeddings is divided by the number of embeddings of the motif in itself.
    """
    return _embeddings(A, motif, induced=induced) // _embeddings(
        motif, motif, induced=True
    )


def _embeddings(
    A: NDArray[np.int64], motif: NDArray[np.int64], *, induced: bool
) -> int:
    size = len(motif)

    def extend(placed: list[int]) -> int:
        step = len(placed)
        if step == size:
            return 1
        free = np.ones(len(A), dtype=bool)
        free[placed] = False
        for earlier, vertex in enumerate(placed):
            if motif[step, earlier]:
                free &= A[vertex] > 0
            elif induced:
                free &= A[vertex] == 0
        if step == size - 1:
            return int(free.sum())
        return sum(extend([*placed, int(v)]) for v in np.flatnonzero(free))

    return extend([])
