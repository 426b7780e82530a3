"""The part of ``sklearn.svm`` that Infimum offers, under the same names."""

from infimum.dropin._others import theirs
from infimum.models.kernel import SVC, SVR, NuSVC, NuSVR
from infimum.models.linear import LinearSVC, LinearSVR, l1_min_c
from infimum.models.novelty import OneClassSVM

__all__ = [
    "SVC",
    "SVR",
    "LinearSVC",
    "LinearSVR",
    "NuSVC",
    "NuSVR",
    "OneClassSVM",
    "l1_min_c",
]

__getattr__ = theirs(__name__)
