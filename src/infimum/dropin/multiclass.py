"""The part of ``sklearn.multiclass`` that Infimum offers, under the same names."""

from infimum.dropin._others import theirs
from infimum.models.multiclass import OneVsOneClassifier, OneVsRestClassifier

__all__ = ["OneVsOneClassifier", "OneVsRestClassifier"]

__getattr__ = theirs(__name__)
