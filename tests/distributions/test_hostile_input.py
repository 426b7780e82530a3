"""What users hand in by mistake: one sentence, or the right number."""

import numpy as np
import pytest
from scipy import stats

from infimum.distributions import (
    Beta,
    Categorical,
    Cauchy,
    ConjugatePrior,
    Dirichlet,
    Discrete,
    Exponential,
    Gamma,
    InverseChiSquared,
    LogSeries,
    Maximum,
    Mixture,
    MultivariateNormal,
    Normal,
    NumericalFamily,
    Poisson,
    StudentT,
    Sum,
    Uniform,
    Unigram,
    Wishart,
    asymptotic_interval,
    best_linear_predictor,
    efficiency,
    fit_mixture,
    map_estimate,
    maximum_entropy,
    sample_moments,
    study_estimator,
)
from infimum.distributions.limits import (
    delta_method,
    density_from_characteristic,
    empirical_frequencies,
    fourier_transform,
    running_means,
    standardised_sums,
)
from infimum.distributions.sampling import (
    AliasTable,
    CumulativeTable,
    Draws,
    Gibbs,
    Hamiltonian,
    Metropolis,
    diagnose,
    envelope_constant,
    reject,
    reject_adaptively,
    restrict,
)
from infimum.errors import InfimumError
from infimum.study.probability import (
    FiniteSpace,
    NamedTable,
    combine_evidence,
    decide_by_draws,
    grid_posterior,
)
from tests.distributions.laws import COMPOSED, SCALARS, VECTORS, cases

ALL = [law for law, _ in SCALARS + VECTORS] + COMPOSED
ONE = [law for law, _ in SCALARS] + COMPOSED
WORDS, RAGGED = ["a"], [[1.0], [1.0, 2.0]]
STRANGE = (WORDS, RAGGED, [object()], [1j], "3", {"a": 1})
PLANE = MultivariateNormal([0.0, 1.0], [[2.0, 0.5], [0.5, 1.0]])
COUNTS = ConjugatePrior(Poisson(), 1.0, [2.0])
DIE = NumericalFamily.on_values(range(1, 7), lambda y: y[:, None])
BUMP = [(0.0, 1.0)]


def refused(call):
    """Assert that a call is refused in one sentence that names its owner."""
    with pytest.raises(InfimumError) as told:
        call()
    text = str(told.value)
    assert "\n" not in text
    assert len(text) < 400
    assert text.endswith(".")


@cases(ALL)
def test_laws_refuse_what_are_no_numbers(law):
    for strange in STRANGE:
        refused(lambda strange=strange: law.density(strange))
        refused(lambda strange=strange: law.log_density(strange))
        refused(lambda strange=strange: type(law).fit(strange))
    for n in (-1, 1.5, "a", None):
        refused(lambda n=n: law.sample(n))
    for seed in ("a", -3):
        refused(lambda seed=seed: law.sample(2, seed))
    assert len(law.sample(0)) == 0


@cases(ONE)
def test_laws_of_numbers_refuse_what_are_no_numbers(law):
    for strange in STRANGE:
        for call in (law.cdf, law.survival, law.quantile, law.characteristic):
            refused(lambda call=call, strange=strange: call(strange))
        refused(lambda strange=strange: law.probability(strange, 1.0))
    for order in (-1, 1.5, "a"):
        refused(lambda order=order: law.moment(order))
    refused(lambda: law.expect("mean"))
    y = law.quantile([0.3, 0.6])
    for weights in ([1.0], [-1.0, 1.0], [np.nan, 1.0], [0.0, 0.0], WORDS):
        refused(lambda weights=weights: law.log_likelihood(y, weights))
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        assert np.isfinite(law.density([1e300, -1e300, 1e10, -1e10])).all()


@pytest.mark.parametrize(
    "call",
    [
        lambda: MultivariateNormal(WORDS, [[1.0]]),
        lambda: MultivariateNormal([0.0], [WORDS]),
        lambda: Wishart("a", np.eye(2)),
        lambda: Wishart(3.0, [WORDS]),
        lambda: Categorical(("a", "b")),
        lambda: Discrete(("a", "b"), (0.5, 0.5)),
        lambda: Mixture((Normal(), "a"), (0.5, 0.5)),
        lambda: Mixture(Normal(), (1.0,)),
        lambda: Sum(Normal()),
        lambda: Sum(("a",)),
        lambda: Maximum("a", 2),
        lambda: Maximum(PLANE, 2),
        lambda: PLANE.marginal([2]),
        lambda: PLANE.marginal([0.5]),
        lambda: PLANE.marginal([0, 0]),
        lambda: PLANE.marginal([]),
        lambda: PLANE.conditional([0, 1], [0.0, 0.0]),
        lambda: PLANE.conditional([0], [0.0, 0.0]),
        lambda: PLANE.conditional([0], [np.nan]),
        lambda: PLANE.of_natural(WORDS),
        lambda: MultivariateNormal.fit([[1, 2], [2, 4], [3, 6.0]]),
        lambda: MultivariateNormal.fit(np.add.outer(np.arange(9.0), [1e9, 2e9])),
        lambda: StudentT.fit([1.0, 1.0, 1.0, 5.0]),
        lambda: ConjugatePrior(Cauchy(), 1.0, [1.0]),
        lambda: ConjugatePrior(Poisson, 1.0, [1.0]),
        lambda: COUNTS.log_density([1.0, 2.0]),
        lambda: COUNTS.sample(-1),
        lambda: map_estimate(Poisson(), [-1], 1.0),
        lambda: map_estimate(Cauchy(), [1.0], 1.0),
        lambda: map_estimate(Poisson(), [1], 1.0, centre=np.nan),
        lambda: map_estimate(Poisson(), [1], 1.0, centre=[1.0, 2.0]),
        lambda: map_estimate(Poisson(), [1], 1.0, tol=-1.0),
        lambda: map_estimate(Poisson(), [1], 1.0, callback="x"),
        lambda: efficiency([[1.0, 2.0]], 1.0),
        lambda: asymptotic_interval(Cauchy(), 5),
        lambda: study_estimator(Normal(), str, 0.0, 3, 5),
        lambda: study_estimator(Normal(), lambda y: y[:2], 0.0, 3, 5),
        lambda: fit_mixture("x", 2, [1.0, 2.0, 3.0]),
        lambda: fit_mixture(Normal, 2, [1.0, 2.0, 3.0], max_seconds=-1),
        lambda: sample_moments(WORDS),
        lambda: sample_moments([1.0, 2.0], [-1.0, 3.0]),
        lambda: best_linear_predictor([1.0, 2.0], [1.0]),
        lambda: NumericalFamily.on_values([1, 2], lambda y: y),
        lambda: NumericalFamily.on_values([1, 2], "x"),
        lambda: NumericalFamily.on_interval("a", 1.0, lambda y: y[:, None]),
        lambda: NumericalFamily.on_interval(0.0, 1.0, lambda y: y[:, None], nodes=0),
        lambda: NumericalFamily.on_interval(
            0.0, np.inf, lambda y: y[:, None]
        ).of_natural([1.0]),
        lambda: maximum_entropy(DIE, [6.0]),
        lambda: maximum_entropy(DIE, [1.0, 2.0]),
        lambda: maximum_entropy(Cauchy(), [1.0]),
        lambda: Unigram({"a": np.nan}),
        lambda: Unigram({"a": 1, "b": 1}, 1.0, {"a": -1.0, "b": 2.0}),
        lambda: Unigram.fit([1, 2]),
    ],
)
def test_laws_and_estimates_refuse(call):
    refused(call)


@pytest.mark.parametrize(
    "call",
    [
        lambda: Metropolis(draws=9).sample(lambda x: x[:, 0], BUMP, callback="x"),
        lambda: Hamiltonian(draws=9).sample("x", BUMP),
        lambda: Gibbs(draws=9).sample([lambda *_: "a"], BUMP),
        lambda: Draws([WORDS]),
        lambda: Draws(np.zeros((0, 9, 1))),
        lambda: Draws(np.zeros((2, 9, 0))),
        lambda: Draws(np.full((2, 9, 1), np.nan)).plot(),
        lambda: diagnose([WORDS * 9]),
        lambda: diagnose(np.zeros((0, 9))),
        lambda: AliasTable(WORDS),
        lambda: AliasTable([1.0]).draw(1.5),
        lambda: CumulativeTable([0.5, 0.5]).at([1.1]),
        lambda: CumulativeTable([0.5, 0.5]).at([np.nan]),
        lambda: reject(Beta(), Uniform(), "a", 5),
        lambda: reject("a", Uniform(), 2.0, 5),
        lambda: reject(Beta(), "a", 2.0, 5),
        lambda: restrict(Normal(), "x", 5),
        lambda: restrict(Normal(), lambda y: y, 5),
        lambda: restrict(Normal(), lambda y: y[:1] > 0, 5),
        lambda: envelope_constant(Beta(0.5, 0.5), Uniform(), 0.0, 1.0),
        lambda: envelope_constant(Beta(), Uniform(), 1.0, 0.0),
        lambda: envelope_constant("a", Uniform(), 0.0, 1.0),
        lambda: reject_adaptively("x", [-1, 0, 1], 5),
        lambda: running_means(PLANE, 5),
        lambda: empirical_frequencies(Discrete(), [0]),
        lambda: empirical_frequencies(Normal(), [5]),
        lambda: standardised_sums([PLANE], 5),
        lambda: standardised_sums(["a"], 5),
        lambda: standardised_sums([Normal()], 1.5),
        lambda: delta_method("x", [1.0], [[1.0]]),
        lambda: fourier_transform(lambda x: x[:1], [0.0], [0.0, 1.0, 2.0]),
        lambda: density_from_characteristic(np.cos, [1e10]),
        lambda: FiniteSpace({"a": np.nan}),
        lambda: FiniteSpace([1, 2]),
        lambda: NamedTable([WORDS]),
        lambda: combine_evidence(WORDS, [0.5]),
        lambda: grid_posterior(Beta(), "x", [1], [0.1, 0.2]),
        lambda: grid_posterior("x", Poisson, [1], [0.1, 0.2]),
        lambda: grid_posterior(Beta(), Poisson, [1], [-2.0, -1.0]),
        lambda: decide_by_draws([1.0], actions=[]),
    ],
)
def test_samplers_limits_and_spaces_refuse(call):
    refused(call)


def test_numbers_that_were_wrong_once():
    # Half of the mass lies within 1e-7 of the ends, a twelfth rounds to 1.
    steep = Beta(0.05, 0.05)
    assert steep.expect(np.ones_like) == pytest.approx(1.0, abs=1e-9)
    assert steep.expect(lambda y: y) == pytest.approx(0.5, abs=1e-6)
    assert InverseChiSquared(1.5).moment(0) == pytest.approx(1.0)
    y = np.arange(1.0, 400_001.0)
    for p in (0.95, 0.9999):
        shares = p**y / y / -np.log1p(-p)
        law, sums = LogSeries(p), np.cumsum(shares)
        places = [1, 7, 150, 199, 200, 201, 5000, 60_000]
        assert law.cdf(places) == pytest.approx(sums[np.array(places) - 1], abs=1e-12)
        rest = shares[::-1].cumsum()[::-1]
        tail = law.survival([250, 9000])
        assert tail == pytest.approx(rest[[250, 9000]], rel=1e-8, abs=1e-17)
        q = np.array([0.1, 0.5, 0.99])
        assert law.quantile(q).tolist() == (np.searchsorted(sums, q) + 1).tolist()
    # A gamma law that is normal but for the last digits, by mean²/variance.
    nearly = 1e10 + np.random.default_rng(0).normal(size=1000)
    found = Gamma.fit(nearly)
    assert found.mean == pytest.approx(nearly.mean())
    assert found.deviation == pytest.approx(nearly.std(), rel=1e-6)
    tiny = np.random.default_rng(1).gamma(0.01, 1.0, 500) + 1e-300
    assert Gamma.fit(tiny).shape == pytest.approx(
        stats.gamma.fit(tiny, floc=0)[0], rel=1e-4
    )
    y = [0.2, 1.5, 3.7, -2.0, 0.4, 9.0]
    weighed = StudentT.fit(y, [2, 1, 1, 3, 1, 1])
    copied = StudentT.fit(np.repeat(y, [2, 1, 1, 3, 1, 1]))
    assert weighed.cdf(y) == pytest.approx(copied.cdf(y), abs=1e-6)
    assert PLANE.marginal([-1]).location.tolist() == [1.0]


@pytest.mark.parametrize("width", [1e-10, 1.0, 1e10])
def test_hamiltonian_draws_measure_a_law_of_any_width(width):
    def target(x):
        return -0.5 * ((x / width) ** 2).sum(axis=1), -x / width**2

    start = np.zeros((4, 2))
    found = Hamiltonian(draws=1500, warmup=600).sample(target, start, random_state=0)
    assert found.summary().deviation == pytest.approx([width, width], rel=0.15)
    assert found.problems() == []


def test_a_law_keeps_its_own_numbers():
    given, matrix = np.array([1.0, 2.0]), np.eye(2)
    laws = [Dirichlet(given), MultivariateNormal(given, matrix)]
    half = matrix / 2
    table = NamedTable(half)
    before = [law.mean.tolist() for law in laws]
    given[0] = matrix[0, 0] = half[0, 0] = 9.0
    assert [law.mean.tolist() for law in laws] == before
    assert laws[1].variance[0, 0] == 1.0
    assert table.probabilities[0, 0] == 0.5


def test_exponential_expectations_that_do_not_exist_are_refused():
    refused(lambda: Cauchy().expect(lambda y: y))
    refused(lambda: InverseChiSquared(1.5).expect(lambda y: y))
    assert Exponential().expect(lambda y: np.exp(0.5 * y)) == pytest.approx(2.0)
