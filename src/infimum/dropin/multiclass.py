"""The part of ``sklearn.multiclass`` that Infimum offers, under the same names."""

from infimum.models.multiclass import OneVsOneClassifier, OneVsRestClassifier

__all__ = ["OneVsOneClassifier", "OneVsRestClassifier"]
