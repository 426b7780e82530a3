"""Rational quadratic kernel: Gaussians of many widths at once."""

from dataclasses import dataclass, field

import numpy as np

from infimum.kernels.vectors._distance_kernel import DistanceKernel
from infimum.parameters import positive
from infimum.typing import Matrix

__all__ = ["RationalQuadratic"]


@dataclass(frozen=True)
class RationalQuadratic(DistanceKernel):
    r"""Rational quadratic kernel: similarity with a heavy tail.

    .. math:: k(x, z) = \left(1 + \frac{\|x - z\|^2}{2\,α\,\text{width}^2}\right)^{-α}

    A mixture of Gaussian kernels whose inverse squared widths follow a Gamma
    distribution; α → ∞ is the Gaussian of that width.

    Examples
    --------
    >>> import numpy as np
    >>> RationalQuadratic(1.0)(np.array([[0.0]]), np.array([[2.0]])).round(4)
    array([[0.3333]])
    """

    alpha: float = field(default=1.0, metadata={"domain": positive})
    width: float = field(default=1.0, metadata={"domain": positive})

    def _transform(self, squares: Matrix) -> None:
        alpha = float(self.alpha)
        squares *= 0.5 / (alpha * float(self.width) ** 2)
        # In logarithms, since for large alpha 1 + square is rounded to 1.
        np.log1p(squares, out=squares)
        squares *= -alpha
        np.exp(squares, out=squares)
