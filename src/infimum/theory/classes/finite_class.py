"""A finite class: a table of labels, one row a function."""

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.theory.classes._hypothesis_class import HypothesisClass, Minimum
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["FiniteClass"]


@dataclass(frozen=True, eq=False)
class FiniteClass(HypothesisClass):
    """Functions on the points 0, 1, …, one row of labels each.

    Parameters
    ----------
    table : array-like of shape (functions, points)
        Labels -1 and 1 (or 0 and 1).

    Examples
    --------
    >>> from infimum.theory import FiniteClass
    >>> two = FiniteClass([[1, 1, 1], [-1, -1, -1]])
    >>> two.minimize([0, 2], [1, 1])
    Minimum(parameters=0, risk=0.0)
    >>> two.vc_dimension, two.growth(10)
    (1.0, 2)
    """

    table: ArrayLike
    dimension = 1

    def __post_init__(self) -> None:
        made = np.asarray(self.table, dtype=np.float64)
        if made.ndim != 2 or made.size == 0 or not np.isin(made, (-1, 0, 1)).all():  # noqa: PLR2004
            raise DataError(
                "FiniteClass.table must have a row of labels -1 or 1 (or 0 or 1) for "
                f"each function, got an array of shape {made.shape}."
            )
        object.__setattr__(self, "table", made > 0)

    @property
    def size(self) -> int:
        """The number of functions."""
        return len(self._rows)

    @property
    def log_size(self) -> float:
        """The logarithm of the number of functions."""
        return log(self.size)

    @property
    def vc_dimension(self) -> float:
        """A bound: a set of n points that is shattered needs 2ⁿ different functions."""
        different = len(np.unique(self._rows, axis=0))
        return float(min(different.bit_length() - 1, self._rows.shape[1]))

    def _growth(self, n: int) -> int:
        return min(len(np.unique(self._rows, axis=0)), int(2**n))

    def _realize(self, points: Matrix, positive: Mask) -> Any:
        fits = np.all(self._rows[:, self._places(points)] == positive, axis=1)
        return int(np.argmax(fits)) if fits.any() else None

    def _predict(self, parameters: Any, points: Matrix) -> Mask:
        return np.asarray(self._rows[parameters, self._places(points)])

    def _patterns(self, points: Matrix) -> Mask:
        return np.unique(self._rows[:, self._places(points)], axis=0)

    def _minimize(self, points: Matrix, labels: Vector, weights: Vector) -> Minimum:
        wrong = (self._rows[:, self._places(points)] != (labels > 0)) @ weights
        best = int(np.argmin(wrong))
        return Minimum(best, float(wrong[best]))

    @property
    def _rows(self) -> Mask:
        return np.asarray(self.table)

    def _places(self, points: Matrix) -> Indices:
        places = points[:, 0].astype(np.intp)
        size = self._rows.shape[1]
        if np.any((places != points[:, 0]) | (places < 0) | (places >= size)):
            raise DataError(f"FiniteClass labels the points 0, …, {size - 1} only.")
        return places
