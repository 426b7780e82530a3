"""Weighted elastic net: each coefficient has its own price."""

from dataclasses import dataclass, field

from infimum.parameters import closed
from infimum.penalties._weighted import Weighted

__all__ = ["WeightedElasticNet"]


@dataclass(frozen=True)
class WeightedElasticNet(Weighted):
    r"""Elastic net with a weight for each coefficient; 0 leaves one free of charge.

    .. math:: \Omega(w) = \text{strength} \sum_j \omega_j \bigl(
              \rho |w_j| + \tfrac{1 - \rho}2 w_j^2 \bigr)

    ρ is `l1_ratio`; left empty, all weights are 1.
    """

    l1_ratio: float = field(default=0.5, metadata={"domain": closed(0, 1)})

    @property
    def quadratic(self) -> float | None:
        alike = self.l1_ratio == 0.0 and len(set(self.weights)) <= 1
        return float(self.settings[0, 1]) if alike else None

    @property
    def mix(self) -> float:
        return self.l1_ratio
