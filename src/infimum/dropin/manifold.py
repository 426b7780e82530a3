"""The part of ``sklearn.manifold`` that Infimum offers, under the same names."""

from infimum.models.embedding import TSNE

__all__ = ["TSNE"]
