"""Clustering: which samples belong together."""

from infimum.models.clustering.agglomerative_clustering import AgglomerativeClustering
from infimum.models.clustering.dendrogram import Dendrogram
from infimum.models.clustering.linkage import linkage

__all__ = [
    "AgglomerativeClustering",
    "Dendrogram",
    "linkage",
]
