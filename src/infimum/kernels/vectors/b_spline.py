"""B-spline kernel: bumps of finite reach."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy.interpolate import BSpline as Curve

from infimum.kernels.vectors._rows import VectorKernel, fill_by_dense_blocks
from infimum.parameters import positive, whole
from infimum.typing import Matrix, Vector

__all__ = ["BSpline"]


@dataclass(frozen=True)
class BSpline(VectorKernel):
    r"""Product over the coordinates of B-splines of odd order.

    .. math:: k(x, z) = \prod_j B_{2p+1}\big((x_j - z_j)/\text{width}\big), \qquad
              B_n = \underbrace{χ * ⋯ * χ}_{n + 1},\; χ = 1_{[-1/2,\,1/2]}

    An even number of boxes, so the Fourier transform is a square and the kernel is
    positive semi-definite. It is exactly 0 from p + 1 widths on in any coordinate.

    Parameters
    ----------
    degree : int, default=1
        p; 0 is the triangle, 1 the cubic B-spline.
    width : float, default=1.0
        The width of one box.

    Examples
    --------
    >>> import numpy as np
    >>> BSpline(0, width=2.0)(np.array([[0.0]]), np.array([[0.5], [2.0]]))
    array([[0.75, 0.  ]])
    """

    degree: int = field(default=1, metadata={"domain": whole(0, 20)})
    width: float = field(default=1.0, metadata={"domain": positive})

    @cached_property
    def _curve(self) -> Any:
        reach = int(self.degree) + 1
        return Curve.basis_element(np.arange(-reach, reach + 1.0), extrapolate=False)

    def _bump(self, differences: Matrix) -> Matrix:
        u = np.abs(np.asarray(differences, dtype=np.float64)) / float(self.width)
        inside = u < int(self.degree) + 1
        return np.where(inside, self._curve(np.where(inside, u, 0.0)), 0.0)

    def _filler(self, X: Any, Z: Any) -> Callable[[slice, slice, Matrix], None]:
        def formula(left: Matrix, right: Matrix, out: Matrix) -> None:
            out[...] = 1.0
            for j in range(left.shape[1]):
                out *= self._bump(np.subtract.outer(left[:, j], right[:, j]))

        return fill_by_dense_blocks(X, Z, formula)

    def _diagonal(self, X: Any) -> Vector:
        peak = float(self._bump(np.zeros(1))[0])
        return np.full(X.shape[0], peak ** X.shape[1], dtype=X.dtype)
