"""Maps from many dimensions to few that keep what matters."""

from infimum.models.embedding.axes.incremental_pca import IncrementalPCA
from infimum.models.embedding.axes.kernel_pca import KernelPCA
from infimum.models.embedding.axes.pca import PCA
from infimum.models.embedding.axes.truncated_svd import TruncatedSVD
from infimum.models.embedding.distortion import Distortion, measure_distortion
from infimum.models.embedding.manifolds.isomap import Isomap
from infimum.models.embedding.manifolds.locally_linear_embedding import (
    LocallyLinearEmbedding,
    locally_linear_embedding,
)
from infimum.models.embedding.manifolds.spectral_embedding import (
    SpectralEmbedding,
    spectral_embedding,
)
from infimum.models.embedding.neighbor_maps.sne import SNE
from infimum.models.embedding.neighbor_maps.tsne import TSNE
from infimum.models.embedding.neighborhood_components_analysis import (
    NeighborhoodComponentsAnalysis,
)
from infimum.models.embedding.plot_map import plot_map
from infimum.models.embedding.quality import (
    EmbeddingQuality,
    embedding_quality,
    trustworthiness,
)
from infimum.models.embedding.random_projections.find_projection import (
    FoundProjection,
    find_projection,
)
from infimum.models.embedding.random_projections.gaussian_random_projection import (
    GaussianRandomProjection,
)
from infimum.models.embedding.random_projections.johnson_lindenstrauss import (
    johnson_lindenstrauss_min_dim,
    length_tail_bound,
    projection_dimension,
    subspace_tail_bound,
)
from infimum.models.embedding.random_projections.sample_sphere import sample_sphere
from infimum.models.embedding.random_projections.sign_random_projection import (
    SignRandomProjection,
)
from infimum.models.embedding.random_projections.sparse_random_projection import (
    SparseRandomProjection,
)
from infimum.models.embedding.random_projections.subspace_random_projection import (
    SubspaceRandomProjection,
)
from infimum.models.embedding.scaling.classical_mds import ClassicalMDS
from infimum.models.embedding.scaling.distance_geometry import (
    estimate_dimension,
    gram_from_distances,
    is_euclidean,
)
from infimum.models.embedding.scaling.embed_triplets import (
    TripletEmbedding,
    draw_triplets,
    embed_triplets,
)
from infimum.models.embedding.scaling.mds import MDS
from infimum.models.embedding.scaling.smacof import smacof
from infimum.models.embedding.scaling.stress import (
    descend_stress,
    stress,
    stress_gradient,
)

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
