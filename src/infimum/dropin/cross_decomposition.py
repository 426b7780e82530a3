"""The part of ``sklearn.cross_decomposition`` that Infimum offers, by its names."""

from infimum.dropin._others import theirs
from infimum.models.factors import CCA, PLSSVD, PLSCanonical, PLSRegression

__all__ = ["CCA", "PLSSVD", "PLSCanonical", "PLSRegression"]

__getattr__ = theirs(__name__)
