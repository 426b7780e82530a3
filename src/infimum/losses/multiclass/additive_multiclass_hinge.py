"""Additive multiclass hinge loss: the right label must beat every other by a margin."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from infimum.errors import IncompatibleError
from infimum.losses._loss import ROUNDING, VectorLoss
from infimum.losses.multiclass._constant_scores import best_pairwise_scores
from infimum.parameters import whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["AdditiveMulticlassHinge"]


@dataclass(frozen=True)
class AdditiveMulticlassHinge(VectorLoss):
    r"""Sum of the hinges against all wrong labels, for labels 0, …, `classes` - 1.

    .. math:: \ell(y, f) = \sum_{y' \ne y} \max(0,\; 1 - f_y + f_{y'})

    An upper bound on the multiclass hinge loss, which counts the worst rival only. A
    slope gives each wrong label between 0 and 1 and takes their sum from the right one.

    Examples
    --------
    >>> import numpy as np
    >>> scores = np.array([[2.0, 1.5, 1.8]])
    >>> AdditiveMulticlassHinge(3).value(np.array([0]), scores).round(2)
    array([1.3])

    References
    ----------
    Weston & Watkins (1999), European Symposium on Artificial Neural Networks.
    """

    classes: int = field(default=3, metadata={"domain": whole(2)})

    target: ClassVar[str] = "class"
    shift_invariant: ClassVar[bool] = True
    curvature: ClassVar[float] = np.inf

    @property
    def outputs(self) -> int:
        return self.classes

    def value(self, y: Vector, f: Matrix) -> Vector:
        return np.asarray(np.maximum(self._shortfalls(y, f), 0.0).sum(axis=1))

    def derivative(self, y: Vector, f: Matrix) -> Matrix:
        slopes = (self._shortfalls(y, f) > 0.0).astype(np.float64)
        slopes[np.arange(len(y)), _codes(y)] = -slopes.sum(axis=1)
        return slopes

    def curve(self, y: Vector, f: Matrix, u: Matrix) -> Matrix:
        raise IncompatibleError(f"{type(self).__name__} has a kink: no curvature.")

    def conjugate(self, y: Vector, s: Matrix) -> Vector:
        others = self._others(y, s)
        total = others.sum(axis=1)
        inside = (
            (others.min(axis=1) >= -ROUNDING)
            & (others.max(axis=1) <= 1.0 + ROUNDING)
            & (np.abs(s.sum(axis=1)) <= 10.0 * ROUNDING * (1.0 + np.abs(total)))
        )
        return np.asarray(np.where(inside, -total, np.inf))

    def planes(self, y: Vector) -> tuple[Matrix, Matrix] | None:
        codes, units = _codes(y), np.eye(self.classes)
        slopes = np.zeros((len(y), self.classes, 2, self.classes))
        slopes[:, :, 1] = units[None, :, :] - units[codes][:, None, :]
        heights = np.zeros((len(y), self.classes, 2))
        heights[:, :, 1] = 1.0
        heights[np.arange(len(y)), codes, 1] = -np.inf
        return slopes, heights

    def slack(self, y: Vector, s: Matrix) -> Vector:
        room = np.minimum(s, 1.0 - s)
        room[np.arange(len(y)), _codes(y)] = np.inf
        return np.asarray(room.min(axis=1))

    def centre(self, y: Vector, weights: Vector) -> Matrix:
        # What label y gains from the others, the others gain from y: the sum is 0.
        shares = np.bincount(_codes(y), weights=weights, minlength=self.classes)
        slopes = np.tile(0.5 * shares / shares.sum(), (len(y), 1))
        slopes[np.arange(len(y)), _codes(y)] = 0.0
        slopes[np.arange(len(y)), _codes(y)] = -slopes.sum(axis=1)
        return np.asarray(slopes)

    def best_constant(self, y: Vector, weights: Vector | None = None) -> Vector:
        shares = np.bincount(_codes(y), weights, minlength=self.classes).astype(float)
        pairs = np.repeat(shares[:, None], self.classes, axis=1)
        np.fill_diagonal(pairs, 0.0)
        return best_pairwise_scores(pairs)

    @staticmethod
    def _shortfalls(y: Vector, f: Matrix) -> Matrix:
        right = np.take_along_axis(f, _codes(y)[:, None], axis=1)
        shortfalls = 1.0 - right + f
        shortfalls[np.arange(len(y)), _codes(y)] = 0.0
        return np.asarray(shortfalls)

    @staticmethod
    def _others(y: Vector, s: Matrix) -> Matrix:
        others = np.array(s, dtype=np.float64)
        others[np.arange(len(y)), _codes(y)] = 0.0
        return others


def _codes(y: Vector) -> Indices:
    return np.asarray(y, dtype=np.intp)
