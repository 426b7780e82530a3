"""Kernels from distances: inner products seen from an origin, and radial ones."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.kernels._kernel import Kernel, size_of
from infimum.parameters import Interval, positive
from infimum.typing import Matrix, Vector

__all__ = ["FromDistance", "RadialOf"]

Distance = Callable[[Any, Any], Matrix]


@dataclass(frozen=True, eq=False)
class FromDistance(Kernel):
    r"""The inner product that belongs to a distance, seen from an `origin`.

    .. math:: k(x, z) = \tfrac12\big(d(x, o)^2 + d(z, o)^2 - d(x, z)^2\big)

    Positive semi-definite exactly when d² is of negative type, that is, when d is the
    distance in some Hilbert space; say so with ``claim=True`` when it is known.

    Parameters
    ----------
    distance : callable
        Maps two collections to the matrix of their distances.
    origin : collection of one thing
        What becomes 0 in feature space.
    claim : bool, default=False
        Whether d² is of negative type.

    Examples
    --------
    >>> import numpy as np
    >>> apart = lambda X, Z: np.abs(np.subtract.outer(X, Z))
    >>> FromDistance(apart, [0.0])([2.0], [3.0])
    array([[6.]])
    """

    distance: Distance
    origin: Any
    claim: bool = False

    @property
    def definite(self) -> bool:
        """What was claimed."""
        return self.claim

    def _lengths(self, X: Any) -> Vector:
        return np.asarray(self.distance(X, self.origin))[:, 0] ** 2

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        Z = X if Z is None else Z
        sums = np.add.outer(self._lengths(X), self._lengths(Z))
        return np.asarray(0.5 * (sums - np.asarray(self.distance(X, Z)) ** 2))

    def diagonal(self, X: Any) -> Vector:
        return self._lengths(X)


@dataclass(frozen=True, eq=False)
class RadialOf(Kernel):
    r"""Similarity that fades with any distance.

    .. math:: k(x, z) = \exp\!\big(-(d(x, z)/\text{width})^{\text{power}}\big)

    Positive semi-definite for every width exactly when :math:`d^{\text{power}}` is of
    negative type; say so with ``claim=True`` when it is known.

    Examples
    --------
    >>> import numpy as np
    >>> apart = lambda X, Z: np.abs(np.subtract.outer(X, Z))
    >>> RadialOf(apart, width=2.0, power=1.0)([0.0], [2.0]).round(4)
    array([[0.3679]])
    """

    distance: Distance
    width: float = field(default=1.0, metadata={"domain": positive})
    power: float = field(
        default=2.0, metadata={"domain": Interval(0, 2, open_low=True)}
    )
    claim: bool = False

    @property
    def definite(self) -> bool:
        """What was claimed."""
        return self.claim

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        apart = np.asarray(self.distance(X, X if Z is None else Z))
        return np.asarray(np.exp(-((apart / self.width) ** self.power)))

    def diagonal(self, X: Any) -> Vector:
        return np.ones(size_of(X))
