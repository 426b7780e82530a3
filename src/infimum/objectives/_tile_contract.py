"""The contract of Gram-matrix tiles, whatever the kernel."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from infimum.kernels._cores import pieces_of, share
from infimum.typing import Indices, Matrix, Vector

__all__ = ["ROWS", "KernelTiles"]

#: Rows of a tile.
ROWS = 64


class KernelTiles(ABC):
    """k(x, z) for all x of one collection and z of another, a tile at a time.

    The whole matrix never exists. `columns` choose some of the z; None means all.
    """

    shape: tuple[int, int]
    dtype: Any

    @abstractmethod
    def _prepare(self, columns: Indices | None) -> tuple[int, Any]:
        """Make the right collection ready; return its size and what `_fill` needs."""

    @abstractmethod
    def _fill(self, i: Any, right: Any, out: Matrix, rows: Indices) -> None:
        """Write the kernel rows of the x at `i` into `rows` of `out`."""

    def write(
        self, i: Indices, out: Matrix, rows: Indices, columns: Indices | None = None
    ) -> None:
        """Write the kernel rows of the x at `i` into `rows` of `out`."""
        _, right = self._prepare(columns)

        def work(piece: slice) -> None:
            self._fill(i[piece], right, out, rows[piece])

        share(work, pieces_of(len(i), ROWS))

    def block(self, i: Indices, columns: Indices | None = None) -> Matrix:
        """Return the kernel values of the x at `i` and the z at `columns`."""
        width = self.shape[1] if columns is None else len(columns)
        out = np.empty((len(i), width), dtype=self.dtype)
        self.write(i, out, np.arange(len(i)), columns)
        return out

    def own_sums(
        self, coefficients: Vector, members: Indices, others: Indices | None = None
    ) -> Vector:
        """Return the sums over some samples, at all samples, of a square matrix.

        With `others`, at the members and at these only; elsewhere there is 0.
        """
        if others is None:
            return np.asarray(self.multiply(coefficients, members))
        total, rows = np.zeros(self.shape[0]), np.concatenate([members, others])
        total[rows] = self.multiply(coefficients, members, rows)
        return total

    def lengths(self) -> Vector:
        """Return √k(x, x), whose products no value exceeds; 0 where nobody knows."""
        return np.zeros(self.shape[0])

    def blur(self) -> Vector | float:
        """Return the largest error of a value, as a share of √k(x, x) √k(z, z).

        One number for each x, or for all. It is 0 where values define the problem as
        they come, the same whenever they are computed: those of a matrix that is given,
        and those of a formula whose rounding nobody has analysed.
        """
        return 0.0

    def careful_sums(
        self, coefficients: Vector, columns: Indices
    ) -> tuple[Vector, Vector] | None:
        """Return sums over samples that may repeat, and their errors at most.

        None where nothing is less wrong than `multiply`.
        """
        return None

    def rounding(self, count: int) -> Vector | None:
        """Return the largest error of a sum of so many values in `multiply`.

        One number for each x, as a share of the sum of the absolute terms; None where
        nobody knows. With no values it is the error of a value itself.
        """
        return None

    def multiply(
        self,
        coefficients: Matrix | Vector,
        columns: Indices | None = None,
        rows: Indices | None = None,
    ) -> Matrix | Vector:
        """Return the sums of k(x, z) over the z, each times its coefficient.

        Tiles are summed in float64, whatever they are; `rows` choose some of the x.
        """
        count, right = self._prepare(columns)
        height = self.shape[0] if rows is None else len(rows)
        total = np.zeros((height, *coefficients.shape[1:]))
        factors = coefficients.astype(self.dtype)
        if not count:
            return total

        def work(piece: slice) -> None:
            tile = np.empty((ROWS, count), dtype=self.dtype)
            for start in range(piece.start, piece.stop, ROWS):
                some = slice(start, min(piece.stop, start + ROWS))
                part = tile[: some.stop - start]
                asked = some if rows is None else rows[some]
                self._fill(asked, right, part, np.arange(len(part)))
                total[some] = part @ factors

        share(work, pieces_of(height, 16 * ROWS))
        return total
