"""All of ``sklearn.cluster``, under the same names."""

from infimum.dropin._cluster_functions import (
    affinity_propagation,
    compute_optics_graph,
    dbscan,
    k_means,
    mean_shift,
    spectral_clustering,
)
from infimum.dropin._linkage_functions import linkage_tree, ward_tree
from infimum.dropin._others import theirs
from infimum.models.clustering import (
    DBSCAN,
    HDBSCAN,
    OPTICS,
    AffinityPropagation,
    AgglomerativeClustering,
    Birch,
    BisectingKMeans,
    FeatureAgglomeration,
    KMeans,
    MeanShift,
    MiniBatchKMeans,
    SpectralBiclustering,
    SpectralClustering,
    SpectralCoclustering,
    cluster_optics_dbscan,
    cluster_optics_xi,
    estimate_bandwidth,
    get_bin_seeds,
    kmeans_plusplus,
)

__all__ = [
    "DBSCAN",
    "HDBSCAN",
    "OPTICS",
    "AffinityPropagation",
    "AgglomerativeClustering",
    "Birch",
    "BisectingKMeans",
    "FeatureAgglomeration",
    "KMeans",
    "MeanShift",
    "MiniBatchKMeans",
    "SpectralBiclustering",
    "SpectralClustering",
    "SpectralCoclustering",
    "affinity_propagation",
    "cluster_optics_dbscan",
    "cluster_optics_xi",
    "compute_optics_graph",
    "dbscan",
    "estimate_bandwidth",
    "get_bin_seeds",
    "k_means",
    "kmeans_plusplus",
    "linkage_tree",
    "mean_shift",
    "spectral_clustering",
    "ward_tree",
]

__getattr__ = theirs(__name__)
