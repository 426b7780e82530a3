"""`Window`: the profile of a smoothing window, its moments and its derivatives."""

import math
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from scipy.spatial.distance import cdist

from infimum.errors import DataError
from infimum.kernels.vectors._rows import accept_rows
from infimum.parameters import check_domain, check_domains, positive, whole
from infimum.typing import Matrix

__all__ = ["Window"]


class Window(ABC):
    r"""A smoothing kernel: a bump h ≥ 0 with ∫h = 1, ∫u·h = 0 and ∫u²·h < ∞.

    It spreads the mass of one observation over its neighbourhood. Unlike the kernels
    of the room outside it need not be positive semi-definite. A window is given by its
    profile, a function of |u|, and normalised in any dimension, as a product over the
    coordinates or as a function of the length (the two differ, and so do their
    constants, except for the Gaussian).
    """

    #: From here on the profile is 0.
    reach: ClassVar[float] = 1.0

    __post_init__ = check_domains

    @abstractmethod
    def profile(self, r: Any) -> Any:
        """Return the window at distance r ≥ 0 from its centre, not normalised."""

    @abstractmethod
    def moment(self, power: float) -> float:
        """Return ∫ profile(r)·r^power over r from 0 to infinity."""

    def __call__(self, u: Any) -> Any:
        """Return h(u) on the real line, where it integrates to 1."""
        return self.profile(np.abs(u)) / self.constant(1)

    def constant(self, dimension: int = 1) -> float:
        """Return ∫ profile(‖u‖) over the space of so many dimensions."""
        check_domain("Window.constant: dimension", dimension, whole(1))
        sphere: float = 2.0 * math.pi ** (dimension / 2) / math.gamma(dimension / 2)
        return sphere * self.moment(dimension - 1)

    @property
    def variance(self) -> float:
        """∫u²·h(u) on the real line."""
        return self.moment(2) / self.moment(0)

    def similarities(self, X: Any, Z: Any, width: float = 1.0) -> Matrix:
        """Return profile(‖x - z‖/width) for each pair of rows, not normalised."""
        check_domain("Window.similarities: width", width, positive)
        left, right = _rows(X, Z)
        return np.asarray(self.profile(cdist(left, right) / width))

    def densities(
        self, X: Any, Z: Any, width: float = 1.0, *, radial: bool = False
    ) -> Matrix:
        r"""Return :math:`\text{width}^{-d}\, h((x - z)/\text{width})` for each pair.

        Each column integrates to 1 over x: the mass of one z, spread out.

        Parameters
        ----------
        X, Z : matrices of d columns
        width : float, default=1.0
        radial : bool, default=False
            Whether h is a function of the length, or a product over coordinates.
        """
        check_domain("Window.densities: width", width, positive)
        left, right = _rows(X, Z)
        dimension = left.shape[1]
        if radial:
            size = self.constant(dimension) * width**dimension
            return np.asarray(self.profile(cdist(left, right) / width) / size)
        out = np.ones((len(left), len(right)))
        for j in range(dimension):
            out *= self(np.subtract.outer(left[:, j], right[:, j]) / width) / width
        return out


def _rows(X: Any, Z: Any) -> tuple[Matrix, Matrix]:
    left, right = accept_rows(X, Z)
    if hasattr(left, "toarray") or hasattr(right, "toarray"):
        raise DataError("Windows smooth dense data: pass X.toarray().")
    return left, right
