"""Centred kernel: the origin of feature space moved to the mean of a sample."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.kernels._kernel import Kernel, size_of
from infimum.typing import Matrix, Vector

__all__ = ["Centered", "center_gram"]


@dataclass(frozen=True, eq=False)
class Centered(Kernel):
    r"""A kernel seen from the mean of `sample` in feature space.

    .. math:: \tilde k(x, z) = ⟨Φ(x) - \bar Φ, Φ(z) - \bar Φ⟩, \qquad
              \bar Φ = \tfrac1n \sum_i Φ(x_i)

    The mean is that of the sample given here, also for things that come later.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.kernels import Linear
    >>> Centered(Linear(), np.array([[1.0], [3.0]]))(np.array([[5.0]]))
    array([[9.]])
    """

    _hands_on = True

    kernel: Kernel
    sample: Any

    def __post_init__(self) -> None:
        if size_of(self.sample) == 0:
            raise DataError("Centered.sample must hold at least one thing, got none.")

    @property
    def definite(self) -> bool:
        """Whether the kernel before centring is positive semi-definite."""
        return self.kernel.definite

    @cached_property
    def _level(self) -> float:
        return float(self.kernel(self.sample).mean(dtype=np.float64))

    def _means(self, X: Any) -> Vector:
        return np.asarray(self.kernel(X, self.sample).mean(axis=1))

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        left = self._means(X)
        right = left if Z is None else self._means(Z)
        shift = np.add.outer(left, right) - self._level
        return np.asarray(self.kernel(X, Z) - shift)

    def diagonal(self, X: Any) -> Vector:
        return np.asarray(self.kernel.diagonal(X) - 2.0 * self._means(X) + self._level)


def center_gram(gram: Matrix, cross: Matrix | None = None) -> Matrix:
    r"""Return the Gram matrix after moving the sample's mean to the origin.

    .. math:: \tilde K = K - 1_n K - K 1_n + 1_n K 1_n, \qquad (1_n)_{ij} = 1/n

    Parameters
    ----------
    gram : (n, n) array
        Kernel values among the sample.
    cross : (m, n) array or None, default=None
        Kernel values of new things against the sample; when given, these are centred
        (with the sample's mean, not their own) and returned.

    Examples
    --------
    >>> import numpy as np
    >>> center_gram(np.array([[1.0, 3.0], [3.0, 9.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    columns = gram.mean(axis=0)
    rows = columns if cross is None else cross.mean(axis=1)
    values = gram if cross is None else cross
    return np.asarray(values - (np.add.outer(rows, columns) - columns.mean()))
