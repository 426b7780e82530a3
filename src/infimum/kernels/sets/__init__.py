"""Kernels on sets and bags."""

from typing import TYPE_CHECKING

from infimum.lazy import load_on_demand

if TYPE_CHECKING:
    from infimum.kernels.sets.common_subsets import CommonSubsets
    from infimum.kernels.sets.intersection import SetIntersection
    from infimum.kernels.sets.jaccard import Jaccard
    from infimum.kernels.sets.mean_embedding import MeanEmbedding


__all__ = ["CommonSubsets", "Jaccard", "MeanEmbedding", "SetIntersection"]

if not TYPE_CHECKING:
    __getattr__ = load_on_demand(__name__)
