"""Grids: graphs of cells, each joined with its neighbours."""

from __future__ import annotations

import numpy as np

from infimum.decoders.graph import Graph

__all__ = ["Grid"]


class Grid(Graph):
    """A graph of the cells of a grid, each joined with those beside and below it.

    Examples
    --------
    >>> Grid(2, 2).edges.tolist()
    [[0, 1], [2, 3], [0, 2], [1, 3]]
    """

    def __init__(self, height: int, width: int) -> None:
        cells = np.arange(int(height) * int(width)).reshape(int(height), int(width))
        beside = np.column_stack([cells[:, :-1].ravel(), cells[:, 1:].ravel()])
        below = np.column_stack([cells[:-1].ravel(), cells[1:].ravel()])
        super().__init__(np.vstack([beside, below]), cells.size)
