"""Online learners: models that meet rows one by one, with bounds on what they pay."""

from infimum.models.online.multiclass_perceptron import MulticlassPerceptron
from infimum.models.online.passive_aggressive_classifier import (
    PassiveAggressiveClassifier,
)
from infimum.models.online.passive_aggressive_regressor import (
    PassiveAggressiveRegressor,
)
from infimum.models.online.perceptron import Perceptron
from infimum.models.online.sgd_classifier import SGDClassifier
from infimum.models.online.sgd_regressor import SGDRegressor

__all__ = [
    "MulticlassPerceptron",
    "PassiveAggressiveClassifier",
    "PassiveAggressiveRegressor",
    "Perceptron",
    "SGDClassifier",
    "SGDRegressor",
]
