"""The part of ``sklearn.discriminant_analysis`` that Infimum offers."""

from infimum.dropin._others import theirs
from infimum.models.probabilistic import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)

__all__ = ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"]

__getattr__ = theirs(__name__)
