"""Novelty: what is unlike everything seen before."""

from infimum.models.novelty.conformal_detector import ConformalDetector
from infimum.models.novelty.gaussian_detector import GaussianDetector
from infimum.models.novelty.isolation_forest import IsolationForest
from infimum.models.novelty.neighbor_distance_detector import (
    NeighborDistanceDetector,
)
from infimum.models.novelty.one_class_svm import OneClassSVM
from infimum.models.novelty.support_vector_data_description import (
    SupportVectorDataDescription,
)

__all__ = [
    "ConformalDetector",
    "GaussianDetector",
    "IsolationForest",
    "NeighborDistanceDetector",
    "OneClassSVM",
    "SupportVectorDataDescription",
]
