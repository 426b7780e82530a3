"""Novelty: what is unlike everything seen before."""

from infimum.models.novelty.one_class_svm import OneClassSVM
from infimum.models.novelty.support_vector_data_description import (
    SupportVectorDataDescription,
)

__all__ = ["OneClassSVM", "SupportVectorDataDescription"]
