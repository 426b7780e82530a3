"""Bundle methods: tangent planes from below, with a reason not to go too far."""

from infimum.study.convexity.bundles.level_bundle import LevelBundle
from infimum.study.convexity.bundles.proximal_bundle import ProximalBundle
from infimum.study.convexity.bundles.trust_region_bundle import TrustRegionBundle

__all__ = ["LevelBundle", "ProximalBundle", "TrustRegionBundle"]
