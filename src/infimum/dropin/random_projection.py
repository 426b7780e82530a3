"""The whole of ``sklearn.random_projection``, under the same names."""

from infimum.dropin._others import theirs
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

__getattr__ = theirs(__name__)
