"""Polynomial kernel: products of up to so many coordinates."""

from dataclasses import dataclass, field

import numpy as np

from infimum.kernels.vectors._dot_kernel import DotKernel
from infimum.parameters import nonnegative, positive, whole
from infimum.typing import Matrix

__all__ = ["Polynomial"]


@dataclass(frozen=True)
class Polynomial(DotKernel):
    r"""Polynomial kernel; homogeneous when `offset` is 0.

    .. math:: k(x, z) = (\text{scale}·⟨x, z⟩ + \text{offset})^{\text{degree}}

    Its features are all monomials of exactly `degree` coordinates, or, with a positive
    offset, of up to so many: :math:`\binom{d + \text{degree}}{\text{degree}}` of them,
    at the price of one inner product. A negative offset would not be a kernel.

    Examples
    --------
    >>> import numpy as np
    >>> Polynomial(2)(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0]]))
    array([[144.]])
    """

    degree: int = field(default=3, metadata={"domain": whole(1)})
    offset: float = field(default=1.0, metadata={"domain": nonnegative})
    scale: float = field(default=1.0, metadata={"domain": positive})

    def _transform(self, products: Matrix) -> None:
        products *= float(self.scale)
        products += float(self.offset)
        if int(self.degree) > 1:
            np.power(products, int(self.degree), out=products)
