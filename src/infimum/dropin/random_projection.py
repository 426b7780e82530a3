"""The part of ``sklearn.random_projection`` that Infimum offers, by the same names."""

from infimum.models.embedding import (
    GaussianRandomProjection,
    SparseRandomProjection,
    johnson_lindenstrauss_min_dim,
)

__all__ = [
    "GaussianRandomProjection",
    "SparseRandomProjection",
    "johnson_lindenstrauss_min_dim",
]
