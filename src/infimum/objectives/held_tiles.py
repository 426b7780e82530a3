"""A small Gram matrix as a whole, computed once."""

from __future__ import annotations

import numpy as np

from infimum.objectives._tile_contract import KernelTiles
from infimum.objectives.kernel_tiles import GivenTiles
from infimum.typing import Indices, Matrix, Vector

__all__ = ["HeldTiles"]


class HeldTiles(GivenTiles):
    """The values of square tiles, held in memory.

    Parameters
    ----------
    tiles : KernelTiles
        Where the values come from.
    """

    def __init__(self, tiles: KernelTiles) -> None:
        self.tiles = tiles
        super().__init__(tiles.block(np.arange(tiles.shape[0])))

    def block(self, i: Indices, columns: Indices | None = None) -> Matrix:
        """Return the kernel values of the x at `i` and the z at `columns`."""
        rows = self.gram.take(i, axis=0)
        return rows if columns is None else rows.take(columns, axis=1)

    def lengths(self) -> Vector:
        """Return √k(x, x)."""
        return self.tiles.lengths()

    def blur(self) -> Vector | float:
        """Return the largest error of a value, as a share of √k(x, x) √k(z, z)."""
        return self.tiles.blur()

    def careful_sums(
        self, coefficients: Vector, columns: Indices
    ) -> tuple[Vector, Vector] | None:
        """Return sums over samples that may repeat, and their errors at most."""
        return self.tiles.careful_sums(coefficients, columns)

    def rounding(self, count: int) -> Vector | None:
        """Return the largest error of a sum of so many values in `multiply`."""
        return self.tiles.rounding(count)

    def multiply(
        self,
        coefficients: Matrix | Vector,
        columns: Indices | None = None,
        rows: Indices | None = None,
    ) -> Matrix | Vector:
        """Return the sums of k(x, z) over the z, each times its coefficient."""
        if columns is None or 2 * len(columns) > self.shape[1]:
            whole = coefficients
            if columns is not None:
                whole = np.zeros((self.shape[1], *coefficients.shape[1:]))
                np.add.at(whole, columns, coefficients)
            gram = self.gram if rows is None else self.gram[rows]
            return np.asarray(gram @ whole)
        gram = self.gram if rows is None else self.gram[rows]
        return np.asarray(gram[:, columns] @ coefficients)
