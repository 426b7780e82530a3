"""The slopes that prove most, of all that a method has held so far."""

from __future__ import annotations

import numpy as np

from infimum.certificates import lower_bound
from infimum.objectives import LinearRisk
from infimum.typing import Vector

__all__ = ["BestSlopes"]


class BestSlopes:
    """A mean of the subgradients met; remembers where it proved most.

    A mix of subgradients is dual-feasible wherever each of them is, and on the way
    down the mix approaches the dual solution; but not steadily.
    """

    def __init__(self, risk: LinearRisk, first: Vector) -> None:
        self.risk, self.mean = risk, np.array(first, dtype=np.float64)
        self.best, self.bound = self.mean.copy(), -np.inf

    def mix(self, slopes: Vector, share: float) -> None:
        """Let new slopes make up a share of the mean."""
        self.mean += share * (slopes - self.mean)

    def proof(self) -> Vector:
        """Return the slopes with the highest bound among those asked for so far."""
        bound = lower_bound(self.risk, self.mean)
        if bound > self.bound:
            self.best, self.bound = self.mean.copy(), bound
        return self.best
