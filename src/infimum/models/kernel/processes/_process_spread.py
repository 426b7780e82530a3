"""How much of the variance of new samples the known ones explain."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import linalg

from infimum.models.kernel.kernel_ridges._conjugate_gradients import KernelTiles
from infimum.models.kernel.processes._tiled_system import TiledSystem
from infimum.models.kernel.processes._tuned_kernel import TunedKernel
from infimum.typing import Matrix, Vector

__all__ = ["Spread", "spread_of"]


class Spread(Protocol):
    r"""The form :math:`c^\top R\,(R K R + I)^{-1} R\,c` of kernel values c.

    R are the roots of the precisions. A row holds the kernel values of one new sample
    with all known ones.
    """

    def each(self, cross: Matrix) -> Vector:
        """Return it for every row."""

    def together(self, cross: Matrix) -> Matrix:
        """Return it for every pair of rows."""


def spread_of(
    factor: Matrix | None, kernel: TunedKernel, X: Any, roots: Vector, capacity: int
) -> Spread:
    """Return it from the factor of RKR + I, in tiles where there is none."""
    if factor is not None:
        return _Factorised(factor, roots)
    tiles = KernelTiles(kernel.cross, X, capacity)
    return _Tiled(TiledSystem.of(kernel, X, roots, tiles))


@dataclass(frozen=True, eq=False)
class _Factorised:
    factor: Matrix
    roots: Vector

    def each(self, cross: Matrix) -> Vector:
        return np.asarray(np.sum(self._half(cross) ** 2, axis=0))

    def together(self, cross: Matrix) -> Matrix:
        half = self._half(cross)
        return half.T @ half

    def _half(self, cross: Matrix) -> Matrix:
        right = self.roots[:, None] * cross.T
        return np.asarray(
            linalg.solve_triangular(self.factor, right, lower=True, check_finite=False)
        )


@dataclass(frozen=True, eq=False)
class _Tiled:
    system: TiledSystem

    def each(self, cross: Matrix) -> Vector:
        return self.system.explained(self.system.roots[:, None] * cross.T)

    def together(self, cross: Matrix) -> Matrix:
        return self.system.explained_together(self.system.roots[:, None] * cross.T)
