"""Laplacian kernel: similarity that fades with city-block distance."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from scipy.spatial.distance import cdist

from infimum.kernels.vectors._rows import VectorKernel, fill_by_dense_blocks
from infimum.parameters import check_domain, positive
from infimum.typing import Matrix, Vector

__all__ = ["Laplacian"]


@dataclass(frozen=True)
class Laplacian(VectorKernel):
    r"""Laplacian kernel: a product of exponential kernels, one per coordinate.

    .. math:: k(x, z) = \exp\!\left(-\frac{\|x - z\|_1}{\text{width}}\right)

    Less moved than the Gaussian by one coordinate that is far off.

    Examples
    --------
    >>> import numpy as np
    >>> Laplacian(3.0)(np.array([[0.0, 0.0]]), np.array([[1.0, 2.0]])).round(4)
    array([[0.3679]])
    """

    width: float = field(default=1.0, metadata={"domain": positive})

    @classmethod
    def from_gamma(cls, gamma: float) -> Self:
        r"""Return the kernel :math:`\exp(-\text{gamma}·\|x - z\|_1)`."""
        check_domain("Laplacian.from_gamma: gamma", gamma, positive)
        return cls(1.0 / gamma)

    def _filler(self, X: Any, Z: Any) -> Callable[[slice, slice, Matrix], None]:
        def formula(left: Matrix, right: Matrix, out: Matrix) -> None:
            out[...] = cdist(left, right, "cityblock")
            out *= -1.0 / float(self.width)
            np.exp(out, out=out)

        return fill_by_dense_blocks(X, Z, formula)

    def _diagonal(self, X: Any) -> Vector:
        return np.ones(X.shape[0], dtype=X.dtype)
