"""What every distribution must obey, found by import."""

from dataclasses import fields

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from infimum.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    Cauchy,
    Dirichlet,
    Discrete,
    Exponential,
    Gamma,
    Geometric,
    Hypergeometric,
    InverseGaussian,
    Laplace,
    LogSeries,
    MultivariateNormal,
    NegativeBinomial,
    Normal,
    NumericalFamily,
    Poisson,
    Uniform,
    Wishart,
)
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from tests.distributions.laws import COMPOSED, SCALARS, VECTORS, cases, exported

ALL = [law for law, _ in SCALARS + VECTORS] + COMPOSED
ONE = [law for law, _ in SCALARS] + COMPOSED
#: Their likeliest law is known or has no bound.
UNFITTED = ("Hypergeometric", "Maximum", "Mixture", "Sum", "Transformed")


def test_every_exported_law_is_among_the_cases():
    # A family of the user's own statistics has its own tests.
    assert exported() - {type(law) for law in ALL} == {NumericalFamily}


@cases(SCALARS + VECTORS)
def test_the_density_is_that_of_an_independent_program(law, reference):
    y = law.sample(50, random_state=3)
    points = y.T if isinstance(law, Dirichlet) else np.moveaxis(y, 0, -1)
    points = points if isinstance(law, Dirichlet | Wishart) else y
    told = "logpmf" if law.discrete else "logpdf"
    theirs = getattr(reference, told)(points)
    assert law.log_density(y) == pytest.approx(theirs, rel=1e-9, abs=1e-9)
    assert law.density(y) == pytest.approx(np.exp(theirs))
    ours = getattr(law.to_scipy(), told)(points)
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-9)


@cases(ONE)
def test_the_density_sums_or_integrates_to_one(law):
    assert law.expect(np.ones_like) == pytest.approx(1.0, abs=1e-6)
    low, high = law.ends
    outside = [v for v in (low - 1.0, high + 1.0, np.nan) if not np.isinf(v)]
    assert not law.density(outside).any()


@cases(SCALARS)
def test_the_distribution_function_is_that_of_an_independent_program(law, reference):
    y = np.concatenate([law.sample(60, random_state=1), np.linspace(-5, 25, 61)])
    whole = np.floor(y) if law.discrete else y
    assert law.cdf(y) == pytest.approx(reference.cdf(whole), rel=1e-9, abs=1e-13)
    assert law.survival(y) == pytest.approx(reference.sf(whole), rel=1e-8, abs=1e-13)
    assert law.cdf([np.nan, -np.inf, np.inf])[1:].tolist() == [0.0, 1.0]
    levels = np.linspace(0.013, 0.987, 41)
    theirs = reference.ppf(levels)
    assert law.quantile(levels) == pytest.approx(theirs, rel=1e-8, abs=1e-8)


@cases(ONE)
def test_the_distribution_function_accumulates_the_density(law):
    low, high = law.quantile([0.1, 0.8]).tolist()
    if law.discrete:
        values = law.atoms()
        inside = (values >= low) & (values <= high)
        total = law.density(values[inside]).sum()
    else:
        total = quad(lambda t: float(law.density([t])[0]), low, high, limit=200)[0]
    assert law.probability(low, high) == pytest.approx(total, rel=1e-6)


@cases(ONE)
def test_a_quantile_fulfils_both_inequalities(law):
    q = np.array([0.01, 0.25, 0.5, 0.77, 0.99])
    x = law.quantile(q)
    atom = law.density(x) if law.discrete else 0.0
    assert (law.cdf(x) - atom <= q + 1e-12).all()
    assert (law.survival(x) <= 1.0 - q + 1e-12).all()
    assert (np.diff(x) >= 0).all()
    assert law.quantile([0.0, 1.0]).tolist() == list(law.ends)
    low, high = law.interval(0.9)
    assert law.probability(low, high) >= 0.9 - 1e-9
    with pytest.raises(DataError, match="quantile takes levels"):
        law.quantile([1.5])


WIDER = {
    Dirichlet: Dirichlet([1.2, 0.6, 2.0]),
    MultivariateNormal: MultivariateNormal([0.5, -1.5, 0.0], 2.5 * np.eye(3)),
    Wishart: Wishart(5.0, 1.5 * np.eye(3)),
}


@cases([law for law, _ in VECTORS])
def test_the_density_of_vectors_and_matrices_integrates_to_one(law):
    if law.discrete:
        total = law.trials
        counts = [
            (i, j, total - i - j)
            for i in range(total + 1)
            for j in range(total + 1 - i)
        ]
        assert law.density(counts).sum() == pytest.approx(1.0)
        return
    # The mean of p/q under another law q is the integral of p.
    other = WIDER[type(law)]
    y = other.sample(100_000, random_state=0)
    ratios = np.exp(law.log_density(y) - other.log_density(y))
    error = ratios.std() / np.sqrt(len(y))
    assert error < 0.02
    assert ratios.mean() == pytest.approx(1.0, abs=5 * error)


@cases(ONE)
def test_mean_and_variance_are_expectations(law):
    if isinstance(law, Cauchy | Categorical):
        return
    assert law.expect(lambda y: y) == pytest.approx(law.mean, rel=1e-6, abs=1e-8)
    assert law.moment(2, central=True) == pytest.approx(law.variance, rel=1e-5)
    assert law.deviation == pytest.approx(np.sqrt(law.variance))


@cases([(law, ref) for law, ref in SCALARS if not isinstance(law, Categorical)])
def test_moments_and_entropy_are_those_of_an_independent_program(law, reference):
    assert law.mean == pytest.approx(reference.mean(), nan_ok=True)
    assert law.variance == pytest.approx(reference.var(), nan_ok=True)
    assert law.entropy() == pytest.approx(float(reference.entropy()), rel=1e-5)
    assert law.median == pytest.approx(reference.median(), abs=1e-9)


@cases(VECTORS)
def test_vectors_and_matrices_have_the_moments_of_their_draws(law, reference):
    drawn = law.sample(40_000, random_state=0)
    spread = np.asarray(law.variance)
    spread = np.diag(spread) if law.event_axes == 1 else spread
    errors = np.sqrt(spread / len(drawn))
    assert (np.abs(drawn.mean(axis=0) - law.mean) <= 5 * errors).all()
    np.testing.assert_allclose(drawn.var(axis=0), spread, rtol=0.1)
    with pytest.raises(IncompatibleError, match="not single numbers"):
        law.cdf(drawn)
    with pytest.raises(DataError, match=type(law).__name__):
        law.density(drawn[..., :-1])


@cases(ONE)
def test_the_characteristic_function_is_an_expectation(law):
    omega = np.array([-0.7, 0.0, 0.31, 1.1])
    found = law.characteristic(omega)
    if isinstance(law, Cauchy):  # its integrals converge too slowly
        assert found == pytest.approx(np.exp(1j * omega - 2 * np.abs(omega)))
        return
    for w, value in zip(omega.tolist(), found.tolist(), strict=True):
        real = law.expect(lambda y, w=w: np.cos(w * y))
        imaginary = law.expect(lambda y, w=w: np.sin(w * y))
        assert value == pytest.approx(complex(real, imaginary), abs=2e-6)
    assert found[1] == pytest.approx(1.0, abs=1e-6)


@cases(ONE)
def test_draws_follow_the_law(law):
    drawn = law.sample(4000, random_state=2)
    if law.discrete:
        values = np.unique(drawn)
        counts = np.array([(drawn == v).sum() for v in values])
        expected = len(drawn) * law.density(values)
        kept = expected > 8
        distance = ((counts - expected)[kept] ** 2 / expected[kept]).sum()
        assert distance < stats.chi2.ppf(0.999, kept.sum())
    else:
        assert stats.kstest(drawn, law.cdf).pvalue > 1e-3
    assert np.array_equal(law.sample(9, random_state=4), law.sample(9, random_state=4))
    assert law.covers(drawn).all()


@cases([law for law, _ in SCALARS + VECTORS if type(law).__name__ not in UNFITTED])
def test_no_law_nearby_makes_the_sample_likelier(law):
    y = law.sample(150, random_state=3)
    best = type(law).fit(y)
    height = best.log_likelihood(y)
    assert height >= law.log_likelihood(y)
    if not law.event_axes and not isinstance(law, Discrete | Categorical):
        for name in [part.name for part in fields(law)]:
            if isinstance(value := getattr(best, name), float):
                for factor in (0.995, 1.005):
                    moved = {**vars(best), name: value * factor}
                    try:
                        near = type(law)(**moved)
                    except InvalidParameterError:
                        continue
                    assert near.log_likelihood(y) <= height + 1e-7


@cases([law for law, _ in SCALARS + VECTORS if type(law).__name__ not in UNFITTED])
def test_a_weight_is_a_number_of_copies(law):
    y = law.sample(40, random_state=3)
    counts = np.random.default_rng(1).integers(0, 3, size=len(y))
    weighted = type(law).fit(y, sample_weight=counts)
    repeated = type(law).fit(np.repeat(y, counts, axis=0))
    told = weighted.log_likelihood(y, counts)
    assert told == pytest.approx(
        repeated.log_likelihood(np.repeat(y, counts, axis=0)), rel=1e-8
    )
    for name in [part.name for part in fields(law)]:
        ours, theirs = getattr(weighted, name), getattr(repeated, name)
        assert np.asarray(ours) == pytest.approx(np.asarray(theirs), rel=1e-4)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Bernoulli(1.5), r"Bernoulli\.p must be in \[0, 1\], got 1\.5"),
        (lambda: Poisson(-1.0), r"Poisson\.rate must be"),
        (lambda: Normal(0.0, 0.0), r"Normal\.spread must be"),
        (lambda: Beta(0.0, 1.0), r"Beta\.a must be"),
        (lambda: Gamma(1.0, -2.0), r"Gamma\.scale must be"),
        (lambda: Categorical((0.5, 0.6)), r"Categorical\.probabilities must be"),
        (lambda: Uniform(1.0, 1.0), r"Uniform\.high must be above low"),
        (lambda: Hypergeometric(3, 4, 1), "must not exceed total"),
        (lambda: Discrete((1.0, 2.0), (0.5, 0.6)), "non-negative numbers that sum"),
        (lambda: Discrete((1.0, 2.0), (1.5, -0.5)), "non-negative numbers that sum"),
        (lambda: Discrete((1.0, 1.0), (0.5, 0.5)), "different values"),
        (lambda: Dirichlet([1.0, 0.0]), r"Dirichlet\.concentration"),
        (lambda: Wishart(1.0, np.eye(3)), r"Wishart\.degrees must be above 2"),
        (lambda: MultivariateNormal([0.0], np.eye(2)), "location must be 2"),
        (lambda: Geometric(0.3).of_natural([0.1]), "outside the domain"),
    ],
)
def test_parameters_outside_their_space_are_refused(make, message):
    with pytest.raises(InvalidParameterError, match=message):
        make()


@pytest.mark.parametrize(
    ("law", "average"),
    [(Gamma(), [2.0, 1.0]), (Bernoulli(), [2.0]), (Beta(), [0.5, -1.0])],
)
def test_statistics_that_no_law_has_are_refused(law, average):
    with pytest.raises(DataError, match=r"no law of the domain has the mean stat"):
        law.matching(np.array(average))


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
        (Normal, ["a"]),
        (Normal, [0.1, 0.1, 0.1]),
        (Uniform, [2.0, 2.0]),
        (Exponential, [0.0]),
        (Laplace, [1.0, 1.0]),
        (LogSeries, [1.0, 1.0]),
        (InverseGaussian, [3.0, 3.0]),
        (NegativeBinomial, [1.0, 1.0]),
        (Dirichlet, [[0.5, 0.5], [0.5, 0.5]]),
        (MultivariateNormal, [[0.5, 0.5], [1.0, 1.0]]),
        (MultivariateNormal, [1.0, 2.0]),
    ],
)
def test_values_that_have_no_likeliest_law_are_refused(law, y):
    with pytest.raises(DataError, match=law.__name__):
        law.fit(y)
