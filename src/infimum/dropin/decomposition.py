"""The part of ``sklearn.decomposition`` that Infimum offers, under the same names."""

from infimum.dropin._others import theirs
from infimum.models.embedding import PCA, IncrementalPCA, KernelPCA, TruncatedSVD
from infimum.models.factors import (
    NMF,
    DictionaryLearning,
    FactorAnalysis,
    FastICA,
    MiniBatchNMF,
    SparseCoder,
    SparsePCA,
    fastica,
    sparse_encode,
)

__all__ = [
    "NMF",
    "PCA",
    "DictionaryLearning",
    "FactorAnalysis",
    "FastICA",
    "IncrementalPCA",
    "KernelPCA",
    "MiniBatchNMF",
    "SparseCoder",
    "SparsePCA",
    "TruncatedSVD",
    "fastica",
    "sparse_encode",
]

__getattr__ = theirs(__name__)
