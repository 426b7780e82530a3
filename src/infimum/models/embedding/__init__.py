"""Maps from many dimensions to few that keep what matters."""

from infimum.models.embedding.classical_mds import ClassicalMDS
from infimum.models.embedding.distance_geometry import (
    estimate_dimension,
    gram_from_distances,
    is_euclidean,
)
from infimum.models.embedding.distortion import Distortion, measure_distortion
from infimum.models.embedding.embed_triplets import (
    TripletEmbedding,
    draw_triplets,
    embed_triplets,
)
from infimum.models.embedding.find_projection import FoundProjection, find_projection
from infimum.models.embedding.gaussian_random_projection import GaussianRandomProjection
from infimum.models.embedding.incremental_pca import IncrementalPCA
from infimum.models.embedding.isomap import Isomap
from infimum.models.embedding.johnson_lindenstrauss import (
    johnson_lindenstrauss_min_dim,
    length_tail_bound,
    projection_dimension,
    subspace_tail_bound,
)
from infimum.models.embedding.kernel_pca import KernelPCA
from infimum.models.embedding.locally_linear_embedding import (
    LocallyLinearEmbedding,
    locally_linear_embedding,
)
from infimum.models.embedding.mds import MDS
from infimum.models.embedding.neighborhood_components_analysis import (
    NeighborhoodComponentsAnalysis,
)
from infimum.models.embedding.pca import PCA
from infimum.models.embedding.plot_map import plot_map
from infimum.models.embedding.quality import (
    EmbeddingQuality,
    embedding_quality,
    trustworthiness,
)
from infimum.models.embedding.sample_sphere import sample_sphere
from infimum.models.embedding.sign_random_projection import SignRandomProjection
from infimum.models.embedding.smacof import smacof
from infimum.models.embedding.sne import SNE
from infimum.models.embedding.sparse_random_projection import SparseRandomProjection
from infimum.models.embedding.spectral_embedding import (
    SpectralEmbedding,
    spectral_embedding,
)
from infimum.models.embedding.stress import descend_stress, stress, stress_gradient
from infimum.models.embedding.subspace_random_projection import SubspaceRandomProjection
from infimum.models.embedding.truncated_svd import TruncatedSVD
from infimum.models.embedding.tsne import TSNE

__all__ = [
    "MDS",
    "PCA",
    "SNE",
    "TSNE",
    "ClassicalMDS",
    "Distortion",
    "EmbeddingQuality",
    "FoundProjection",
    "GaussianRandomProjection",
    "IncrementalPCA",
    "Isomap",
    "KernelPCA",
    "LocallyLinearEmbedding",
    "NeighborhoodComponentsAnalysis",
    "SignRandomProjection",
    "SparseRandomProjection",
    "SpectralEmbedding",
    "SubspaceRandomProjection",
    "TripletEmbedding",
    "TruncatedSVD",
    "descend_stress",
    "draw_triplets",
    "embed_triplets",
    "embedding_quality",
    "estimate_dimension",
    "find_projection",
    "gram_from_distances",
    "is_euclidean",
    "johnson_lindenstrauss_min_dim",
    "length_tail_bound",
    "locally_linear_embedding",
    "measure_distortion",
    "plot_map",
    "projection_dimension",
    "sample_sphere",
    "smacof",
    "spectral_embedding",
    "stress",
    "stress_gradient",
    "subspace_tail_bound",
    "trustworthiness",
]
