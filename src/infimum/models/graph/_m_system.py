"""Equations of an M-matrix, solved with a proved error at every unknown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg
from scipy.sparse.linalg import splu

from infimum.models.kernel.kernel_ridges._conjugate_gradients import conjugate_gradients
from infimum.typing import Matrix, Vector

__all__ = ["MSystem"]

#: Systems up to this size are solved by dense factors.
SMALL = 1_500
EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class MSystem:
    """A f = b for an M-matrix A: its inverse has no negative entry.

    It is one if its other entries are not positive and A z > 0 for a z > 0. That z
    bounds the error of any f: |b - A f| ≤ t A z implies |f - A⁻¹b| ≤ t z.
    The z with A z = diag A weighs each equation by the rounding that it suffers.
    """

    matrix: Any
    right: Matrix
    symmetric: bool = True

    def proved(self, tol: float, most: int) -> tuple[Matrix, Vector, int]:
        """Return the solution, a bound on the error of each row, and the steps taken.

        Rounding is counted. Where z shows no M-matrix the bound is infinite.
        """
        columns = np.column_stack([self.right, self.matrix.diagonal()])
        found, steps = self.solve(columns, tol, most)
        f, z = found[:, :-1], found[:, -1]
        return f, self._bound(f, z), steps

    def solve(self, right: Matrix, tol: float, most: int) -> tuple[Matrix, int]:
        """Return an approximate solution, and how many steps it took.

        It is NaN where rounding has made the matrix singular.
        """
        A = self.matrix
        if A.shape[0] <= SMALL:
            try:
                if not self.symmetric:
                    return np.linalg.solve(A.toarray(), right), 1
                factor = linalg.cho_factor(A.toarray(), check_finite=False)
            except np.linalg.LinAlgError:
                return np.full(right.shape, np.nan), 1
            return np.asarray(linalg.cho_solve(factor, right)), 1
        if not self.symmetric:
            return np.asarray(splu(A.tocsc()).solve(right)), 1
        diagonal = A.diagonal()[:, None]
        return conjugate_gradients(
            lambda Z: np.asarray(A @ Z),
            lambda Z: Z / diagonal,
            right,
            tol,
            most,
            patience=most,
        )

    def _bound(self, f: Matrix, z: Vector) -> Vector:
        A = self.matrix
        sizes = abs(A)
        # What rounding may do to a sum of so many products, generously.
        terms = 4.0 * EPS * (np.diff(A.indptr).max(initial=0) + 4)
        slack = terms * (np.asarray(sizes @ np.abs(f)) + np.abs(self.right))
        residual = (np.abs(self.right - A @ f) + slack).max(axis=1)
        below = A @ z - terms * (sizes @ np.abs(z))
        if not (below.min() > 0 and z.min() > 0):
            return np.full(len(z), np.inf)
        return np.asarray(float((residual / below).max()) * z * (1.0 + 8.0 * EPS))
