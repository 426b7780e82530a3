"""Many classes from two: reductions that work with any classifier."""

from infimum.models.multiclass.one_vs_one_classifier import OneVsOneClassifier
from infimum.models.multiclass.one_vs_rest_classifier import OneVsRestClassifier

__all__ = ["OneVsOneClassifier", "OneVsRestClassifier"]
