"""Laws without a mean, laws whose mean is not in the middle, and the best decision."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from infimum.certificates import convex_regret_bound, mirror_regret_bound
from infimum.distributions import Categorical, Cauchy, DecisionProblem, Gamma
from infimum.errors import DataError, InvalidParameterError
from infimum.models.neighbors import KNeighborsClassifier
from infimum.study.convexity import SquaredNorm, fenchel_young_gap
from infimum.study.probability import JointTable


@pytest.mark.syllabus("S0A-072")
def test_the_cauchy_law_has_neither_mean_nor_variance():
    law = Cauchy()
    y = np.linspace(-9, 9, 37)
    np.testing.assert_allclose(law.density(y), 1 / (np.pi * (1 + y**2)), rtol=1e-12)
    np.testing.assert_allclose(law.log_density(y), stats.cauchy.logpdf(y), rtol=1e-12)
    assert np.isnan(law.mean)
    assert np.isnan(law.variance)


@pytest.mark.syllabus("S0A-072")
def test_means_of_cauchy_values_never_settle_but_medians_do():
    draws = Cauchy().sample(400_000, random_state=1).reshape(1000, 400)
    means, medians = draws.mean(axis=1), np.median(draws, axis=1)
    # The mean of 400 values has the quartiles of a single one, -1 and 1.
    quartiles = np.quantile(means, [0.25, 0.75])
    np.testing.assert_allclose(quartiles, [-1.0, 1.0], atol=0.2)
    assert np.abs(medians).max() < 0.4
    assert np.abs(means).max() > 20


def test_the_likeliest_cauchy_law_is_found_with_weights_as_copies(rng):
    y = Cauchy(2.0, 3.0).sample(80, random_state=4)
    copies = rng.integers(0, 3, size=80)
    weighted = Cauchy.fit(y, sample_weight=copies)
    repeated = Cauchy.fit(np.repeat(y, copies))
    assert weighted.location == pytest.approx(repeated.location, rel=1e-9)
    assert weighted.scale == pytest.approx(repeated.scale, rel=1e-9)
    best = Cauchy.fit(y)
    for move in (0.02, -0.02):
        nearby = (
            Cauchy(best.location + move, best.scale),
            Cauchy(best.location, best.scale + move),
        )
        assert all(law.log_likelihood(y) < best.log_likelihood(y) for law in nearby)
    with pytest.raises(DataError, match="half of the values"):
        Cauchy.fit([1.0, 1.0, 1.0, 2.0])
    with pytest.raises(InvalidParameterError, match=r"Cauchy\.scale"):
        Cauchy(scale=0.0)


@pytest.mark.syllabus("S0A-073")
def test_an_exponential_law_has_its_mean_above_its_median():
    waiting = Gamma(shape=1.0, scale=1.0)
    assert waiting.mean == 1.0
    assert waiting.median == pytest.approx(np.log(2.0))
    assert waiting.mean > waiting.median
    drawn = waiting.sample(100_000, random_state=0)
    assert drawn.mean() > np.median(drawn) + 0.25


@pytest.mark.syllabus("S0A-075")
def test_no_rule_of_all_errs_less_than_the_likeliest_class(rng):
    laws = tuple(Categorical(tuple(rng.dirichlet(np.ones(4)))) for _ in range(3))
    priors = (0.5, 0.3, 0.2)
    problem = DecisionProblem(laws=laws, priors=priors)
    x = np.arange(4)
    joint = np.column_stack(
        [p * np.asarray(law.probabilities) for p, law in zip(priors, laws, strict=True)]
    )
    decided = problem.decide(x, rule="posterior")
    # The loss at x is 1 - p(y*|x); its mean is the least error.
    loss = 1.0 - problem.posteriors(x).max(axis=1)
    least = float(joint.sum(axis=1) @ loss)
    errors = [
        1.0 - joint[x, np.array(rule)].sum() for rule in product(range(3), repeat=4)
    ]
    assert min(errors) == pytest.approx(least, abs=1e-12)
    assert 1.0 - joint[x, decided].sum() == pytest.approx(least, abs=1e-12)


@pytest.mark.syllabus("S0A-076")
@pytest.mark.parametrize("contrast", [0.3, 0.6, 0.95])
def test_the_nearest_neighbour_errs_at_most_twice_as_often_as_the_best_rule(contrast):
    rng = np.random.default_rng(7)

    def draw(n):
        x = rng.uniform(size=n)
        eta = 0.5 + 0.5 * contrast * np.sin(6 * x)
        return x[:, None], (rng.uniform(size=n) < eta).astype(int), eta

    X, y, _ = draw(20_000)
    model = KNeighborsClassifier(1).fit(X, y)
    queries, truth, eta = draw(20_000)
    table = JointTable.of(np.full(20_000, 1 / 20_000), eta)
    best = table.risk(table.bayes_classifier())
    observed = np.mean(model.predict(queries) != truth)
    limit = float(np.mean(2 * eta * (1 - eta)))  # of Cover and Hart
    noise = 4 * np.sqrt(0.25 / 20_000)
    assert best - noise <= observed <= 2 * best + noise
    assert observed == pytest.approx(limit, abs=noise)


@pytest.mark.syllabus("S0B-086")
@pytest.mark.parametrize("sigma", [0.01, 1.0, 40.0])
def test_a_product_is_at_most_half_the_squares_however_they_are_shared(sigma, rng):
    shared = (1.0 / sigma) * SquaredNorm()
    for _ in range(50):
        x, y = rng.normal(size=(2, 5)) * np.exp(rng.normal(size=(2, 1)))
        slack = fenchel_young_gap(shared, x, y)
        told = x @ x / (2 * sigma) + sigma * y @ y / 2 - x @ y
        assert slack == pytest.approx(told, rel=1e-9, abs=1e-9)
        assert slack >= 0
    assert fenchel_young_gap(shared, sigma * y, y) == pytest.approx(0, abs=1e-9)


@pytest.mark.syllabus("S0B-087")
def test_steps_of_one_over_root_t_sum_to_at_most_a_root():
    for first in range(1, 61):
        for last in range(first, 61):
            steps = 1.0 / np.sqrt(np.arange(first, last + 1))
            total = mirror_regret_bound(0.0, 1.0, steps)  # Σ 1/(2√t)
            assert total == pytest.approx(0.5 * steps.sum())
            assert total <= convex_regret_bound(0.0, 1.0, last - first + 1)  # its root
