r"""The field of charges on a map, by three algorithms for the same sums.

.. math:: φ(y) = \sum_j c_j\, k(\| y - y_j \|^2), \qquad ∇φ(y)

with the Cauchy kernel k(s) = 1/(1 + s) or the Gaussian one, exp(-s). Everything that
points of a map do to points far away follows from φ and its gradient.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import fft

from infimum.compiled.maps.charges_in_full import add_up_field
from infimum.compiled.maps.charges_in_tree import grow_cells, sum_cells, weigh_cells
from infimum.compiled.maps.charges_on_grid import (
    box_around,
    gather_field,
    spread_charges,
)
from infimum.compiled.threads import in_parts
from infimum.errors import InvalidParameterError
from infimum.typing import Matrix, Vector

__all__ = ["Charges", "FullCharges", "GridCharges", "TreeCharges"]

#: Places whose field is summed by one call.
PART = 512


class Charges(Protocol):
    """Something that knows the field of charges."""

    def field(
        self, Y: Matrix, charges: Vector, at: Matrix | None = None
    ) -> tuple[Vector, Matrix]:
        """Return φ and its gradient at places, by default where the charges are."""


@dataclass(frozen=True)
class FullCharges:
    """All pairs, one by one."""

    heavy: bool = True

    def field(
        self, Y: Matrix, charges: Vector, at: Matrix | None = None
    ) -> tuple[Vector, Matrix]:
        """Return φ and its gradient at places."""
        at = Y if at is None else at
        potential, slope = np.empty(len(at)), np.empty(at.shape)

        def sum_up(rows: slice) -> None:
            add_up_field(at[rows], Y, charges, self.heavy, potential[rows], slope[rows])

        in_parts(len(at), sum_up, _parts(len(at)))
        return potential, slope


@dataclass(frozen=True)
class TreeCharges:
    """Cells that are far for their width act as one charge (Barnes and Hut)."""

    angle: float = 0.5

    def field(
        self, Y: Matrix, charges: Vector, at: Matrix | None = None
    ) -> tuple[Vector, Matrix]:
        """Return φ and its gradient at places."""
        at = Y if at is None else at
        children, halves, totals, centres = _weighed_cells(Y, charges)
        potential, slope = np.empty(len(at)), np.empty(at.shape)

        def sum_up(rows: slice) -> None:
            sum_cells(
                at[rows], children, halves, totals, centres,
                self.angle, potential[rows], slope[rows],
            )  # fmt: skip

        in_parts(len(at), sum_up, _parts(len(at)))
        return potential, slope


def _weighed_cells(Y: Matrix, charges: Vector) -> Any:
    n, sides = Y.shape
    low, high = Y.min(axis=0), Y.max(axis=0)
    room = 2 * n + 64
    while True:
        middles, halves = np.empty((room, sides)), np.empty(room)
        children = np.empty((room, 1 << sides), dtype=np.int64)
        heads, nexts = np.empty(room, dtype=np.int64), np.empty(n, dtype=np.int64)
        middles[0] = 0.5 * (low + high)
        halves[0] = 0.5 * float(np.max(high - low)) * (1.0 + 1e-9) + 1e-300
        count = grow_cells(Y, middles, halves, children, heads, nexts)
        if count >= 0:
            break
        room *= 2
    totals, centres = np.empty(count), np.empty((count, sides))
    weigh_cells(Y, charges, count, children, heads, nexts, totals, centres)
    return children[:count], halves[:count], totals, centres


@dataclass
class GridCharges:
    """Charges in the plane on a grid, whose field is a convolution, done by FFT.

    The kernel is replaced by the cubic spline in both its arguments that agrees with
    it on the nodes (Linderman et al., Nature Methods 2019, interpolate by polynomials
    in boxes instead); the gradient is that of the spline, so one transform there and
    one back give potential and gradient alike. The spectrum of the kernel is kept
    until the map outgrows the grid.
    """

    spacing: float = 0.4
    #: Least number of cells across a map, which a small map is cut into, and largest,
    #: which bounds the memory: beyond, cells grow.
    cells: int = 40
    most_cells: int = 4000
    _spectra: dict[Any, Any] = dataclasses.field(default_factory=dict, repr=False)

    def field(
        self, Y: Matrix, charges: Vector, at: Matrix | None = None
    ) -> tuple[Vector, Matrix]:
        """Return φ and its gradient at places inside the box around the charges."""
        if not np.isfinite(Y.sum()):
            raise InvalidParameterError(
                "TSNE: the map flew apart; choose a smaller learning_rate."
            )
        low, high = np.reshape(box_around(Y), (2, 2))
        places = Y if at is None else np.clip(at, low, high)
        middle, width = 0.5 * (low + high), float(np.max(high - low))
        spacing = self._step(width)
        shape = [_room(side / spacing) for side in high - low]
        low = middle - 0.5 * spacing * (np.array(shape) - 3.0)
        nodes = np.zeros(shape)
        spread_charges(Y, charges, low, spacing, nodes)
        # Close together k - 1 is told apart from 0 where k is not from 1; the constant
        # only shifts φ.
        shift = 1.0 if width < 1.0 else 0.0
        field = self._convolve(nodes, spacing, shift)
        potential, slope = self._gather(places, low, spacing, field)
        return potential + shift * charges.sum(), slope

    def _step(self, width: float) -> float:
        """Return the spacing, halved until a small map has enough cells."""
        step = self.spacing
        if width < self.cells * step:
            halvings = np.ceil(np.log2(self.cells * step / max(width, 1e-150)))
            step *= 0.5**halvings
        return max(float(step), width / self.most_cells)

    def _convolve(self, nodes: Matrix, spacing: float, shift: float) -> Matrix:
        rows, columns = nodes.shape
        sizes = [fft.next_fast_len(2 * side, real=True) for side in nodes.shape]
        key = (*sizes, spacing, shift)
        if key not in self._spectra:
            self._spectra.clear()
            self._spectra[key] = _spectrum(sizes, spacing, shift)
        # Rows of zeros need no transform, and those beyond the box no way back.
        waves = fft.rfft(nodes, sizes[1], axis=1)
        waves = fft.fft(waves, sizes[0], axis=0, overwrite_x=True)
        waves *= self._spectra[key]
        waves = fft.ifft(waves, axis=0, overwrite_x=True)[:rows]
        field = fft.irfft(waves, sizes[1], axis=1)[:, :columns]
        return np.ascontiguousarray(field, dtype=np.float64)

    def _gather(
        self, at: Matrix, low: Vector, spacing: float, nodes: Matrix
    ) -> tuple[Vector, Matrix]:
        potential, slope = np.empty(len(at)), np.empty(at.shape)

        def read_off(rows: slice) -> None:
            gather_field(at[rows], low, spacing, nodes, potential[rows], slope[rows])

        in_parts(len(at), read_off, _parts(len(at)))
        return potential, slope


def _room(cells: float) -> int:
    """Return nodes for so many cells, some to spare, so that a grid lasts."""
    return 16 * int(np.ceil((cells + 6.0) / 16.0))


def _spectrum(sizes: list[int], spacing: float, shift: float) -> Matrix:
    """Return the transform of the spline coefficients of k on a torus."""
    squares = [
        (np.minimum(np.arange(m), m - np.arange(m)) * spacing) ** 2 for m in sizes
    ]
    apart = squares[0][:, None] + squares[1]
    # 1/(1 + s) - 1 = -s/(1 + s), without cancellation.
    kernel = -apart / (1.0 + apart) if shift else 1.0 / (1.0 + apart)
    spectrum = fft.rfft2(kernel).real
    for axis, m in enumerate(sizes):
        waves = np.arange(spectrum.shape[axis])
        # The cubic spline is 1/6, 4/6, 1/6 on the nodes; it acts twice.
        dampings = ((2.0 + np.cos(2.0 * np.pi * waves / m)) / 3.0) ** 2
        spectrum /= dampings[:, None] if axis == 0 else dampings
    return np.ascontiguousarray(spectrum)


def _parts(n: int) -> int:
    return max(1, min(8, n // PART))
