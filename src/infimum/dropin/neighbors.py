"""The part of ``sklearn.neighbors`` that Infimum offers, under the same names."""

from infimum.models.density import KernelDensity
from infimum.models.linear import NearestCentroid
from infimum.models.neighbors import (
    BallTree,
    KDTree,
    KNeighborsClassifier,
    KNeighborsRegressor,
    KNeighborsTransformer,
    LocalOutlierFactor,
    NearestNeighbors,
    RadiusNeighborsClassifier,
    RadiusNeighborsRegressor,
    RadiusNeighborsTransformer,
    kneighbors_graph,
    radius_neighbors_graph,
    sort_graph_by_row_values,
)

__all__ = [
    "BallTree",
    "KDTree",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "KNeighborsTransformer",
    "KernelDensity",
    "LocalOutlierFactor",
    "NearestCentroid",
    "NearestNeighbors",
    "RadiusNeighborsClassifier",
    "RadiusNeighborsRegressor",
    "RadiusNeighborsTransformer",
    "kneighbors_graph",
    "radius_neighbors_graph",
    "sort_graph_by_row_values",
]
