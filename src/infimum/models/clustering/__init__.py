"""Clustering: which samples belong together."""

from infimum.models.clustering.affinity_propagation import AffinityPropagation
from infimum.models.clustering.by_density.dbscan import DBSCAN
from infimum.models.clustering.by_density.hdbscan import HDBSCAN
from infimum.models.clustering.by_density.level_set_clustering import LevelSetClustering
from infimum.models.clustering.by_density.mean_shift import MeanShift
from infimum.models.clustering.by_density.mean_shift_seeds import (
    estimate_bandwidth,
    get_bin_seeds,
)
from infimum.models.clustering.by_density.optics import OPTICS
from infimum.models.clustering.by_density.optics_clusters import (
    cluster_optics_dbscan,
    cluster_optics_xi,
)
from infimum.models.clustering.centres.bisecting_k_means import BisectingKMeans
from infimum.models.clustering.centres.k_means import KMeans
from infimum.models.clustering.centres.k_means_lower_bound import k_means_lower_bound
from infimum.models.clustering.centres.k_means_steps import KMeansSteps, k_means_steps
from infimum.models.clustering.centres.k_medians import KMedians
from infimum.models.clustering.centres.k_medoids import KMedoids
from infimum.models.clustering.centres.kmeans_plusplus import kmeans_plusplus
from infimum.models.clustering.centres.mini_batch_k_means import MiniBatchKMeans
from infimum.models.clustering.centres.soft_k_means import SoftKMeans
from infimum.models.clustering.centres.spherical_k_means import SphericalKMeans
from infimum.models.clustering.choose_n_clusters import (
    ClusterCount,
    choose_n_clusters,
    elbow,
)
from infimum.models.clustering.cluster_pictures import plot_clusters, plot_silhouettes
from infimum.models.clustering.clustering_stability import clustering_stability
from infimum.models.clustering.gap_statistic import GapStatistic, gap_statistic
from infimum.models.clustering.hierarchy.agglomerative_clustering import (
    AgglomerativeClustering,
)
from infimum.models.clustering.hierarchy.birch import Birch
from infimum.models.clustering.hierarchy.dendrogram import Dendrogram
from infimum.models.clustering.hierarchy.feature_agglomeration import (
    FeatureAgglomeration,
)
from infimum.models.clustering.hierarchy.linkage_tree import linkage
from infimum.models.clustering.mixtures.bayesian_gaussian_mixture import (
    BayesianGaussianMixture,
)
from infimum.models.clustering.mixtures.gaussian_mixture import GaussianMixture
from infimum.models.clustering.silhouette import silhouette_samples, silhouette_score
from infimum.models.clustering.spectral.spectral_biclustering import (
    SpectralBiclustering,
)
from infimum.models.clustering.spectral.spectral_clustering import SpectralClustering
from infimum.models.clustering.spectral.spectral_coclustering import (
    SpectralCoclustering,
)
from infimum.models.clustering.within_between import pairwise_cost, within_between_ratio

__all__ = [
    "DBSCAN",
    "HDBSCAN",
    "OPTICS",
    "AffinityPropagation",
    "AgglomerativeClustering",
    "BayesianGaussianMixture",
    "Birch",
    "BisectingKMeans",
    "ClusterCount",
    "Dendrogram",
    "FeatureAgglomeration",
    "GapStatistic",
    "GaussianMixture",
    "KMeans",
    "KMeansSteps",
    "KMedians",
    "KMedoids",
    "LevelSetClustering",
    "MeanShift",
    "MiniBatchKMeans",
    "SoftKMeans",
    "SpectralBiclustering",
    "SpectralClustering",
    "SpectralCoclustering",
    "SphericalKMeans",
    "choose_n_clusters",
    "cluster_optics_dbscan",
    "cluster_optics_xi",
    "clustering_stability",
    "elbow",
    "estimate_bandwidth",
    "gap_statistic",
    "get_bin_seeds",
    "k_means_lower_bound",
    "k_means_steps",
    "kmeans_plusplus",
    "linkage",
    "pairwise_cost",
    "plot_clusters",
    "plot_silhouettes",
    "silhouette_samples",
    "silhouette_score",
    "within_between_ratio",
]
