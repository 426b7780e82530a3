"""The part of ``sklearn.neighbors`` that Infimum offers, under the same names."""

from infimum.dropin._others import theirs
from infimum.models.density import KernelDensity
from infimum.models.embedding import NeighborhoodComponentsAnalysis
from infimum.models.linear import NearestCentroid
from infimum.models.neighbors import (
    VALID_METRICS,
    VALID_METRICS_SPARSE,
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
    "VALID_METRICS",
    "VALID_METRICS_SPARSE",
    "BallTree",
    "KDTree",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "KNeighborsTransformer",
    "KernelDensity",
    "LocalOutlierFactor",
    "NearestCentroid",
    "NearestNeighbors",
    "NeighborhoodComponentsAnalysis",
    "RadiusNeighborsClassifier",
    "RadiusNeighborsRegressor",
    "RadiusNeighborsTransformer",
    "kneighbors_graph",
    "radius_neighbors_graph",
    "sort_graph_by_row_values",
]

__getattr__ = theirs(__name__)
