"""Factors of one table, and of two: parts, sources, causes, and what goes together."""

from infimum.models.factors.cca import CCA
from infimum.models.factors.factor_analysis import FactorAnalysis
from infimum.models.factors.fast_ica import FastICA, fastica
from infimum.models.factors.nmf import NMF
from infimum.models.factors.pls_canonical import PLSCanonical
from infimum.models.factors.pls_regression import PLSRegression
from infimum.models.factors.pls_svd import PLSSVD

__all__ = [
    "CCA",
    "NMF",
    "PLSSVD",
    "FactorAnalysis",
    "FastICA",
    "PLSCanonical",
    "PLSRegression",
    "fastica",
]
