"""The part of ``sklearn.cluster`` that Infimum offers, under the same names."""

from infimum.models.clustering import (
    DBSCAN,
    HDBSCAN,
    OPTICS,
    AgglomerativeClustering,
    BisectingKMeans,
    KMeans,
    MiniBatchKMeans,
    SpectralClustering,
    cluster_optics_dbscan,
    cluster_optics_xi,
    kmeans_plusplus,
)

__all__ = [
    "DBSCAN",
    "HDBSCAN",
    "OPTICS",
    "AgglomerativeClustering",
    "BisectingKMeans",
    "KMeans",
    "MiniBatchKMeans",
    "SpectralClustering",
    "cluster_optics_dbscan",
    "cluster_optics_xi",
    "kmeans_plusplus",
]
