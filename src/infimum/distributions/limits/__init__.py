"""Limit theorems one can compute: running means, sums, characteristic functions."""

from infimum.distributions.limits.central_limit import (
    delta_method,
    normal_distance,
    standardised_sums,
)
from infimum.distributions.limits.characteristic import (
    characteristic_of_mean,
    characteristic_of_standardised_sum,
    density_from_characteristic,
    empirical_characteristic,
    fourier_transform,
    inverse_fourier_transform,
    moments_from_characteristic,
)
from infimum.distributions.limits.running_means import (
    RunningMeans,
    empirical_frequencies,
    running_means,
)

__all__ = [
    "RunningMeans",
    "characteristic_of_mean",
    "characteristic_of_standardised_sum",
    "delta_method",
    "density_from_characteristic",
    "empirical_characteristic",
    "empirical_frequencies",
    "fourier_transform",
    "inverse_fourier_transform",
    "moments_from_characteristic",
    "normal_distance",
    "running_means",
    "standardised_sums",
]
