"""The whole of ``sklearn.manifold``, under the same names."""

from infimum.dropin._others import theirs
from infimum.models.embedding import (
    MDS,
    TSNE,
    ClassicalMDS,
    Isomap,
    LocallyLinearEmbedding,
    SpectralEmbedding,
    locally_linear_embedding,
    smacof,
    spectral_embedding,
    trustworthiness,
)

__all__ = [
    "MDS",
    "TSNE",
    "ClassicalMDS",
    "Isomap",
    "LocallyLinearEmbedding",
    "SpectralEmbedding",
    "locally_linear_embedding",
    "smacof",
    "spectral_embedding",
    "trustworthiness",
]

__getattr__ = theirs(__name__)
