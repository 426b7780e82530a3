"""Density: where samples are likely, and where they are not."""

from infimum.models.density.bandwidth_choice import BandwidthChoice, choose_bandwidth
from infimum.models.density.kernel_density import KernelDensity

__all__ = ["BandwidthChoice", "KernelDensity", "choose_bandwidth"]
