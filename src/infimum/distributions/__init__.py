"""Probability laws: densities, likelihoods, moments, and what to decide."""

from typing import TYPE_CHECKING

from infimum.distributions._distribution import Distribution
from infimum.distributions.bernoulli import Bernoulli
from infimum.distributions.beta import Beta
from infimum.distributions.beta_binomial import BetaBinomial
from infimum.distributions.binomial import Binomial
from infimum.distributions.categorical import Categorical
from infimum.distributions.cauchy import Cauchy
from infimum.distributions.dirichlet import Dirichlet
from infimum.distributions.dirichlet_multinomial import DirichletMultinomial
from infimum.distributions.discrete import Discrete
from infimum.distributions.exponential import Exponential
from infimum.distributions.exponential_family import ExponentialFamily
from infimum.distributions.gamma import Gamma
from infimum.distributions.geometric import Geometric
from infimum.distributions.hypergeometric import Hypergeometric
from infimum.distributions.inference.conjugate_prior import ConjugatePrior
from infimum.distributions.inference.decision_problem import DecisionProblem, least_cost
from infimum.distributions.inference.efficiency import (
    EstimatorStudy,
    asymptotic_interval,
    efficiency,
    study_estimator,
)
from infimum.distributions.inference.map_estimate import (
    MAPEstimate,
    PenalisedLikelihood,
    map_estimate,
)
from infimum.distributions.inverse_chi_squared import InverseChiSquared
from infimum.distributions.inverse_gaussian import InverseGaussian
from infimum.distributions.laplace import Laplace
from infimum.distributions.log_series import LogSeries
from infimum.distributions.logistic import Logistic
from infimum.distributions.mixture import Mixture
from infimum.distributions.mixture_fit import MixtureFit, fit_mixture
from infimum.distributions.moments import (
    SampleMoments,
    best_linear_predictor,
    sample_moments,
)
from infimum.distributions.multivariate_normal import MultivariateNormal
from infimum.distributions.negative_binomial import NegativeBinomial
from infimum.distributions.normal import Normal
from infimum.distributions.numerical_family import NumericalFamily, maximum_entropy
from infimum.distributions.poisson import Poisson
from infimum.distributions.student_t import StudentT
from infimum.distributions.sum import Sum
from infimum.distributions.transformed import Maximum, Transformed
from infimum.distributions.uniform import Uniform
from infimum.distributions.unigram import Unigram
from infimum.distributions.wishart import Wishart
from infimum.moved import found_elsewhere

__all__ = [
    "Bernoulli",
    "Beta",
    "BetaBinomial",
    "Binomial",
    "Categorical",
    "Cauchy",
    "ConjugatePrior",
    "DecisionProblem",
    "Dirichlet",
    "DirichletMultinomial",
    "Discrete",
    "Distribution",
    "EstimatorStudy",
    "Exponential",
    "ExponentialFamily",
    "Gamma",
    "Geometric",
    "Hypergeometric",
    "InverseChiSquared",
    "InverseGaussian",
    "Laplace",
    "LogSeries",
    "Logistic",
    "MAPEstimate",
    "Maximum",
    "Mixture",
    "MixtureFit",
    "MultivariateNormal",
    "NegativeBinomial",
    "Normal",
    "NumericalFamily",
    "PenalisedLikelihood",
    "Poisson",
    "SampleMoments",
    "StudentT",
    "Sum",
    "Transformed",
    "Uniform",
    "Unigram",
    "Wishart",
    "asymptotic_interval",
    "best_linear_predictor",
    "efficiency",
    "fit_mixture",
    "least_cost",
    "map_estimate",
    "maximum_entropy",
    "sample_moments",
    "study_estimator",
]

if not TYPE_CHECKING:
    __getattr__ = found_elsewhere(__name__)
