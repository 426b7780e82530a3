"""Systems of a kernel matrix that is never whole: solved, and their volume."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.models.kernel.kernel_ridges._conjugate_gradients import (
    KernelTiles,
    NystroemInverse,
    conjugate_gradients,
)
from infimum.models.kernel.processes._log_determinant import (
    Estimate,
    trace_of_logarithm,
)
from infimum.models.kernel.processes._tuned_kernel import TunedKernel
from infimum.typing import Matrix, Vector

__all__ = ["TiledSystem"]

MOST_STEPS = 500
FEWEST_LANDMARKS, MOST_LANDMARKS = 100, 1_500
#: The relative residual at which a variance is known well enough: its error is of the
#: order of the square.
GOOD = 1e-7


@dataclass(frozen=True, eq=False)
class TiledSystem:
    r"""The matrix :math:`B = R K R + I` with R diagonal, known by its products.

    Regression with noise of variance ν has :math:`R = ν^{-1/2}`, so that
    :math:`(K + \operatorname{diag} ν)^{-1} = R B^{-1} R`; classification has the roots
    of the curvatures there.
    """

    tiles: KernelTiles
    roots: Vector
    inverse: NystroemInverse
    #: The sum of the diagonal of RKR.
    trace: float

    @classmethod
    def of(
        cls, kernel: TunedKernel, X: Any, roots: Vector, tiles: KernelTiles
    ) -> TiledSystem:
        """Choose the landmarks, whose number grows as the root of that of samples."""

        def smooth(X: Any, Z: Any = None) -> Matrix:
            return kernel.cross(X, X if Z is None else Z)

        wanted = 4 * np.sqrt(len(roots))
        landmarks = int(np.clip(wanted, FEWEST_LANDMARKS, MOST_LANDMARKS))
        inverse = NystroemInverse.of(smooth, X, roots, 1.0, landmarks)
        trace = float(roots**2 @ (kernel.diagonal(X) - kernel.own(X)))
        return cls(tiles, roots, inverse, trace)

    def product(self, columns: Matrix) -> Matrix:
        """Return B times some columns."""
        roots = self.roots[:, None]
        return np.asarray(roots * self.tiles(roots * columns) + columns)

    def solve(self, right: Matrix, goal: float) -> tuple[Matrix, int]:
        """Return B⁻¹ times some columns, and how many products it took."""
        return conjugate_gradients(self.product, self.inverse, right, goal, MOST_STEPS)

    def explained(self, columns: Matrix) -> Vector:
        r"""Return :math:`b^\top B^{-1} b` for each column b, never too much.

        For every v the number :math:`2 v^\top b - v^\top B v` is at most that, and its
        error is the square of that of v.
        """
        solved, _ = self.solve(columns, GOOD)
        doubled = 2.0 * columns - self.product(solved)
        return np.asarray(np.einsum("ij,ij->j", solved, doubled))

    def explained_together(self, columns: Matrix) -> Matrix:
        """Return the matrix of all bᵀB⁻¹b' of pairs of columns, never too much."""
        solved, _ = self.solve(columns, GOOD)
        both = solved.T @ columns
        return np.asarray(both + both.T - solved.T @ self.product(solved))

    def log_determinant(self, draw: Any) -> Estimate:
        r"""Return an estimate of :math:`\log|B|`, exact for what the landmarks see."""

        def product(columns: Matrix) -> Matrix:
            return inverse.root(self.product(inverse.root(columns)))

        inverse = self.inverse.with_trace(self.trace)
        rest = trace_of_logarithm(product, len(self.roots), inverse.least_product, draw)
        return Estimate(rest.value + inverse.log_volume, rest.error)
