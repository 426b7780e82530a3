"""Fused lasso: coefficients are mostly 0, and change rarely where they are not."""

from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import opened, positive
from infimum.penalties._penalty import Penalty
from infimum.penalties.total_variation import TotalVariation
from infimum.typing import Matrix, Vector

__all__ = ["FusedLasso"]

MAX_STEPS = 100


@dataclass(frozen=True)
class FusedLasso(Penalty):
    r"""A mix of the lasso and total variation.

    .. math:: \Omega(w) = \text{strength} \Bigl( \rho \|w\|_1
              + (1 - \rho) \sum_j |w_{j+1} - w_j| \Bigr)

    ρ is `l1_ratio`. The proximal step is that of total variation followed by that of
    the lasso, exactly.

    References
    ----------
    Tibshirani, Saunders, Rosset, Zhu & Knight (2005), JRSS B 67. Friedman, Hastie,
    Höfling & Tibshirani (2007), Annals of Applied Statistics 1 (the proximal step).
    """

    strength: float = field(default=1.0, metadata={"domain": positive})
    l1_ratio: float = field(default=0.5, metadata={"domain": opened(0, 1)})

    def value(self, w: Vector) -> float:
        l1 = self.strength * self.l1_ratio * float(np.abs(w).sum())
        return l1 + self._jumps.value(w)

    def conjugate(self, v: Vector) -> float:
        return 0.0 if self._gauge(v) <= self.strength * (1.0 + 1e-12) else np.inf

    def prox(self, w: Vector, step: float) -> Vector:
        flat = self._jumps.prox(w, step)
        cut = step * self.strength * self.l1_ratio
        return np.asarray(np.sign(flat) * np.maximum(np.abs(flat) - cut, 0.0))

    def stiffness(self, w: Vector, step: float | Vector) -> Matrix:
        still = self.prox(w, float(step)).ravel() == 0.0
        matrix = self._jumps.stiffness(w, step)
        matrix[still, :] = matrix[:, still] = 0.0
        matrix[still, still] = 1.0 / float(step)
        return matrix

    def support(self, sizes: Vector, level: float) -> float:
        l1 = self.strength * self.l1_ratio
        return level / l1 * float(np.max(sizes, initial=0.0))

    def dual_scale(self, v: Vector) -> float:
        gauge = self._gauge(v)
        return min(1.0, self.strength / gauge) if gauge > 0 else 1.0

    @property
    def _jumps(self) -> TotalVariation:
        return TotalVariation(self.strength * (1.0 - self.l1_ratio))

    def _gauge(self, v: Vector) -> float:
        columns = np.asarray(v).reshape(len(v), -1).T
        return max(
            self._steepest(sign * column) for column in columns for sign in (-1, 1)
        )

    def _steepest(self, v: Vector) -> float:
        """Return the largest sum of v over a stretch, per unit of the stretch's price.

        The price of a vector is that of its level sets, so stretches of equal
        coefficients are the extreme directions. Dinkelbach's iteration: the stretch
        that gains most at one rate sets the next.
        """
        d = len(v)
        sums = np.concatenate([[0.0], np.cumsum(v)])
        places = np.arange(d + 1)
        inner = (places > 0) & (places < d)
        l1, jump = self.l1_ratio, 1.0 - self.l1_ratio
        rate = 0.0
        for _ in range(MAX_STEPS):
            opened_at = sums - rate * (l1 * places - jump * inner)
            closed_at = sums - rate * (l1 * places + jump * inner)
            first = np.minimum.accumulate(opened_at)[:-1]
            last = 1 + int((closed_at[1:] - first).argmax())
            start = int(opened_at[:last].argmin())
            price = (
                l1 * (last - start) + jump * float(inner[start]) + jump * inner[last]
            )
            higher = float(sums[last] - sums[start]) / float(price)
            if higher <= rate * (1.0 + 1e-15):
                break
            rate = higher
        return rate
