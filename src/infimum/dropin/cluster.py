"""The part of ``sklearn.cluster`` that Infimum offers, under the same names."""

from infimum.models.clustering import (
    DBSCAN,
    HDBSCAN,
    AgglomerativeClustering,
    BisectingKMeans,
    KMeans,
    MiniBatchKMeans,
    SpectralClustering,
    kmeans_plusplus,
)

__all__ = [
    "DBSCAN",
    "HDBSCAN",
    "AgglomerativeClustering",
    "BisectingKMeans",
    "KMeans",
    "MiniBatchKMeans",
    "SpectralClustering",
    "kmeans_plusplus",
]
