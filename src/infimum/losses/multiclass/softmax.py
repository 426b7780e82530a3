"""Softmax loss: the negative log-likelihood of a die whose log-odds are f."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from scipy.special import xlog1py, xlogy

from infimum.losses._loss import VectorLoss
from infimum.losses._over_scores import over_scores
from infimum.parameters import whole
from infimum.typing import Matrix, Vector

__all__ = ["Softmax"]


@dataclass(frozen=True)
class Softmax(VectorLoss):
    r"""Softmax (multinomial logistic) loss for labels 0, …, `classes` - 1.

    .. math:: \ell(y, f) = \log \sum_k e^{f_k} - f_y

    With two classes and scores (0, f) it is the logistic loss. Adding a constant to all
    scores changes nothing; a penalty picks the scores that sum to zero.

    Examples
    --------
    >>> import numpy as np
    >>> Softmax(3).value(np.array([0, 2]), np.zeros((2, 3))).round(3)
    array([1.099, 1.099])
    """

    classes: int = field(default=3, metadata={"domain": whole(2)})

    target: ClassVar[str] = "class"
    shift_invariant: ClassVar[bool] = True
    #: Slopes this far beyond the domain of ℓ* count as inside; proofs pay for it.
    wall: ClassVar[float] = 1e-13
    curvature: ClassVar[float] = 0.5

    @property
    def outputs(self) -> int:
        return self.classes

    def value(self, y: Vector, f: Matrix) -> Vector:
        top = over_scores(np.maximum, f)
        total = over_scores(np.add, np.exp(f - top[:, None]))
        return np.asarray(np.log(total) + top - f[np.arange(len(y)), _codes(y)])

    def derivative(self, y: Vector, f: Matrix) -> Matrix:
        probabilities = _shares(f)
        probabilities[np.arange(len(y)), _codes(y)] -= 1.0
        return np.asarray(probabilities)

    def curve(self, y: Vector, f: Matrix, u: Matrix) -> Matrix:
        return self.bending(y, f)(u)

    def bending(self, y: Vector, f: Matrix) -> Callable[[Matrix], Matrix]:
        p = _shares(f)
        return lambda u: p * (u - over_scores(np.add, p * u)[:, None])

    def conjugate(self, y: Vector, s: Matrix) -> Vector:
        p = self._probabilities(y, s)
        inside = (over_scores(np.minimum, p) >= -self.wall) & (
            np.abs(over_scores(np.add, p) - 1.0) <= self.wall
        )
        p, own = np.maximum(p, 0.0), (np.arange(len(y)), _codes(y))
        terms = np.asarray(xlogy(p, p))
        # Of a chance next to 1 the slope knows what the chance has lost.
        terms[own] = xlog1py(p[own], np.maximum(s[own], -1.0))
        return np.asarray(np.where(inside, over_scores(np.add, terms), np.inf))

    def slack(self, y: Vector, s: Matrix) -> Vector:
        return over_scores(np.minimum, self._probabilities(y, s))

    def ceiling(self, y: Vector, s: Matrix, room: Vector) -> Vector:
        """Return 0: no distribution has a negative entropy."""
        return np.zeros(len(y))

    def bayes_target(self, chances: Matrix) -> Matrix:
        """Return the logarithms of the chances, moved so that they sum to 0."""
        with np.errstate(divide="ignore"):
            logarithms = np.log(chances)
        return np.asarray(logarithms - logarithms.mean(axis=1, keepdims=True))

    def best_constant(self, y: Vector, weights: Vector | None = None) -> Vector:
        counts = np.bincount(_codes(y), weights=weights, minlength=self.classes)
        scores = np.log(np.maximum(counts, 1e-17 * counts.sum()))
        return np.asarray(scores - scores.mean())

    def _probabilities(self, y: Vector, s: Matrix) -> Matrix:
        p = np.array(s, dtype=np.float64)
        p[np.arange(len(y)), _codes(y)] += 1.0
        return p


def _shares(f: Matrix) -> Matrix:
    """Return the chances whose log-odds are f."""
    odds = np.exp(f - over_scores(np.maximum, f)[:, None])
    odds /= over_scores(np.add, odds)[:, None]
    return np.asarray(odds)


def _codes(y: Vector) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    return np.asarray(y, dtype=np.intp)
