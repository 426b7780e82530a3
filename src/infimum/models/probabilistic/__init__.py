"""Classifiers that model probabilities first and decide afterwards."""

from infimum.models.probabilistic.bayes_decision import BayesDecisionClassifier
from infimum.models.probabilistic.bernoulli_nb import BernoulliNB
from infimum.models.probabilistic.categorical_nb import CategoricalNB
from infimum.models.probabilistic.complement_nb import ComplementNB
from infimum.models.probabilistic.gaussian_nb import GaussianNB
from infimum.models.probabilistic.multinomial_nb import MultinomialNB
from infimum.models.probabilistic.plug_in import PlugInClassifier

__all__ = [
    "BayesDecisionClassifier",
    "BernoulliNB",
    "CategoricalNB",
    "ComplementNB",
    "GaussianNB",
    "MultinomialNB",
    "PlugInClassifier",
]
