"""All of ``sklearn.semi_supervised``, under the same names."""

from infimum.models.semi_supervised import (
    LabelPropagation,
    LabelSpreading,
    SelfTrainingClassifier,
)

__all__ = ["LabelPropagation", "LabelSpreading", "SelfTrainingClassifier"]
