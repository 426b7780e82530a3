"""Generators one studies: congruential numbers, and normal values in three ways."""

from infimum.study.sampling.congruential import Congruential
from infimum.study.sampling.normal_values import (
    box_muller,
    laplace_rejection,
    rational_normal_quantile,
)

__all__ = [
    "Congruential",
    "box_muller",
    "laplace_rejection",
    "rational_normal_quantile",
]
