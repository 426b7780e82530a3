"""Classifiers that model probabilities first and decide afterwards."""

from infimum.models.probabilistic.bayes_decision import BayesDecisionClassifier
from infimum.models.probabilistic.plug_in import PlugInClassifier

__all__ = ["BayesDecisionClassifier", "PlugInClassifier"]
