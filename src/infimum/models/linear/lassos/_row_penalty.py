"""A penalty on the rows of a matrix: a feature serves all tasks, or none."""

from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import closed, positive
from infimum.penalties import ElasticNet, Penalty
from infimum.typing import Matrix, Vector

__all__ = ["RowElasticNet"]


@dataclass(frozen=True)
class RowElasticNet(Penalty):
    r"""The elastic net on the lengths of the rows.

    .. math:: \Omega(W) = \text{strength} \Bigl(\rho \sum_j \|W_j\|_2
              + \tfrac{1 - \rho}{2} \|W\|_F^2\Bigr)
    """

    strength: float = field(default=1.0, metadata={"domain": positive})
    l1_ratio: float = field(default=1.0, metadata={"domain": closed(0, 1)})

    @property
    def quadratic(self) -> float | None:
        return self.strength if self.l1_ratio == 0.0 else None

    @property
    def corner(self) -> float:
        """The longest gradient of a row that still stays at 0."""
        return self.strength * self.l1_ratio

    def value(self, w: Vector) -> float:
        lengths = _lengths(w)
        squares = 0.5 * (1.0 - self.l1_ratio) * float(lengths @ lengths)
        return self.strength * (self.l1_ratio * float(lengths.sum()) + squares)

    def conjugate(self, v: Vector) -> float:
        excess = np.maximum(_lengths(v) - self.corner, 0.0)
        if self.l1_ratio == 1.0:
            return 0.0 if excess.max(initial=0.0) <= 1e-12 * self.strength else np.inf
        return float(excess @ excess) / (2.0 * self.strength * (1.0 - self.l1_ratio))

    def prox(self, w: Vector, step: float) -> Vector:
        lengths = _lengths(w)
        safe = np.where(lengths > 0, lengths, 1.0)
        kept = np.maximum(1.0 - step * self.corner / safe, 0.0)
        kept = kept / (1.0 + step * self.strength * (1.0 - self.l1_ratio))
        return np.asarray((w.T * kept).T)

    def support(self, sizes: Vector, level: float) -> float:
        # ⟨V, W⟩ ≤ Σⱼ ‖Vⱼ‖·‖Wⱼ‖: the lengths of rows are priced as numbers are.
        priced = ElasticNet(self.strength, self.l1_ratio)
        return priced.support(_lengths(sizes), level)

    def dual_scale(self, v: Vector) -> float:
        largest = float(_lengths(v).max(initial=0.0))
        if self.l1_ratio < 1.0 or largest == 0.0:
            return 1.0
        return min(1.0, self.strength / largest)


def _lengths(w: Matrix) -> Vector:
    return np.asarray(np.sqrt(np.square(w.reshape(len(w), -1)).sum(axis=1)))
