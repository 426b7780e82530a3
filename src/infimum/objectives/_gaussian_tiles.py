"""Tiles of a Gaussian Gram matrix of dense rows: the ones that are worth most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from infimum.kernels import Gaussian
from infimum.kernels._cores import even_pieces, share
from infimum.kernels.vectors._gaussian_rows import GaussianRows
from infimum.objectives._kernel_rounding import gaussian_rounding
from infimum.objectives._tile_contract import ROWS, KernelTiles
from infimum.typing import Indices, Matrix, Vector

__all__ = ["GaussianTiles"]

#: Most rows of a tile, for which the right factor of a product is packed once, and its
#: bytes. Between tiles threads wait for the interpreter, so that tiles somewhat too
#: large for a core's own cache win.
TALL, BYTES = 256, 2**21
#: Into how many parts the tiles above the diagonal are shared out.
PARTS = 32


class GaussianTiles(KernelTiles):
    """Gaussian kernel of dense rows: one matrix product and one exponential."""

    def __init__(self, kernel: Gaussian, X: Any, Z: Any, dtype: Any) -> None:
        self.both = GaussianRows(0.5 / float(kernel.width) ** 2, X, Z, dtype)
        self.left, self.right = self.both.left, self.both.right
        self.shape, self.dtype = (len(self.left), len(self.right)), np.dtype(dtype)
        self.symmetric = Z is X

    def _prepare(self, columns: Indices | None) -> tuple[int, Any]:
        right = self.right if columns is None else self.right[columns]
        return len(right), right

    def _fill(self, i: Any, right: Any, out: Matrix, rows: Indices) -> None:
        left = self.left[i]
        for span in self._spans(len(left), len(right)):
            self.both.write(left, right[span], out, rows, span.start)

    def write(
        self, i: Indices, out: Matrix, rows: Indices, columns: Indices | None = None
    ) -> None:
        """Write the kernel rows of the x at `i` into `rows` of `out`.

        They are cut both ways, so that few rows keep all cores busy, too.
        """
        count, right = self._prepare(columns)
        left = self.left[i]

        def work(tile: tuple[slice, slice]) -> None:
            some, span = tile
            self.both.write(left[some], right[span], out, rows[some], span.start)

        spans = self._spans(len(i), count)
        share(work, [(a, b) for a in even_pieces(len(i), TALL) for b in spans])

    def _spans(self, rows: int, count: int) -> list[slice]:
        """Return the columns of each tile."""
        height = min(max(rows, ROWS), TALL)
        return even_pieces(count, BYTES // (height * self.dtype.itemsize))

    def lengths(self) -> Vector:
        """Return √k(x, x), which is 1."""
        return np.ones(self.shape[0])

    def blur(self) -> Vector | float:
        """Return the largest error of a value, as a share of √k(x, x) √k(z, z)."""
        return np.minimum(self.rounding(0), 1.0)

    def rounding(self, count: int) -> Vector:
        """Return the largest error of a sum of so many values in `multiply`."""
        lengths = np.sqrt(-np.asarray(self.left[:, -2], dtype=np.float64))
        longest = np.sqrt(-float(self.right[:, -1].min(initial=0.0)))
        width, summed = self.left.shape[1], BYTES // (TALL * self.dtype.itemsize)
        reach = lengths + longest
        return gaussian_rounding(self.dtype, reach, width, min(count, summed))

    def multiply(
        self,
        coefficients: Matrix | Vector,
        columns: Indices | None = None,
        rows: Indices | None = None,
    ) -> Matrix | Vector:
        """Return the sums of k(x, z) over the z, each times its coefficient."""
        _, right = self._prepare(columns)
        left = self.left if rows is None else self.left[rows]
        return self._rectangle(left, right, coefficients)

    def _rectangle(
        self, left: Matrix, right: Matrix, coefficients: Matrix | Vector
    ) -> Matrix | Vector:
        total = np.zeros((len(left), *coefficients.shape[1:]))
        factors, spans = coefficients.astype(self.dtype), self._spans(TALL, len(right))

        def work(some: slice) -> None:
            for span in spans:
                part = self.both.tile(left[some], right[span])
                total[some] += part @ factors[span]

        share(work, even_pieces(len(left), TALL))
        return total

    def own_sums(
        self, coefficients: Vector, members: Indices, others: Indices | None = None
    ) -> Vector:
        """Return the sums over some samples, at all samples or at these and `others`.

        Of two members one value serves both.
        """
        if not self.symmetric:
            return super().own_sums(coefficients, members, others)
        total, right = np.zeros(self.shape[0]), self.right[members]
        if others is None:
            others = np.delete(np.arange(len(total)), members)
        total[others] = self._rectangle(self.left[others], right, coefficients)
        total[members] = self._triangle(self.left[members], right, coefficients)
        return total

    def _triangle(self, left: Matrix, right: Matrix, coefficients: Vector) -> Vector:
        from infimum.compiled.threads import in_parts, one_blas_thread

        factors = coefficients.astype(self.dtype)
        tiles = list(self._upper_tiles(len(left)))

        def work(part: slice) -> Vector:
            sums = np.zeros(len(left))
            for a, b in tiles[part]:
                values = self.both.tile(left[a], right[b])
                sums[a] += values @ factors[b]
                beyond = max(a.stop, b.start)
                sums[beyond : b.stop] += factors[a] @ values[:, beyond - b.start :]
            return sums

        with one_blas_thread():
            return np.asarray(np.sum(in_parts(len(tiles), work, PARTS), axis=0))

    def _upper_tiles(self, count: int) -> Iterator[tuple[slice, slice]]:
        """Cut what lies above the diagonal into wide tiles, and squares on it."""
        for a in even_pieces(count, TALL):
            for span in self._spans(TALL, count - a.start):
                yield a, slice(a.start + span.start, a.start + span.stop)
