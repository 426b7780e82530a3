"""Probability laws, their likelihoods and beliefs about them, and what to decide."""

from infimum.distributions._base import Distribution, ExponentialFamily
from infimum.distributions.bernoulli import Bernoulli
from infimum.distributions.beta import Beta
from infimum.distributions.binomial import Binomial
from infimum.distributions.categorical import Categorical
from infimum.distributions.cauchy import Cauchy
from infimum.distributions.conditional_family import (
    ConditionalFamily,
    MAPObjective,
    signed_inputs,
    stacked_inputs,
)
from infimum.distributions.conjugacy import posterior
from infimum.distributions.decision_problem import DecisionProblem, least_cost
from infimum.distributions.gamma import Gamma
from infimum.distributions.grid_posterior import GridPosterior, grid_posterior
from infimum.distributions.joint_table import JointTable
from infimum.distributions.normal import Normal
from infimum.distributions.poisson import Poisson

__all__ = [
    "Bernoulli",
    "Beta",
    "Binomial",
    "Categorical",
    "Cauchy",
    "ConditionalFamily",
    "DecisionProblem",
    "Distribution",
    "ExponentialFamily",
    "Gamma",
    "GridPosterior",
    "JointTable",
    "MAPObjective",
    "Normal",
    "Poisson",
    "grid_posterior",
    "least_cost",
    "posterior",
    "signed_inputs",
    "stacked_inputs",
]
