"""How often a random neighbour is of one's own class, under any linear map."""

from __future__ import annotations

import numpy as np

from infimum.compiled.exponentials import exponentiate_into
from infimum.compiled.threads import in_parts, one_blas_thread
from infimum.typing import Indices, Matrix

__all__ = ["NeighborOdds"]

#: Pairs weighed at a time: they stay in a core's cache.
TILE = 2**17
#: Into how many parts the rows are cut, however many cores there are.
PARTS = 8
#: What stands for the logarithm of 0.
NEVER = -1e300


class NeighborOdds:
    r"""The expected number of samples whose random neighbour is of their class.

    .. math:: F(A) = \sum_i \sum_{j \ne i,\, y_j = y_i} p_{ij}, \qquad
              p_{ij} \propto \exp(-\|A x_i - A x_j\|^2)

    Samples of a class stand side by side, so that those of one's own class are a slice
    of every row; rows come in tiles, so that no matrix of all pairs is ever held.

    Examples
    --------
    >>> import numpy as np
    >>> X, codes = np.array([[0.0], [1.0], [9.0]]), np.array([0, 0, 1])
    >>> value, gradient = NeighborOdds(X, codes).judge(np.array([[1.0]]))
    >>> round(value, 3), gradient.shape
    (2.0, (1, 1))
    """

    def __init__(self, X: Matrix, codes: Indices) -> None:
        order = np.argsort(codes, kind="stable")
        # Only differences count: centred ones lose fewer digits.
        self.X = np.asarray(X, dtype=np.float64)[order]
        self.X -= self.X.mean(axis=0)
        self.tiles = _tiles(np.bincount(codes).tolist(), len(codes))

    def judge(self, components: Matrix) -> tuple[float, Matrix]:
        r"""Return the expected number and its gradient in the entries of the map.

        With :math:`w_{ij} = p_{ij} ([y_i = y_j] - p_i)`, whose rows sum to 0, the
        gradient in the image :math:`z_i` is
        :math:`2 \sum_j (w_{ij} + w_{ji}) z_j - 2 z_i \sum_j w_{ji}`.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            Z = self.X @ components.T
            lengths = np.einsum("ij,ij->i", Z, Z)
        if not np.isfinite(lengths).all():  # no sample has a neighbour
            return 0.0, np.zeros_like(components)
        ones = np.ones((len(Z), 1))
        # 2 zᵢ·zⱼ - ‖zⱼ‖² is minus the squared distance, up to a constant of the row.
        sides = np.hstack([2.0 * Z, -ones]), np.column_stack([Z, lengths])
        extended = np.hstack([Z, ones])

        def work(part: slice) -> tuple[float, Matrix]:
            hits, pulls = 0.0, np.zeros_like(extended)
            for tile in self.tiles[part]:
                mine = slice(*tile[0])
                weights, found = _weigh(sides, tile)
                pulls[mine, :-1] += weights @ Z
                pulls += weights.T @ extended[mine]
                hits += found
            return hits, pulls

        with one_blas_thread():
            told = in_parts(len(self.tiles), work, min(PARTS, len(self.tiles)))
        pulls = np.sum([each for _, each in told], axis=0)
        inner = pulls[:, :-1] - pulls[:, -1:] * Z
        return float(sum(hits for hits, _ in told)), 2.0 * (inner.T @ self.X)


def _tiles(sizes: list[int], n: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return rows of one class, few at a time, each with the rows of that class."""
    most, tiles, low = max(1, TILE // n), [], 0
    for size in sizes:
        high = low + size
        tiles += [
            ((a, min(a + most, high)), (low, high)) for a in range(low, high, most)
        ]
        low = high
    return tiles


def _weigh(
    sides: tuple[Matrix, Matrix], tile: tuple[tuple[int, int], tuple[int, int]]
) -> tuple[Matrix, float]:
    """Return what pulls the pairs of a tile, and the expected hits of its rows."""
    (start, stop), (low, high) = tile
    logits = sides[0][start:stop] @ sides[1].T
    rows = np.arange(stop - start)
    logits[rows, start + rows] = NEVER
    logits -= logits.max(axis=1, keepdims=True)
    exponentiate_into(logits, logits, rows, 0)
    odds = logits
    totals = odds.sum(axis=1, keepdims=True)
    hits = odds[:, low:high].sum(axis=1, keepdims=True) / totals
    odds[:, low:high] *= (1.0 - hits) / totals
    odds[:, :low] *= -hits / totals
    odds[:, high:] *= -hits / totals
    return odds, float(hits.sum())
