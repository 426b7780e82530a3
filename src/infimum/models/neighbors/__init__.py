"""Neighbours: what is close is alike."""

from infimum.models.neighbors.approximate_neighbors import ApproximateNeighbors
from infimum.models.neighbors.ball_tree import BallTree
from infimum.models.neighbors.condense import condense, edit
from infimum.models.neighbors.k_neighbors_classifier import KNeighborsClassifier
from infimum.models.neighbors.k_neighbors_regressor import KNeighborsRegressor
from infimum.models.neighbors.k_neighbors_transformer import KNeighborsTransformer
from infimum.models.neighbors.kd_tree import KDTree
from infimum.models.neighbors.local_outlier_factor import LocalOutlierFactor
from infimum.models.neighbors.nearest_neighbors import NearestNeighbors
from infimum.models.neighbors.neighbor_error import NeighborError, neighbor_error
from infimum.models.neighbors.neighbor_graphs import (
    kneighbors_graph,
    radius_neighbors_graph,
)
from infimum.models.neighbors.parzen_window_classifier import ParzenWindowClassifier
from infimum.models.neighbors.parzen_window_regressor import ParzenWindowRegressor
from infimum.models.neighbors.radius_neighbors_classifier import (
    RadiusNeighborsClassifier,
)
from infimum.models.neighbors.radius_neighbors_regressor import RadiusNeighborsRegressor
from infimum.models.neighbors.radius_neighbors_transformer import (
    RadiusNeighborsTransformer,
)
from infimum.models.neighbors.sort_graph import sort_graph_by_row_values
from infimum.models.neighbors.suggest_n_neighbors import suggest_n_neighbors
from infimum.models.neighbors.tie_warning import TieWarning
from infimum.models.neighbors.valid_metrics import VALID_METRICS, VALID_METRICS_SPARSE

__all__ = [
    "VALID_METRICS",
    "VALID_METRICS_SPARSE",
    "ApproximateNeighbors",
    "BallTree",
    "KDTree",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "KNeighborsTransformer",
    "LocalOutlierFactor",
    "NearestNeighbors",
    "NeighborError",
    "ParzenWindowClassifier",
    "ParzenWindowRegressor",
    "RadiusNeighborsClassifier",
    "RadiusNeighborsRegressor",
    "RadiusNeighborsTransformer",
    "TieWarning",
    "condense",
    "edit",
    "kneighbors_graph",
    "neighbor_error",
    "radius_neighbors_graph",
    "sort_graph_by_row_values",
    "suggest_n_neighbors",
]
