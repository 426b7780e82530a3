"""Sigmoid kernel: tanh of the inner product, not always positive semi-definite."""

from dataclasses import dataclass, field

import numpy as np

from infimum.kernels.vectors._dot_kernel import DotKernel
from infimum.parameters import Interval, positive
from infimum.typing import Matrix

__all__ = ["Sigmoid"]


@dataclass(frozen=True)
class Sigmoid(DotKernel):
    r"""Hyperbolic tangent of the inner product; **may be indefinite**.

    .. math:: k(x, z) = \tanh(\text{slope}·⟨x, z⟩ + \text{offset})

    Kept because it is widely known as the kernel of a neural network. It is no inner
    product for most slopes and offsets, so ``definite`` is False: fits with it need not
    be convex and prove nothing. Check a Gram matrix with ``check_definite``.

    Examples
    --------
    >>> import numpy as np
    >>> Sigmoid().definite
    False
    """

    slope: float = field(default=1.0, metadata={"domain": positive})
    offset: float = field(default=0.0, metadata={"domain": Interval(-np.inf, np.inf)})

    @property
    def definite(self) -> bool:
        """False: tanh of an inner product may be indefinite."""
        return False

    def _transform(self, products: Matrix) -> None:
        products *= float(self.slope)
        products += float(self.offset)
        np.tanh(products, out=products)
