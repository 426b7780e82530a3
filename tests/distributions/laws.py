"""One case of every exported law, and where an independent program knows it."""

import inspect

import numpy as np
import pytest
from scipy import stats

from infimum import distributions
from infimum.distributions import (
    Bernoulli,
    Beta,
    BetaBinomial,
    Binomial,
    Categorical,
    Cauchy,
    Dirichlet,
    DirichletMultinomial,
    Discrete,
    Distribution,
    Exponential,
    Gamma,
    Geometric,
    Hypergeometric,
    InverseChiSquared,
    InverseGaussian,
    Laplace,
    Logistic,
    LogSeries,
    Maximum,
    Mixture,
    MultivariateNormal,
    NegativeBinomial,
    Normal,
    Poisson,
    StudentT,
    Sum,
    Transformed,
    Uniform,
    Wishart,
)

FACES = stats.rv_discrete(values=([0, 1, 2], [0.2, 0.5, 0.3]))
MATRIX = np.array([[2.0, 0.3, -0.2], [0.3, 1.0, 0.1], [-0.2, 0.1, 0.7]])
SCALARS = [
    (Bernoulli(0.3), stats.bernoulli(0.3)),
    (Beta(2.5, 0.7), stats.beta(2.5, 0.7)),
    (BetaBinomial(0.8, 2.1, 9), stats.betabinom(9, 0.8, 2.1)),
    (Binomial(0.4, 7), stats.binom(7, 0.4)),
    (Categorical((0.2, 0.5, 0.3)), FACES),
    (Cauchy(1.0, 2.0), stats.cauchy(1.0, 2.0)),
    (Discrete((0.0, 1.0, 2.0), (0.2, 0.5, 0.3)), FACES),
    (Exponential(1.7), stats.expon(scale=1 / 1.7)),
    (Gamma(1.7, 2.2), stats.gamma(a=1.7, scale=2.2)),
    (Geometric(0.3), stats.geom(0.3, loc=-1)),
    (Hypergeometric(20, 7, 12), stats.hypergeom(20, 7, 12)),
    (InverseChiSquared(9.0), stats.invgamma(4.5, scale=0.5)),
    (InverseGaussian(2.0, 3.0), stats.invgauss(2.0 / 3.0, scale=3.0)),
    (Laplace(-1.0, 0.7), stats.laplace(-1.0, 0.7)),
    (LogSeries(0.6), stats.logser(0.6)),
    (Logistic(0.5, 1.3), stats.logistic(0.5, 1.3)),
    (NegativeBinomial(2.5, 0.4), stats.nbinom(2.5, 0.4)),
    (Normal(-1.0, 4.0), stats.norm(-1.0, 2.0)),
    (Poisson(2.6), stats.poisson(2.6)),
    (StudentT(5.0, 1.0, 2.0), stats.t(5.0, 1.0, 2.0)),
    (Uniform(-1.0, 3.0), stats.uniform(-1.0, 4.0)),
]
COMPOSED = [
    Maximum(Gamma(1.7, 2.2), 3),
    Mixture((Normal(-1.0, 1.0), Normal(3.0, 0.5)), (0.3, 0.7)),
    Sum((Exponential(1.0), Uniform(-1.0, 1.0))),
    Transformed(Normal(0.2, 0.3), np.exp, np.log, lambda x: 1.0 / x),
]
VECTORS = [
    (Dirichlet([1.5, 0.7, 3.0]), stats.dirichlet([1.5, 0.7, 3.0])),
    (
        DirichletMultinomial([1.5, 0.7, 3.0], 6),
        stats.dirichlet_multinomial([1.5, 0.7, 3.0], 6),
    ),
    (
        MultivariateNormal([1.0, -2.0, 0.5], MATRIX),
        stats.multivariate_normal([1.0, -2.0, 0.5], MATRIX),
    ),
    (Wishart(5.5, MATRIX), stats.wishart(5.5, MATRIX)),
]
FAMILIES = [
    law
    for law, _ in SCALARS + VECTORS
    if isinstance(law, distributions.ExponentialFamily)
]


def cases(laws):
    """Return a parametrisation by laws, or by pairs of law and reference."""
    names = ("law", "reference") if isinstance(laws[0], tuple) else "law"
    return pytest.mark.parametrize(names, laws, ids=lambda law: type(law).__name__)


def exported():
    """Return every class of the room that is a law one can make."""
    public = [getattr(distributions, name) for name in distributions.__all__]
    return {
        cls
        for cls in public
        if inspect.isclass(cls)
        and issubclass(cls, Distribution)
        and not inspect.isabstract(cls)
    }
