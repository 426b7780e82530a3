"""All of ``sklearn.semi_supervised``, under the same names."""

from infimum.dropin._others import theirs
from infimum.models.semi_supervised import (
    LabelPropagation,
    LabelSpreading,
    SelfTrainingClassifier,
)

__all__ = ["LabelPropagation", "LabelSpreading", "SelfTrainingClassifier"]

__getattr__ = theirs(__name__)
