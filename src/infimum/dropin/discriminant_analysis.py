"""The part of ``sklearn.discriminant_analysis`` that Infimum offers."""

from infimum.models.probabilistic import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)

__all__ = ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"]
