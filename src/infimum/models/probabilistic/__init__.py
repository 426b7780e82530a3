"""Classifiers that model probabilities first and decide afterwards."""

from infimum.models.probabilistic.bayes_decision import BayesDecisionClassifier
from infimum.models.probabilistic.bayesian_linear_regression import (
    BayesianLinearRegression,
)
from infimum.models.probabilistic.bayesian_logistic_regression import (
    BayesianLogisticRegression,
)
from infimum.models.probabilistic.bernoulli_nb import BernoulliNB
from infimum.models.probabilistic.categorical_nb import CategoricalNB
from infimum.models.probabilistic.complement_nb import ComplementNB
from infimum.models.probabilistic.fisher_discriminant import (
    FisherDiscriminant,
    fisher_criterion,
    scatter_matrices,
)
from infimum.models.probabilistic.gaussian_nb import GaussianNB
from infimum.models.probabilistic.linear_discriminant_analysis import (
    LinearDiscriminantAnalysis,
)
from infimum.models.probabilistic.multinomial_nb import MultinomialNB
from infimum.models.probabilistic.plug_in import PlugInClassifier
from infimum.models.probabilistic.quadratic_discriminant_analysis import (
    QuadraticDiscriminantAnalysis,
)

__all__ = [
    "BayesDecisionClassifier",
    "BayesianLinearRegression",
    "BayesianLogisticRegression",
    "BernoulliNB",
    "CategoricalNB",
    "ComplementNB",
    "FisherDiscriminant",
    "GaussianNB",
    "LinearDiscriminantAnalysis",
    "MultinomialNB",
    "PlugInClassifier",
    "QuadraticDiscriminantAnalysis",
    "fisher_criterion",
    "scatter_matrices",
]
