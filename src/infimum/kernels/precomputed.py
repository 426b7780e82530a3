"""Kernel values that are known already: things are places in the matrix."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.kernels._kernel import Kernel
from infimum.kernels._positions import accept_positions
from infimum.kernels.definiteness import check_definite
from infimum.typing import Matrix, Vector

__all__ = ["Precomputed"]

MATRIX = 2


@dataclass(frozen=True, eq=False)
class Precomputed(Kernel):
    r"""A Gram matrix of everything there is: :math:`k(i, j) = K_{ij}`.

    Things are given by their positions in the matrix, old ones to `fit`, new ones to
    `predict`. Unlike the setting ``kernel="precomputed"`` of the machines it can be
    added, scaled and normalised, and says what k(x, x) of a new thing is, which the
    variance of a Gaussian process needs.

    Parameters
    ----------
    gram : (n, n) array
        Kernel values among all things; symmetric.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.models.kernel import GaussianProcessRegressor
    >>> gram = np.exp(-0.5 * np.subtract.outer(np.arange(4.0), np.arange(4.0)) ** 2)
    >>> model = GaussianProcessRegressor(Precomputed(gram)).fit([0, 1, 3], [0, 1, 0])
    >>> model.predict([2], return_std=True)[1].round(2)
    array([0.54])
    """

    gram: Any

    def __post_init__(self) -> None:
        values = np.asarray(self.gram, dtype=np.float64)
        if values.ndim != MATRIX or values.shape[0] != values.shape[1]:
            raise DataError(
                f"Precomputed.gram must be a square matrix, got shape {values.shape}."
            )
        if not np.isfinite(values).all():
            raise DataError("Precomputed.gram must be finite, got NaN or infinity.")
        slack = 1e-10 * float(np.abs(values).max(initial=0.0))
        if np.abs(values - values.T).max(initial=0.0) > slack:
            raise DataError("Precomputed.gram must be symmetric: k(x, z) = k(z, x).")
        object.__setattr__(self, "gram", 0.5 * (values + values.T))

    @cached_property
    def _definite(self) -> bool:
        return check_definite(self.gram).definite

    @property
    def definite(self) -> bool:
        """Whether the matrix is positive semi-definite."""
        return self._definite

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        rows = self._positions(X)
        columns = rows if Z is None else self._positions(Z)
        return np.asarray(self.gram[np.ix_(rows, columns)])

    def diagonal(self, X: Any) -> Vector:
        rows = self._positions(X)
        return np.asarray(self.gram[rows, rows])

    def _positions(self, X: Any) -> Any:
        return accept_positions(X, len(self.gram), "Precomputed", "positions")
