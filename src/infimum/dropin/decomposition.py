"""The part of ``sklearn.decomposition`` that Infimum offers, under the same names."""

from infimum.models.embedding import PCA, IncrementalPCA, KernelPCA, TruncatedSVD

__all__ = ["PCA", "IncrementalPCA", "KernelPCA", "TruncatedSVD"]
