"""Weighted ridge: each coefficient has its own price per squared unit."""

from dataclasses import dataclass

from infimum.penalties._weighted import Weighted

__all__ = ["WeightedRidge"]


@dataclass(frozen=True)
class WeightedRidge(Weighted):
    r"""Ridge penalty with a weight for each coefficient; 0 leaves one free of charge.

    .. math:: \Omega(w) = \tfrac{\text{strength}}2 \sum_j \omega_j w_j^2

    The negative logarithm of a Gaussian prior with a variance for each coefficient.
    Left empty, all weights are 1, which is ridge.
    """

    @property
    def quadratic(self) -> float | None:
        alike = len(set(self.weights)) <= 1
        return float(self.settings[0, 1]) if alike else None

    @property
    def mix(self) -> float:
        return 0.0
