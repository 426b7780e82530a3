"""The part of ``sklearn.svm`` that Infimum offers, under the same names."""

from infimum.models.linear import LinearSVC, LinearSVR

__all__ = ["LinearSVC", "LinearSVR"]
