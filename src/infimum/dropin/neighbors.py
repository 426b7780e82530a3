"""The part of ``sklearn.neighbors`` that Infimum offers, under the same names."""

from infimum.models.density import KernelDensity
from infimum.models.linear import NearestCentroid
from infimum.models.neighbors import (
    KNeighborsClassifier,
    KNeighborsRegressor,
    NearestNeighbors,
    RadiusNeighborsClassifier,
    RadiusNeighborsRegressor,
)

__all__ = [
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "KernelDensity",
    "NearestCentroid",
    "NearestNeighbors",
    "RadiusNeighborsClassifier",
    "RadiusNeighborsRegressor",
]
