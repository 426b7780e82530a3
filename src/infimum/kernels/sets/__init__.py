"""Kernels on sets and bags."""

from infimum.kernels.sets.common_subsets import CommonSubsets
from infimum.kernels.sets.intersection import SetIntersection
from infimum.kernels.sets.jaccard import Jaccard
from infimum.kernels.sets.mean_embedding import MeanEmbedding

__all__ = ["CommonSubsets", "Jaccard", "MeanEmbedding", "SetIntersection"]
