"""`HypothesisClass`: labellings of points, their count, and empirical minima."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from infimum.errors import DataError
from infimum.parameters import check_domain, check_domains, whole
from infimum.theory.sauer_shelah import sauer_shelah

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from infimum.typing import Mask, Matrix, Vector

__all__ = ["HypothesisClass", "Minimum", "signs_of"]

#: Labellings that `patterns` lists before it refuses.
MOST_PATTERNS = 1 << 20
_BLOCK = 1 << 14


class Minimum(NamedTuple):
    """The empirical risk minimiser of a class: its parameters and its error rate."""

    parameters: Any
    risk: float


class HypothesisClass(ABC):
    """A set of functions from points to labels -1 and +1.

    Subclasses are frozen dataclasses. A function is named by its parameters;
    `predict` applies it. `dimension` is the number of columns of a point.
    """

    @property
    @abstractmethod
    def dimension(self) -> int:
        """How many numbers make a point."""

    @property
    @abstractmethod
    def vc_dimension(self) -> float:
        """The size of the largest shattered set, or a proved upper bound of it."""

    @abstractmethod
    def _realize(self, points: Matrix, positive: Mask) -> Any:
        """Return parameters of exactly this labelling, None if there are none."""

    @abstractmethod
    def _predict(self, parameters: Any, points: Matrix) -> Mask:
        """Tell which points the function calls positive."""

    __post_init__ = check_domains

    def realize(self, X: ArrayLike, labels: ArrayLike) -> Any:
        """Return parameters of a function with these labels, None if there is none."""
        points = self._points(X)
        return self._realize(points, self._labels(labels, len(points)) > 0)

    def predict(self, parameters: Any, X: ArrayLike) -> NDArray[np.int8]:
        """Return the labels -1 and +1 that a function of the class gives to points."""
        return signs_of(self._predict(parameters, self._points(X)))

    def patterns(self, X: ArrayLike) -> NDArray[np.int8]:
        """Return every labelling of these points by the class, one a row, once each."""
        return signs_of(self._patterns(self._points(X)))

    def minimize(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Minimum:
        """Return the function of least weighted error rate: exact, by comparison."""
        points = self._points(X)
        labels = self._labels(y, len(points))
        weights = self._weights(sample_weight, len(points))
        return self._minimize(points, labels, weights)

    def growth(self, n: int) -> int:
        """Return the most labellings of n points, or a proved upper bound of it."""
        check_domain(f"{type(self).__name__}.growth's n", n, whole(0))
        return self._growth(int(n))

    def _growth(self, n: int) -> int:
        return sauer_shelah(n, self.vc_dimension)

    def _minimize(self, points: Matrix, labels: Vector, weights: Vector) -> Minimum:
        listed = self._patterns(points)
        price = weights * labels
        agreement = np.concatenate(
            [
                (2.0 * listed[start : start + _BLOCK] - 1.0) @ price
                for start in range(0, len(listed), _BLOCK)
            ]
        )
        best = listed[int(np.argmax(agreement))]
        wrong = float(weights @ (best != (labels > 0)))
        return Minimum(self._realize(points, best), wrong)

    def _patterns(self, points: Matrix) -> Mask:
        """Grow labellings point by point; a witness answers half of the questions."""
        found: list[tuple[tuple[bool, ...], Any]] = [((), None)]
        for place in range(len(points)):
            grown = []
            for labels, witness in found:
                for label in (False, True):
                    longer = (*labels, label)
                    known = self._extended(points[: place + 1], longer, witness)
                    if known is not None:
                        grown.append((longer, known))
            found = self._affordable(grown)
        listed = np.array([labels for labels, _ in found], dtype=bool)
        return listed.reshape(len(found), len(points))

    def _extended(self, points: Matrix, labels: tuple[bool, ...], witness: Any) -> Any:
        if witness is not None and self._agrees(witness, points[-1:], labels[-1]):
            return witness
        return self._realize(points, np.array(labels))

    def _agrees(self, parameters: Any, point: Matrix, label: bool) -> bool:  # noqa: FBT001
        return bool(self._predict(parameters, point)[0]) == label

    def _affordable(self, listed: Any) -> Any:
        if len(listed) > MOST_PATTERNS:
            raise DataError(
                f"{type(self).__name__} labels these points in more than "
                f"{MOST_PATTERNS:,} ways; list the patterns of fewer points."
            )
        return listed

    def _points(self, X: ArrayLike) -> Matrix:
        points = np.asarray(X, dtype=np.float64)
        if points.ndim == 1 and self.dimension == 1:
            points = points[:, None]
        if points.ndim != 2 or points.shape[1] != self.dimension:  # noqa: PLR2004
            raise DataError(
                f"{type(self).__name__} labels points of {self.dimension} "
                f"numbers, got an array of shape {points.shape}."
            )
        if not np.isfinite(points).all():
            raise DataError(f"{type(self).__name__} needs finite points.")
        return points

    def _labels(self, labels: ArrayLike, n: int) -> Vector:
        given = np.asarray(labels, dtype=np.float64)
        if given.shape != (n,) or not np.isin(given, (-1.0, 0.0, 1.0)).all():
            raise DataError(
                f"{type(self).__name__} needs {n} labels -1 or 1 (or 0 or 1)."
            )
        return np.where(given > 0, 1.0, -1.0)

    def _weights(self, weights: ArrayLike | None, n: int) -> Vector:
        given = np.ones(n) if weights is None else np.asarray(weights, dtype=np.float64)
        if given.shape != (n,) or not (given >= 0).all() or not given.sum() > 0:
            raise DataError(
                f"{type(self).__name__}.minimize needs {n} weights that are not "
                "negative and not all 0."
            )
        return np.asarray(given / given.sum())


def signs_of(positive: Mask) -> NDArray[np.int8]:
    """Return +1 for True and -1 for False."""
    return np.where(positive, np.int8(1), np.int8(-1))
