"""The part of ``sklearn.cluster`` that Infimum offers, under the same names."""

from infimum.models.clustering import (
    DBSCAN,
    AgglomerativeClustering,
    BisectingKMeans,
    KMeans,
    MiniBatchKMeans,
    SpectralClustering,
    kmeans_plusplus,
)

__all__ = [
    "DBSCAN",
    "AgglomerativeClustering",
    "BisectingKMeans",
    "KMeans",
    "MiniBatchKMeans",
    "SpectralClustering",
    "kmeans_plusplus",
]
