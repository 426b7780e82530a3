"""The part of ``sklearn.neural_network`` that Infimum offers, under the same names."""

from infimum.dropin._others import theirs
from infimum.models.neural import BernoulliRBM, MLPClassifier, MLPRegressor

__all__ = ["BernoulliRBM", "MLPClassifier", "MLPRegressor"]

__getattr__ = theirs(__name__)
