"""Factors of one table, and of two: parts, sources, causes, and what goes together."""

from infimum.models.factors.cca import CCA
from infimum.models.factors.dictionary_learning import DictionaryLearning
from infimum.models.factors.factor_analysis import FactorAnalysis
from infimum.models.factors.fast_ica import FastICA, fastica
from infimum.models.factors.mini_batch_nmf import MiniBatchNMF
from infimum.models.factors.nmf import NMF
from infimum.models.factors.pls_canonical import PLSCanonical
from infimum.models.factors.pls_regression import PLSRegression
from infimum.models.factors.pls_svd import PLSSVD
from infimum.models.factors.sparse_coder import SparseCoder
from infimum.models.factors.sparse_encode import sparse_encode
from infimum.models.factors.sparse_pca import SparsePCA

__all__ = [
    "CCA",
    "NMF",
    "PLSSVD",
    "DictionaryLearning",
    "FactorAnalysis",
    "FastICA",
    "MiniBatchNMF",
    "PLSCanonical",
    "PLSRegression",
    "SparseCoder",
    "SparsePCA",
    "fastica",
    "sparse_encode",
]
