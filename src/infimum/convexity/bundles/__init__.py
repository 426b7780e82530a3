"""Bundle methods: tangent planes from below, with a reason not to go too far."""

from infimum.convexity.bundles.level_bundle import LevelBundle
from infimum.convexity.bundles.proximal_bundle import ProximalBundle
from infimum.convexity.bundles.trust_region_bundle import TrustRegionBundle

__all__ = ["LevelBundle", "ProximalBundle", "TrustRegionBundle"]
