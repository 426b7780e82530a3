"""Density: where samples are likely, and where they are not."""

from infimum.models.density.bandwidth_choice import BandwidthChoice, choose_bandwidth
from infimum.models.density.conditional_density import ConditionalDensity
from infimum.models.density.density_detector import DensityDetector
from infimum.models.density.discrete_density import DiscreteDensity
from infimum.models.density.histogram_density import HistogramDensity
from infimum.models.density.information import (
    discrete_mutual_information,
    entropy,
    mutual_information,
)
from infimum.models.density.kernel_density import KernelDensity

__all__ = [
    "BandwidthChoice",
    "ConditionalDensity",
    "DensityDetector",
    "DiscreteDensity",
    "HistogramDensity",
    "KernelDensity",
    "choose_bandwidth",
    "discrete_mutual_information",
    "entropy",
    "mutual_information",
]
