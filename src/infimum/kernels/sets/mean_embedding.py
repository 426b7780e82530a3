"""Mean embedding: bags of things compared by the average of their members."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.kernels._base import Kernel, size_of
from infimum.kernels._pairs import PairKernel
from infimum.typing import Matrix

__all__ = ["MeanEmbedding"]


@dataclass(frozen=True)
class MeanEmbedding(PairKernel):
    r"""Average similarity of the members of two bags.

    .. math:: k(A, B) = \frac{1}{|A|\,|B|} \sum_{a ∈ A} \sum_{b ∈ B} κ(a, b)

    The inner product of the means of the two bags in the feature space of κ. The
    distance that belongs to it is the maximum mean discrepancy of two samples. Bags
    may be of any size; an empty one is the origin.

    Parameters
    ----------
    kernel : Kernel
        κ, on the members.
    mean : bool, default=True
        Whether to average or, with False, to add up.

    Examples
    --------
    >>> from infimum.kernels import Linear
    >>> MeanEmbedding(Linear())([[[1.0], [3.0]]], [[[5.0]]])
    array([[10.]])
    """

    kernel: Kernel
    mean: bool = True

    @property
    def definite(self) -> bool:
        """Whether the kernel on the members is positive semi-definite."""
        return self.kernel.definite

    def _prepare(self, X: Sequence[Any]) -> Sequence[Any]:
        return [list(bag) if isinstance(bag, set | frozenset) else bag for bag in X]

    def _pair(self, x: Any, z: Any) -> float:
        if size_of(x) == 0 or size_of(z) == 0:
            return 0.0
        values: Matrix = self.kernel(x, z)
        return float(np.mean(values) if self.mean else np.sum(values))
