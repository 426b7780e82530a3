"""Half-spaces, all of them, and those that keep a distance from the points."""

from dataclasses import dataclass, field
from math import floor
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.parameters import positive as positive_number
from infimum.parameters import whole
from infimum.theory.classes._cuts import cut_patterns
from infimum.theory.classes._half_planes import line_patterns
from infimum.theory.classes._hypothesis_class import HypothesisClass
from infimum.theory.classes._separation import Separator, separate, widest
from infimum.theory.sauer_shelah import sauer_shelah
from infimum.typing import Mask, Matrix

__all__ = ["HalfSpaces", "MarginHalfSpaces"]

_PLANE = 2
_ROUNDING = 1e-9


@dataclass(frozen=True)
class HalfSpaces(HypothesisClass):
    r"""Functions that are positive on one side of a hyperplane in d dimensions.

    The VC dimension is d + 1, and n points in general position have

    .. math:: N(n) = 2 \sum_{i=0}^{d} \binom{n-1}{i}

    labellings (Cover 1965). In the plane `patterns` lists them with exact arithmetic;
    otherwise a linear programme is solved for each candidate.

    Examples
    --------
    >>> from infimum.theory import HalfSpaces
    >>> [HalfSpaces(2).growth(n) for n in (3, 4, 5, 500)]
    [8, 14, 22, 249502]
    >>> len(HalfSpaces(2).patterns([[0, 0], [1, 0], [0, 1], [1, 1]]))
    14
    """

    columns: int = field(default=2, metadata={"domain": whole(1)})

    @property
    def dimension(self) -> int:
        """How many numbers make a point."""
        return self.columns

    @property
    def vc_dimension(self) -> float:
        """One more than the number of columns (Radon)."""
        return self.columns + 1.0

    def _growth(self, n: int) -> int:
        return 2 * sauer_shelah(n - 1, self.columns) if n > 0 else 1

    def _realize(self, points: Matrix, positive: Mask) -> Any:
        return separate(points, positive, [(None, None)] * self.columns)

    def _predict(self, parameters: Any, points: Matrix) -> Mask:
        return np.asarray(parameters.scores(points) >= 0)

    def _patterns(self, points: Matrix) -> Mask:
        if len(points) == 0 or self.columns > _PLANE:
            return super()._patterns(points)
        self._affordable(range(self._growth(len(points))))
        if self.columns == _PLANE:
            return line_patterns(points)
        rising = cut_patterns(points[:, 0])
        return np.vstack([rising, ~rising[1:-1]])


@dataclass(frozen=True)
class MarginHalfSpaces(HypothesisClass):
    r"""Half-spaces whose border keeps at least `margin` from points in a ball.

    Labellings count only if they are cut with that margin, so that the capacity does
    not grow with the dimension:

    .. math:: \text{VC} \le \min\{d, \lfloor 2 R^2 / \rho^2 \rfloor\} + 1

    Examples
    --------
    >>> from infimum.theory import MarginHalfSpaces
    >>> MarginHalfSpaces(radius=1.0, margin=0.5, columns=1000).vc_dimension
    9.0
    """

    radius: float = field(default=1.0, metadata={"domain": positive_number})
    margin: float = field(default=0.5, metadata={"domain": positive_number})
    columns: int = field(default=2, metadata={"domain": whole(1)})

    @property
    def dimension(self) -> int:
        """How many numbers make a point."""
        return self.columns

    @property
    def vc_dimension(self) -> float:
        """An upper bound: the least of d and 2 R²/ρ², plus 1."""
        ratio = self.radius / self.margin
        return float(min(self.columns, floor(2 * ratio * ratio)) + 1)

    def _realize(self, points: Matrix, positive: Mask) -> Any:
        if np.any(np.linalg.norm(points, axis=1) > self.radius * (1 + _ROUNDING)):
            raise DataError(
                f"MarginHalfSpaces has radius {self.radius:g}; a point lies outside."
            )
        if positive.all() or not positive.any():
            weights, side = np.zeros(self.columns), 1.0 if positive.all() else -1.0
            weights[0], far = 1.0, self.radius + self.margin
            return Separator(weights, side * far, np.zeros(self.columns), 1.0)
        made = widest(points, positive)
        kept = made is not None and self._kept(made, points).all()
        return made if kept else None

    def _predict(self, parameters: Any, points: Matrix) -> Mask:
        return np.asarray(parameters.scores(points) >= 0)

    def _agrees(self, parameters: Any, point: Matrix, label: bool) -> bool:  # noqa: FBT001
        agrees = super()._agrees(parameters, point, label)
        return agrees and bool(self._kept(parameters, point).all())

    def _kept(self, made: Separator, points: Matrix) -> Mask:
        distance = np.abs(made.scores(points)) * made.scale
        return np.asarray(distance >= self.margin * (1 - _ROUNDING))
