"""Exponential kernel: similarity that fades with distance."""

from dataclasses import dataclass, field

import numpy as np

from infimum.kernels.vectors._distance_kernel import DistanceKernel
from infimum.parameters import positive
from infimum.typing import Matrix

__all__ = ["Exponential"]


@dataclass(frozen=True)
class Exponential(DistanceKernel):
    r"""Exponential kernel, the Matérn kernel of smoothness 1/2.

    .. math:: k(x, z) = \exp\!\left(-\frac{\|x - z\|}{\text{width}}\right)

    Its functions are continuous but rough, like paths of a random walk.

    Examples
    --------
    >>> import numpy as np
    >>> Exponential(2.0)(np.array([[0.0]]), np.array([[2.0]])).round(4)
    array([[0.3679]])
    """

    width: float = field(default=1.0, metadata={"domain": positive})

    def _transform(self, squares: Matrix) -> None:
        np.sqrt(squares, out=squares)
        squares *= -1.0 / float(self.width)
        np.exp(squares, out=squares)
