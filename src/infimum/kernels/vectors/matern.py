"""Matérn kernel: from rough to smooth by one number."""

import math
from dataclasses import dataclass, field

import numpy as np
from scipy import special

from infimum.kernels.vectors._distance_kernel import DistanceKernel
from infimum.parameters import Interval, positive
from infimum.typing import Matrix

__all__ = ["Matern"]


@dataclass(frozen=True)
class Matern(DistanceKernel):
    r"""Matérn kernel of smoothness `nu`.

    .. math:: k(x, z) = \frac{2^{1-ν}}{Γ(ν)} s^ν K_ν(s), \qquad
              s = \sqrt{2ν}\,\frac{\|x - z\|}{\text{width}}

    where :math:`K_ν` is the modified Bessel function. A Gaussian process with this
    covariance has :math:`⌈ν⌉ - 1` derivatives: ν = 1/2 is the exponential kernel,
    3/2 and 5/2 have closed forms, and ν → ∞ is the Gaussian (from ν = 50 on, use that).

    Examples
    --------
    >>> import numpy as np
    >>> Matern(nu=1.5)(np.array([[0.0]]), np.array([[1.0]])).round(4)
    array([[0.4834]])
    """

    nu: float = field(default=1.5, metadata={"domain": Interval(0, 50, open_low=True)})
    width: float = field(default=1.0, metadata={"domain": positive})

    def _transform(self, squares: Matrix) -> None:
        np.sqrt(squares, out=squares)
        squares *= math.sqrt(2.0 * self.nu) / float(self.width)
        closed = {
            0.5: lambda s: np.exp(-s),
            1.5: lambda s: (1.0 + s) * np.exp(-s),
            2.5: lambda s: (1.0 + s + s * s / 3.0) * np.exp(-s),
        }
        squares[...] = closed.get(float(self.nu), self._general)(squares)

    def _general(self, s: Matrix) -> Matrix:
        nu = float(self.nu)
        wide = np.asarray(s, dtype=np.float64)
        # kve is exp(s)·K: in logarithms neither it nor the power can overflow.
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            bessel = np.log(special.kve(nu, wide)) - wide
            logs = (1.0 - nu) * math.log(2.0) - math.lgamma(nu)
            values = np.exp(logs + nu * np.log(wide) + bessel)
        # Near 0 the Bessel function itself overflows; there the kernel is its first
        # terms, 1 - s²/(4(ν - 1)) for ν > 1, and 1 to within rounding for ν ≤ 1.
        near = 1.0 - np.minimum(wide, 1.0) ** 2 / (4.0 * (nu - 1.0)) if nu > 1 else 1.0
        return np.where(np.isfinite(values), np.minimum(values, 1.0), near)
