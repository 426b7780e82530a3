"""What every distribution must obey, found by import."""

import inspect

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from infimum import distributions
from infimum.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    ExponentialFamily,
    Gamma,
    Normal,
    Poisson,
)
from infimum.errors import DataError, InvalidParameterError

LAWS = [
    (Bernoulli(0.3), stats.bernoulli(0.3)),
    (Beta(2.5, 0.7), stats.beta(2.5, 0.7)),
    (Binomial(0.4, 7), stats.binom(7, 0.4)),
    (
        Categorical((0.2, 0.5, 0.3)),
        stats.rv_discrete(values=([0, 1, 2], [0.2, 0.5, 0.3])),
    ),
    (Gamma(1.7, 2.2), stats.gamma(a=1.7, scale=2.2)),
    (Normal(-1.0, 4.0), stats.norm(-1.0, 2.0)),
    (Poisson(2.6), stats.poisson(2.6)),
]
CASES = pytest.mark.parametrize(
    ("law", "reference"), LAWS, ids=lambda law: type(law).__name__
)


def continuous(law):
    return isinstance(law, Beta | Gamma | Normal)


def values(law, n=50):
    return law.sample(n, random_state=3)


def test_every_exported_exponential_family_is_among_the_cases():
    public = [getattr(distributions, name) for name in distributions.__all__]
    kinds = {
        cls
        for cls in public
        if inspect.isclass(cls)
        and issubclass(cls, ExponentialFamily)
        and not inspect.isabstract(cls)
    }
    assert kinds == {type(law) for law, _ in LAWS}


@CASES
def test_the_density_is_that_of_an_independent_program(law, reference):
    y = values(law)
    theirs = reference.logpdf(y) if continuous(law) else reference.logpmf(y)
    assert law.log_density(y) == pytest.approx(theirs, rel=1e-10, abs=1e-10)
    assert law.density(y) == pytest.approx(np.exp(theirs))


@CASES
def test_the_density_sums_or_integrates_to_one(law, reference):
    if continuous(law):
        low, high = reference.support()
        total = quad(lambda t: float(law.density([t])[0]), low, high, limit=200)[0]
    else:
        total = law.density(np.arange(200)).sum()
    assert total == pytest.approx(1.0, abs=1e-6)
    far = reference.pdf(-7.5) if continuous(law) else 0.0
    assert law.density([-7.5])[0] == pytest.approx(far)


@CASES
def test_the_density_is_that_of_its_exponential_family(law, reference):
    y = values(law)
    eta = law.natural
    log_density = law.log_base(y) + law.statistics(y) @ eta - law.log_partition(eta)
    assert law.log_density(y) == pytest.approx(log_density, rel=1e-10, abs=1e-10)
    again = law.from_natural(eta)
    assert again.log_density(y) == pytest.approx(law.log_density(y))


@CASES
def test_derivatives_of_the_log_partition_are_moments(law, reference):
    eta, step = law.natural, 1e-5
    axes = np.eye(len(eta)) * step
    slope = [
        (law.log_partition(eta + e) - law.log_partition(eta - e)) / (2 * step)
        for e in axes
    ]
    assert law.mean_statistics(eta) == pytest.approx(
        np.array(slope), rel=1e-6, abs=1e-8
    )
    bend = [
        (law.mean_statistics(eta + e) - law.mean_statistics(eta - e)) / (2 * step)
        for e in axes
    ]
    covariance = law.statistics_covariance(eta)
    assert covariance == pytest.approx(np.array(bend), rel=1e-5, abs=1e-7)
    statistics = law.statistics(law.sample(200_000, random_state=0))
    errors = np.sqrt(np.diag(covariance) / len(statistics))
    assert np.abs(statistics.mean(axis=0) - slope) == pytest.approx(
        0, abs=5 * errors.max()
    )


@CASES
def test_mean_and_variance_are_those_of_an_independent_program(law, reference):
    if isinstance(law, Categorical):
        assert law.mean.tolist() == [0.2, 0.5, 0.3]
        assert law.variance == pytest.approx([0.16, 0.25, 0.21])
        return
    assert law.mean == pytest.approx(reference.mean())
    assert law.variance == pytest.approx(reference.var())


@CASES
def test_no_law_nearby_makes_the_sample_likelier(law, reference):
    y = values(law, 200)
    best = type(law).fit(y)
    height = best.log_likelihood(y)
    assert height >= law.log_likelihood(y)
    eta = best.natural
    for move in 0.02 * np.vstack([np.eye(len(eta)), -np.eye(len(eta))]):
        if np.isfinite(best.log_partition(eta + move)):
            assert best.from_natural(eta + move).log_likelihood(y) <= height + 1e-9
    average = best.statistics(y).mean(axis=0)
    assert best.mean_statistics(eta) == pytest.approx(average, rel=1e-6)


@CASES
def test_a_weight_is_a_number_of_copies(law, reference):
    y = values(law, 40)
    counts = np.random.default_rng(1).integers(0, 3, size=len(y))
    weighted = type(law).fit(y, sample_weight=counts)
    repeated = type(law).fit(np.repeat(y, counts))
    assert weighted.natural == pytest.approx(repeated.natural, rel=1e-7)
    assert weighted.log_likelihood(y, counts) == pytest.approx(
        repeated.log_likelihood(np.repeat(y, counts))
    )


@CASES
def test_the_same_seed_draws_the_same_values(law, reference):
    assert np.array_equal(law.sample(9, random_state=4), law.sample(9, random_state=4))
    assert law.covers(law.sample(99, random_state=5)).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Bernoulli(1.5), r"Bernoulli\.p must be in \[0, 1\], got 1\.5"),
        (lambda: Poisson(-1.0), r"Poisson\.rate must be"),
        (lambda: Normal(0.0, 0.0), r"Normal\.spread must be"),
        (lambda: Beta(0.0, 1.0), r"Beta\.a must be"),
        (lambda: Gamma(1.0, -2.0), r"Gamma\.scale must be"),
        (lambda: Categorical((0.5, 0.6)), r"Categorical\.probabilities must be"),
    ],
)
def test_parameters_outside_their_space_are_refused(make, message):
    with pytest.raises(InvalidParameterError, match=message):
        make()


@pytest.mark.parametrize(
    ("law", "y"),
    [
        (Bernoulli, [0.5]),
        (Poisson, [-1.0]),
        (Beta, [0.0, 0.5]),
        (Beta, [0.5, 0.5]),
        (Gamma, [0.0, 1.0]),
        (Gamma, [2.0, 2.0]),
        (Categorical, [0.5]),
        (Binomial, [-1.0]),
        (Normal, []),
        (Normal, [np.nan]),
    ],
)
def test_values_that_have_no_likeliest_law_are_refused(law, y):
    with pytest.raises(DataError, match=law.__name__):
        law.fit(y)
