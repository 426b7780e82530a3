"""The part of ``sklearn.decomposition`` that Infimum offers, under the same names."""

from infimum.dropin._others import theirs
from infimum.models.embedding import PCA, IncrementalPCA, KernelPCA, TruncatedSVD
from infimum.models.factors import NMF, FactorAnalysis, FastICA, fastica

__all__ = [
    "NMF",
    "PCA",
    "FactorAnalysis",
    "FastICA",
    "IncrementalPCA",
    "KernelPCA",
    "TruncatedSVD",
    "fastica",
]

__getattr__ = theirs(__name__)
