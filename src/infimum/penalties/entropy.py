"""Entropy: shares of a whole, drawn towards equality."""

from dataclasses import dataclass, field

import numpy as np
from scipy.special import logsumexp, wrightomega, xlogy

from infimum.parameters import positive
from infimum.penalties._penalty import Penalty
from infimum.penalties.simplex import nearest_shares
from infimum.typing import Matrix, Vector

__all__ = ["Entropy"]

#: Shares whose sum misses 1 by this much still count.
ROUNDING = 1e-10
MAX_STEPS = 100


@dataclass(frozen=True)
class Entropy(Penalty):
    r"""Relative entropy of shares to equal shares; infinite off the simplex.

    .. math:: \Omega(w) = \text{strength} \sum_j w_j \log (d\, w_j), \qquad
              w \ge 0,\ \textstyle\sum_j w_j = 1

    The negative entropy plus log d, so that the least value is 0. Its mirror map is the
    soft maximum, which makes steps multiplicative. With one column of coefficients per
    score, each column is a set of shares.
    """

    strength: float = field(default=1.0, metadata={"domain": positive})

    def value(self, w: Vector) -> float:
        if np.any(w < 0.0) or np.any(np.abs(w.sum(axis=0) - 1.0) > ROUNDING):
            return np.inf
        total = np.asarray(xlogy(w, w)).sum() + np.log(len(w)) * w.sum()
        return max(self.strength * float(total), 0.0)

    def conjugate(self, v: Vector) -> float:
        top = np.asarray(logsumexp(v / self.strength, axis=0)) - np.log(len(v))
        return self.strength * float(top.sum())

    def prox(self, w: Vector, step: float) -> Vector:
        if step == 0.0:
            return np.asarray(np.apply_along_axis(nearest_shares, 0, w, 1.0))
        return np.asarray(
            np.apply_along_axis(_balanced, 0, w, float(step) * self.strength)
        )

    def stiffness(self, w: Vector, step: float | Vector) -> Matrix:
        # share + pull·log(share) = w - level; the level keeps the sum of the shares.
        shares, pull = self.prox(w, float(step)), float(step) * self.strength
        free = (shares / (shares + pull)).reshape(len(w), -1)
        places = np.arange(w.size).reshape(free.shape)
        matrix = np.diag(np.ravel(pull / (shares + pull)))
        for move, chosen in zip(free.T, places.T, strict=True):
            total = max(float(move.sum()), 1e-300)
            matrix[np.ix_(chosen, chosen)] += np.outer(move, move / total)
        return matrix / step

    def dual_scale(self, v: Vector) -> float:
        return 1.0


def _balanced(z: Vector, pull: float) -> Vector:
    """Return the shares with share + pull·log(share) = z - level for some level.

    The share at a level is pull·ω((z - level)/pull - log pull) with Wright's ω, which
    is e^x for small and x for large arguments; the sum falls in the level, convexly,
    so Newton's method from the left never overshoots.
    """
    # At this level the largest share alone is 1, so that the sum is at least 1.
    level = float(z.max()) - 1.0
    for _ in range(MAX_STEPS):
        shares = pull * _omega((z - level) / pull - np.log(pull))
        excess = float(shares.sum()) - 1.0
        fall = float((shares / (pull + shares)).sum())
        step = excess / max(fall, 1e-300)
        if abs(step) <= 1e-16 * max(1.0, abs(level)):
            break
        level += step
    return np.asarray(shares / shares.sum())


def _omega(x: Vector) -> Vector:
    # Below this the function is 0 in floating point.
    return np.asarray(np.real(wrightomega(np.maximum(x, -700.0))))
