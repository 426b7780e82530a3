"""Clustering: which samples belong together."""

from infimum.models.clustering.agglomerative_clustering import AgglomerativeClustering
from infimum.models.clustering.dbscan import DBSCAN
from infimum.models.clustering.dendrogram import Dendrogram
from infimum.models.clustering.gaussian_mixture import GaussianMixture
from infimum.models.clustering.k_means import KMeans
from infimum.models.clustering.k_means_lower_bound import k_means_lower_bound
from infimum.models.clustering.kmeans_plusplus import kmeans_plusplus
from infimum.models.clustering.linkage import linkage
from infimum.models.clustering.spectral_clustering import SpectralClustering

__all__ = [
    "DBSCAN",
    "AgglomerativeClustering",
    "Dendrogram",
    "GaussianMixture",
    "KMeans",
    "SpectralClustering",
    "k_means_lower_bound",
    "kmeans_plusplus",
    "linkage",
]
