"""The scores behind labels: a Gaussian process known whole, or in tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy import linalg

from infimum.errors import DataError
from infimum.models.kernel.kernel_ridges._conjugate_gradients import KernelTiles
from infimum.models.kernel.processes._log_determinant import Estimate
from infimum.models.kernel.processes._tiled_system import TiledSystem
from infimum.models.kernel.processes._tuned_kernel import TunedKernel
from infimum.typing import Matrix, Vector

__all__ = ["CurvedField", "LatentField", "TiledField", "WholeField"]

#: The relative residual of a step towards the mode; the next step mends it.
GOAL = 1e-8


class CurvedField(Protocol):
    r"""The matrix :math:`B = I + R K R` at some roots R of curvatures."""

    @property
    def roots(self) -> Vector:
        """R, less what noise of the kernel itself takes from it."""

    @property
    def factor(self) -> Matrix | None:
        """The lower Cholesky factor of B, where there is one."""

    def solve(self, right: Vector) -> Vector:
        """Return B⁻¹ times a vector."""

    def log_determinant(self, draw: Any) -> Estimate:
        """Return log|B| and its error."""


class LatentField(Protocol):
    """The prior of the scores at all samples."""

    def scores(self, weights: Vector) -> Vector:
        """Return Kw."""

    def curved(self, roots: Vector) -> CurvedField:
        """Return the matrix B of these roots."""


@dataclass(frozen=True, eq=False)
class WholeField:
    """A kernel matrix that is held and factorised."""

    gram: Matrix

    def scores(self, weights: Vector) -> Vector:
        return np.asarray(self.gram @ weights)

    def curved(self, roots: Vector) -> CurvedField:
        inner = roots[:, None] * self.gram * roots
        inner[np.diag_indices_from(inner)] += 1.0
        try:
            factor = linalg.cholesky(inner, lower=True, check_finite=False)
        except linalg.LinAlgError:
            raise DataError(
                "GaussianProcessClassifier: the kernel matrix has a negative "
                "eigenvalue; check the kernel with infimum.kernels.check_definite."
            ) from None
        return _Factorised(roots, np.asarray(factor))


class _Factorised(NamedTuple):
    roots: Vector
    factor: Matrix

    def solve(self, right: Vector) -> Vector:
        return np.asarray(linalg.cho_solve((self.factor, True), right))

    def log_determinant(self, draw: Any) -> Estimate:
        return Estimate(2.0 * float(np.log(np.diag(self.factor)).sum()), 0.0)


class TiledField:
    """A kernel matrix whose rows are computed in tiles, as many kept as may be."""

    def __init__(self, kernel: TunedKernel, X: Any, capacity: int) -> None:
        self.kernel, self.X = kernel, X
        self.tiles = KernelTiles(kernel.cross, X, capacity)
        self.own = kernel.own(X)

    def scores(self, weights: Vector) -> Vector:
        return np.asarray(self.tiles(weights[:, None])[:, 0] + self.own * weights)

    def curved(self, roots: Vector) -> CurvedField:
        # Noise N of the kernel itself is a part of the diagonal:
        # I + R(K + N)R = S½(I + S⁻½RKRS⁻½)S½ with S = I + RNR.
        scales = np.sqrt(1.0 + roots**2 * self.own)
        system = TiledSystem.of(self.kernel, self.X, roots / scales, self.tiles)
        return _Tiled(scales, system)


class _Tiled(NamedTuple):
    scales: Vector
    system: TiledSystem
    factor: None = None

    @property
    def roots(self) -> Vector:
        return self.system.roots

    def solve(self, right: Vector) -> Vector:
        found, _ = self.system.solve((right / self.scales)[:, None], GOAL)
        return np.asarray(found[:, 0] / self.scales)

    def log_determinant(self, draw: Any) -> Estimate:
        found = self.system.log_determinant(draw)
        more = 2.0 * float(np.log(self.scales).sum())
        return Estimate(found.value + more, found.error)
