"""Sparse-group lasso: few groups, and few coefficients inside them."""

import math
from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import closed
from infimum.penalties.group_lasso import GroupLasso
from infimum.typing import Matrix, Vector

__all__ = ["SparseGroupLasso"]

MAX_STEPS = 100


@dataclass(frozen=True)
class SparseGroupLasso(GroupLasso):
    r"""A mix of the lasso and the group lasso.

    .. math:: \Omega(w) = \text{strength} \sum_g \bigl( \rho\, \|w_g\|_1
              + (1 - \rho) \sqrt{|g|}\, \|w_g\|_2 \bigr)

    ρ is `l1_ratio`: 1 is the lasso, 0 the group lasso. `groups` works as it does there.

    Examples
    --------
    >>> import numpy as np
    >>> mixed = SparseGroupLasso(1.0, groups=((0, 1), (2,)), l1_ratio=0.5)
    >>> mixed.prox(np.array([3.0, 0.4, 0.9]), 1.0).round(3)
    array([1.793, 0.   , 0.   ])

    References
    ----------
    Simon, Friedman, Hastie & Tibshirani (2013), J. Computational and Graphical
    Statistics 22.
    """

    l1_ratio: float = field(default=0.5, metadata={"domain": closed(0, 1)})

    def value(self, w: Vector) -> float:
        l1 = sum(float(np.abs(w[g]).sum()) for g in self._slices(w))
        groups = super().value(w)
        return self.strength * self.l1_ratio * l1 + (1.0 - self.l1_ratio) * groups

    def prox(self, w: Vector, step: float) -> Vector:
        out = np.array(w)
        for g in self._slices(w):
            out[g] = np.sign(w[g]) * np.maximum(
                np.abs(w[g]) - step * self.strength * self.l1_ratio, 0.0
            )
        return super().prox(out, step * (1.0 - self.l1_ratio))

    def stiffness(self, w: Vector, step: float | Vector) -> Matrix:
        # The lasso's step comes first; what it leaves at 0 does not move at all.
        cut = float(step) * self.strength * self.l1_ratio
        left = np.sign(w) * np.maximum(np.abs(w) - cut, 0.0)
        left[self._free(w)] = w[self._free(w)]
        still = left.ravel() == 0.0
        if self.l1_ratio == 1.0:
            return np.diag(still / step)
        share = 1.0 - self.l1_ratio
        matrix = share * super().stiffness(left, float(step) * share)
        matrix[still, :] = matrix[:, still] = 0.0
        matrix[still, still] = 1.0 / float(step)
        return matrix

    def _largest(self, v: Vector) -> float:
        return max(self._gauge(np.abs(v[g]), len(g)) for g in self._slices(v))

    def _gauge(self, sizes: Vector, count: int) -> float:
        """Return max over w of sizes·w / (ρ‖w‖₁ + (1 - ρ)·√count·‖w‖₂).

        Dinkelbach's iteration: at the ratio t the best w is what exceeds t·ρ.
        """
        ratio, width = 0.0, (1.0 - self.l1_ratio) * math.sqrt(count)
        for _ in range(MAX_STEPS):
            w = np.maximum(sizes - ratio * self.l1_ratio, 0.0)
            length = math.sqrt(float((w * w).sum()))
            if length == 0.0:
                break
            price = self.l1_ratio * float(w.sum()) + width * length
            higher = float((sizes * w).sum()) / price
            if higher <= ratio * (1.0 + 1e-15):
                break
            ratio = higher
        return ratio
