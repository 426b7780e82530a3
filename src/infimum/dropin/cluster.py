"""The part of ``sklearn.cluster`` that Infimum offers, under the same names."""

from infimum.models.clustering import (
    DBSCAN,
    AgglomerativeClustering,
    KMeans,
    SpectralClustering,
    kmeans_plusplus,
)

__all__ = [
    "DBSCAN",
    "AgglomerativeClustering",
    "KMeans",
    "SpectralClustering",
    "kmeans_plusplus",
]
