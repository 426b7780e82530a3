"""Conditioned kernel: what is left when the values at some points are known."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from infimum.kernels._kernel import Kernel
from infimum.parameters import nonnegative
from infimum.typing import Matrix, Vector

__all__ = ["Conditioned"]


@dataclass(frozen=True, eq=False)
class Conditioned(Kernel):
    r"""A kernel after conditioning on the values at a `sample`.

    .. math:: k_S(x, z) = k(x, z) - k(x, S)\,(K_{SS} + σ^2 I)^{+}\,k(S, z)

    Without noise it is the kernel of the functions that vanish on the sample: the part
    of each feature vector orthogonal to the sample's. It is the posterior covariance of
    a Gaussian process with prior covariance k, seen at the sample with variance σ².

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.kernels import Gaussian
    >>> known = Conditioned(Gaussian(1.0), np.array([[0.0]]))
    >>> known(np.array([[0.0], [9.0]])).round(3)
    array([[0., 0.],
           [0., 1.]])
    """

    _hands_on = True

    kernel: Kernel
    sample: Any
    noise: float = field(default=0.0, metadata={"domain": nonnegative})

    @property
    def definite(self) -> bool:
        """Whether the kernel before conditioning is positive semi-definite."""
        return self.kernel.definite

    @cached_property
    def _root(self) -> Matrix:
        values, vectors = np.linalg.eigh(
            np.asarray(self.kernel(self.sample), dtype=np.float64)
        )
        noise = float(self.noise)
        cut = len(values) * np.finfo(np.float64).eps * values.max(initial=0.0)
        kept = values + noise > cut
        return np.asarray(vectors[:, kept] / np.sqrt(values[kept] + noise))

    def _known(self, X: Any) -> Matrix:
        return np.asarray(self.kernel(X, self.sample) @ self._root)

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        left = self._known(X)
        right = left if Z is None else self._known(Z)
        explained = left @ right.T
        if Z is None:
            explained = 0.5 * (explained + explained.T)
        return np.asarray(self.kernel(X, Z) - explained)

    def diagonal(self, X: Any) -> Vector:
        known = self._known(X)
        return np.asarray(self.kernel.diagonal(X) - np.einsum("ij,ij->i", known, known))
