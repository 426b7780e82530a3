"""Simulation-based calibration: ranks of the truth among draws of beliefs.

Parameters are drawn from a prior and data from their law; then the rank of the truth in
the posterior of these data is uniform, whatever function of the parameters is ranked.
"""

import numpy as np
import pytest
from scipy import stats

from infimum.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    ConjugatePrior,
    Exponential,
    Gamma,
    Geometric,
    InverseChiSquared,
    InverseGaussian,
    Laplace,
    LogSeries,
    MultivariateNormal,
    Normal,
    Poisson,
    StudentT,
    Uniform,
)
from infimum.distributions.sampling import (
    AliasTable,
    reject,
    reject_adaptively,
    restrict,
)
from infimum.study.probability import grid_posterior, posterior
from tests.distributions.test_conjugate_statements import PRIORS

PLANE = MultivariateNormal(np.zeros(2), np.eye(2))
DRAWN = [
    ConjugatePrior(Bernoulli(), 3.0, [0.4]),
    ConjugatePrior(Binomial(0.5, 4), 2.0, [1.3]),
    ConjugatePrior(Categorical((0.2, 0.5, 0.3)), 4.0, [0.3, 0.5, 0.2]),
    ConjugatePrior(Poisson(), 3.0, [0.7]),
    ConjugatePrior(Exponential(), 4.0, [0.9]),
    ConjugatePrior(Geometric(), 4.0, [1.9]),
    ConjugatePrior(Normal(), 6.0, [0.4, 1.7]),
    ConjugatePrior(PLANE, 5.0, [0.4, -1.0, -0.85, 0.05, 0.05, -1.0]),
]
DRAWS = pytest.mark.parametrize("prior", DRAWN, ids=lambda p: type(p.family).__name__)


@DRAWS
def test_ranks_of_the_truth_among_drawn_parameters_are_uniform(prior):
    rng = np.random.default_rng(6)
    truths = prior.sample(400, rng)
    ranks, heights = [], []
    for theta in truths:
        belief = prior.update(prior.family.of_natural(theta).sample(5, rng))
        drawn = belief.sample(19, rng)
        ranks.append((drawn < theta).sum(axis=0))
        # Parameters that are wrongly dependent show in the density of the belief.
        logs = np.array([belief.log_density(each) for each in drawn])
        heights.append((logs < belief.log_density(theta)).sum())
    for column in [*np.array(ranks).T, heights]:
        counts = np.bincount(column, minlength=20)
        assert stats.chisquare(counts).pvalue > 1e-3


@DRAWS
def test_drawn_parameters_have_the_density_of_the_belief(prior):
    # The entropy of an exponential family, from its own draws and by differences of
    # the normaliser: E[log p] is a sum of natural parameters times mean statistics.
    drawn = prior.sample(20_000, 0)
    assert np.array_equal(drawn, prior.sample(20_000, 0))
    seen = np.array([prior.statistics(each) for each in drawn])
    step = 1e-4
    more = ConjugatePrior(prior.family, prior.n + step, prior.nu)
    less = ConjugatePrior(prior.family, prior.n - step, prior.nu)
    slope = (more.log_normaliser() - less.log_normaliser()) / (2 * step)
    along = seen @ np.append(prior.nu, 1.0)
    error = along.std() / np.sqrt(len(along))
    assert along.mean() == pytest.approx(slope, abs=5 * error)


def test_ranks_of_new_normal_vectors_in_their_predictive_law_are_uniform():
    prior, rng = DRAWN[-1], np.random.default_rng(9)
    ranks = []
    for theta in prior.sample(400, rng):
        law = PLANE.of_natural(theta)
        belief = prior.update(law.sample(4, rng))
        laws = [PLANE.of_natural(each) for each in belief.sample(19, rng)]
        likely = belief.log_predictive(
            np.vstack([law.sample(1, rng)] + [each.sample(1, rng) for each in laws])
        )
        ranks.append((likely[1:] < likely[0]).sum())
    assert stats.chisquare(np.bincount(ranks, minlength=20)).pvalue > 1e-3


#: Natural parameters of each family.
PLACES = {
    Bernoulli: [(-12.0, 12.0)],
    Binomial: [(-12.0, 12.0)],
    Poisson: [(-16.0, 4.0)],
    Exponential: [(-8.0, -1e-4)],
    Geometric: [(-8.0, -1e-5)],
    LogSeries: [(-12.0, -1e-5)],
    InverseChiSquared: [(1.0 + 1e-6, 8.0)],
    Normal: [(-6.0, 8.0), (-3.0, -1e-3)],
    Gamma: [(0.2, 8.0), (-5.0, -0.05)],
    Beta: [(0.2, 10.0), (0.2, 10.0)],
    InverseGaussian: [(0.02, 5.0), (0.02, 5.0)],
}


@pytest.mark.parametrize("prior", PRIORS, ids=lambda p: type(p.family).__name__)
def test_ranks_of_the_truth_in_conjugate_posteriors_are_uniform(prior):
    # Truths are points of a grid, so that sums over it are exact. Beliefs of one
    # family differ in (nν, n) alone: one table serves them all.
    sides = PLACES[type(prior.family)]
    count = 4001 if len(sides) == 1 else 61
    axes = [np.linspace(low, high, count) for low, high in sides]
    grid = np.stack([each.ravel() for each in np.meshgrid(*axes, indexing="ij")], 1)
    table = np.array([prior.statistics(theta) for theta in grid])

    def believed(belief):
        logs = table @ belief.natural
        shares = np.exp(logs - logs.max()).reshape([count] * len(sides))
        return np.cumsum(shares.reshape(count, -1).sum(axis=1)), shares.ravel()

    rng, ranks = np.random.default_rng(4), []
    sums = np.cumsum(believed(prior)[1])
    for _ in range(300):
        place = int(np.searchsorted(sums, sums[-1] * rng.uniform()))
        y = prior.family.of_natural(grid[place]).sample(5, rng)
        below = believed(prior.update(y))[0]
        row = place // (len(grid) // count)
        before = below[row - 1] if row else 0.0
        ranks.append((before + rng.uniform() * (below[row] - before)) / below[-1])
    assert stats.kstest(ranks, "uniform").pvalue > 1e-3


NAMED = [
    (Beta(2.0, 1.5), Bernoulli),
    (Beta(0.7, 2.0), lambda p: Binomial(p, 4)),
    (Gamma(1.5, 2.0), Poisson),
    (Normal(-1.0, 4.0), lambda mean: Normal(mean, 2.0)),
]


@pytest.mark.parametrize(
    ("prior", "model"), NAMED, ids=["Bernoulli", "Binomial", "Poisson", "Normal"]
)
def test_ranks_of_the_truth_in_named_posteriors_are_uniform(prior, model):
    rng, levels = np.random.default_rng(8), []
    for truth in prior.sample(500, rng).tolist():
        law = model(truth)
        levels.append(posterior(prior, law, law.sample(6, rng)).cdf(truth))
    assert stats.kstest(levels, "uniform").pvalue > 1e-3


GRIDS = [
    (Normal(0.0, 4.0), lambda t: Laplace(t, 1.0), (-12.0, 12.0)),
    (StudentT(4.0), lambda t: Normal(t, 0.5), (-25.0, 25.0)),
    (Uniform(0.0, 1.0), Geometric, (1e-6, 1 - 1e-6)),
]


@pytest.mark.parametrize(
    ("prior", "model", "ends"), GRIDS, ids=["Laplace", "Normal", "Geometric"]
)
@pytest.mark.parametrize("even", [True, False])
def test_ranks_of_the_truth_in_posteriors_on_grids_are_uniform(
    prior, model, ends, even
):
    rng, ranks, held = np.random.default_rng(3), [], []
    share = np.linspace(-1, 1, 801)
    bent = share if even else np.sinh(2 * share) / np.sinh(2)
    points = np.interp(bent, [-1, 1], ends)
    for truth in prior.sample(400, rng).tolist():
        found = grid_posterior(prior, model, model(truth).sample(4, rng), points)
        ranks.append((found.sample(19, rng) < truth).sum())
        low, high = found.interval(0.8)
        held.append(low <= truth <= high)
    assert stats.chisquare(np.bincount(ranks, minlength=20)).pvalue > 1e-3
    assert stats.binomtest(sum(held), 400, 0.8).pvalue > 1e-3


def by_envelope(belief, rng):
    peak = 1.001 * float(belief.density(belief.mode))
    return reject(belief, Uniform(), peak, 19, random_state=rng).values


def by_chords(belief, rng):
    middle = belief.mode
    around = [0.5 * middle, middle, 0.5 * (1.0 + middle)]
    return reject_adaptively(belief, around, 19, random_state=rng).values


def by_restriction(belief, rng):
    # A point under the density, uniform in a box that holds all of it.
    peak = 1.001 * float(belief.density(belief.mode))

    def box(n, rng):
        return rng.uniform(size=(n, 2)) * [1.0, peak]

    def under(points):
        return points[:, 1] < belief.density(points[:, 0])

    return restrict(box, under, 19, random_state=rng).values[:, 0]


def by_quantiles(belief, rng):
    return belief.quantile(rng.uniform(size=19))


def by_aliases(belief, rng):
    places = (np.arange(500) + 0.5) / 500
    shares = belief.density(places)
    found = AliasTable(shares / shares.sum()).draw(19, random_state=rng)
    return places[found] + rng.uniform(-0.001, 0.001, 19)


@pytest.mark.parametrize(
    "draw", [by_envelope, by_chords, by_restriction, by_quantiles, by_aliases]
)
def test_ranks_of_the_truth_among_exact_draws_are_uniform(draw):
    rng, ranks = np.random.default_rng(5), []
    for truth in Beta(2.0, 3.0).sample(300, rng).tolist():
        belief = posterior(Beta(2.0, 3.0), Bernoulli(), Bernoulli(truth).sample(4, rng))
        ranks.append((draw(belief, rng) < truth).sum())
    assert stats.chisquare(np.bincount(ranks, minlength=20)).pvalue > 1e-3
