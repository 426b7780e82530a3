"""What the texts say of density estimates, in numbers."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm
from sklearn.model_selection import GridSearchCV, KFold

from infimum.models.density import (
    ConditionalDensity,
    DensityDetector,
    DiscreteDensity,
    HistogramDensity,
    KernelDensity,
    choose_bandwidth,
)
from infimum.models.neighbors import ParzenWindowRegressor

DOG = [1, 0, 2, 0, 4, 6, 3, 0, 6, 2, 0, 1]
#: Weights of 18 persons.
WEIGHTS = np.array(
    [57, 88, 54, 84, 83, 59, 56, 43, 70, 63, 90, 98, 102, 97, 106, 99, 103, 112.0]
)[:, None]


def density(model, x):
    return np.exp(model.score_samples(np.reshape(x, (-1, 1))))


@pytest.mark.syllabus("S1-128")
def test_a_density_gives_sets_their_probability_and_may_exceed_one():
    X = np.random.default_rng(0).normal(0.0, 0.1, size=(4000, 1))
    model = KernelDensity(bandwidth=0.02).fit(X)
    for low, high in ((-0.1, 0.1), (0.05, 0.3)):
        mass = quad(lambda x: density(model, x)[0], low, high)[0]
        truth = norm.cdf(high, scale=0.1) - norm.cdf(low, scale=0.1)
        assert mass == pytest.approx(truth, abs=0.03)
    assert density(model, 0.0)[0] > 3.0


@pytest.mark.syllabus("S1-129")
def test_the_histogram_is_the_share_of_a_bin_over_its_length():
    X = np.random.default_rng(0).beta(2, 5, size=(500, 1))
    h = 0.125
    model = HistogramDensity(width=h, range=(0, 1)).fit(X)
    assert model.n_bins_.tolist() == [8]
    for x in (0.03, 0.3, 0.51, 0.99):
        inside = np.floor(X / h) == np.floor(x / h)
        assert density(model, x)[0] == pytest.approx(inside.mean() / h)
    edges = np.linspace(0, 1, 9)[:-1] + h / 2
    assert density(model, edges).sum() * h == pytest.approx(1.0)
    assert density(model, 1.2)[0] == 0.0


@pytest.mark.syllabus("S1-130")
def test_cubes_of_side_h_have_volume_h_to_the_dimension():
    X = np.random.default_rng(0).random((2000, 3))
    model = HistogramDensity(width=0.25, range=(0, 1)).fit(X)
    assert np.prod(model.n_bins_) == 4**3
    x = np.array([[0.3, 0.6, 0.9]])
    inside = (np.floor(X / 0.25) == np.floor(x / 0.25)).all(axis=1)
    value = np.exp(model.score_samples(x))[0]
    assert value == pytest.approx(inside.mean() / 0.25**3)
    assert model.masses_.sum() == pytest.approx(1.0)


@pytest.mark.syllabus("S1-135", "S0A-112")
@pytest.mark.parametrize("d", [1, 2, 3])
def test_each_sample_spreads_the_mass_1_over_n_over_a_volume_h_to_the_d(d):
    X = np.random.default_rng(0).normal(size=(7, d))
    for h in (0.3, 1.0, 3.0):
        model = KernelDensity(bandwidth=h).fit(X)
        one = KernelDensity(bandwidth=h).fit(X[:1])
        x = np.zeros((1, d))
        apart = ((x - X) ** 2).sum(axis=1) / h**2
        expected = np.exp(-apart / 2).sum() / 7 / h**d / (2 * np.pi) ** (d / 2)
        assert np.exp(model.score_samples(x))[0] == pytest.approx(expected)
        peak = np.exp(one.score_samples(X[:1]))[0]
        assert peak == pytest.approx((2 * np.pi) ** (-d / 2) / h**d)


@pytest.mark.syllabus("S0A-112")
@pytest.mark.parametrize("r", [0.3, 1.0, 3.0, 10.0])
def test_estimates_of_every_width_integrate_to_one(r):
    x = np.linspace(-60, 220, 40_001)
    values = density(KernelDensity(bandwidth=r).fit(WEIGHTS), x)
    assert np.trapezoid(values, x) == pytest.approx(1.0, abs=1e-6)
    bumps = np.sum((values[1:-1] > values[:-2]) & (values[1:-1] > values[2:]))
    assert (bumps == 18) if r == 0.3 else (bumps < 18)


def l2_distance(model):
    x = np.linspace(-8, 8, 4001)
    return np.trapezoid((density(model, x) - norm.pdf(x)) ** 2, x)


@pytest.mark.syllabus("S1-136", "S1-137")
def test_held_out_samples_estimate_the_l2_discrepancy_up_to_a_constant():
    X = np.random.default_rng(0).normal(size=(2000, 1))
    widths = np.array([0.02, 0.1, 0.3, 1.0, 3.0])
    choice = choose_bandwidth(X, widths, criterion="hold_out_l2")
    fits = [KernelDensity(bandwidth=h).fit(X[:1000]) for h in widths]
    truth = np.array([l2_distance(fit) for fit in fits])
    constant = 1 / (2 * np.sqrt(np.pi))  # ∫p² of the standard normal
    np.testing.assert_allclose(-choice.scores + constant, truth, atol=0.02)
    assert choice.best == widths[truth.argmin()] == 0.3
    x = np.linspace(-8, 8, 4001)
    square = np.trapezoid(density(fits[2], x) ** 2, x)
    mean = density(fits[2], X[1000:]).mean()
    assert -choice.scores[2] == pytest.approx(square - 2 * mean, rel=1e-5)
    other = choose_bandwidth(X, widths, criterion="hold_out_l2", kernel="epanechnikov")
    assert 0.1 < other.best < 3.0


@pytest.mark.syllabus("S1-138", "S0A-125")
def test_folds_choose_as_scikit_learns_search_does_and_work_for_l2_too():
    X = np.random.default_rng(0).permutation(WEIGHTS)
    widths = [1.0, 9.0, 40.0]
    choice = choose_bandwidth(X, widths, criterion="folds", n_folds=9)
    search = GridSearchCV(KernelDensity(), {"bandwidth": widths}, cv=KFold(9)).fit(X)
    scores = 9 * search.cv_results_["mean_test_score"]
    np.testing.assert_allclose(choice.scores, scores)
    assert choice.best == search.best_params_["bandwidth"]
    leave_one_out = choose_bandwidth(X, widths, criterion="folds", n_folds=18)
    closed = choose_bandwidth(X, widths)
    np.testing.assert_allclose(leave_one_out.scores, closed.scores)
    assert choose_bandwidth(X, widths, criterion="folds_l2", n_folds=6).best == 9.0


@pytest.mark.syllabus("S1-139")
def test_a_ratio_of_densities_is_the_law_of_y_given_x():
    draw = np.random.default_rng(0)
    x = draw.uniform(-1, 1, size=(3000, 1))
    y = np.sin(3 * x[:, 0]) + 0.2 * draw.normal(size=3000)
    model = ConditionalDensity(0.05, 0.05).fit(x, y)
    at = np.linspace(-3, 3, 601)
    law = model.density(np.full((601, 1), 0.4), at)
    assert np.trapezoid(law, at) == pytest.approx(1.0, abs=1e-3)
    joint = KernelDensity(bandwidth=0.05).fit(np.column_stack([x, y]))
    alone = KernelDensity(bandwidth=0.05).fit(x)
    ratio = joint.score_samples([[0.4, 0.9]]) - alone.score_samples([[0.4]])
    assert np.log(model.density([[0.4]], [0.9])) == pytest.approx(ratio)
    same = ParzenWindowRegressor(width=0.05).fit(x, y)
    np.testing.assert_allclose(model.predict(x[:20]), same.predict(x[:20]))
    assert model.predict([[0.4]])[0] == pytest.approx(np.sin(1.2), abs=0.05)


@pytest.mark.syllabus("S1-140")
def test_the_support_is_where_the_estimate_is_positive_or_above_a_falling_level():
    draw = np.random.default_rng(0)
    x = np.linspace(-1, 4, 2001)[:, None]
    inside = ((x > 0) & (x < 1) | (x > 2) & (x < 3))[:, 0]
    wrong = []
    for n in (50, 500, 5000):
        X = draw.random((n, 1)) + 2 * draw.integers(0, 2, (n, 1))
        h, level = n ** (-1 / 3), 0.5 * n**-0.25
        rule = {"bandwidth": h, "kernel": "tophat"}
        support = DensityDetector(**rule, level=0.0).fit(X).predict(x) > 0
        assert np.array_equal(support, np.abs(x - X.T).min(axis=1) <= h)
        shrunk = DensityDetector(**rule, level=level).fit(X).predict(x) > 0
        assert not (shrunk & ~support).any()
        wrong.append(np.mean(shrunk != inside))
    assert wrong[0] > wrong[1] > wrong[2]
    assert wrong[2] < 0.05


@pytest.mark.syllabus("S1-141")
def test_the_level_sets_the_share_of_normal_samples_that_are_flagged():
    draw = np.random.default_rng(0)
    normal, new = draw.normal(size=(400, 2)), draw.normal(size=(2000, 2))
    for share in (0.01, 0.1, 0.3):
        model = DensityDetector(bandwidth=0.4, contamination=share).fit(normal)
        assert np.mean(model.predict(normal) < 0) == pytest.approx(share, abs=1e-9)
        assert np.mean(model.predict(new) < 0) == pytest.approx(share, abs=0.06)
        assert (model.predict([[6.0, 6.0], [-7.0, 0.0]]) == -1).all()
        inside = np.exp(model.score_samples(new)) > model.level_
        assert np.array_equal(model.predict(new) > 0, inside)


@pytest.mark.syllabus("S0A-108")
def test_frequencies_of_the_word_dog():
    estimate = DiscreteDensity.fit(DOG, support=range(7))
    assert estimate.counts.tolist() == [4, 2, 2, 1, 1, 0, 2]
    rounded = [0.33, 0.17, 0.17, 0.083, 0.083, 0, 0.17]
    np.testing.assert_allclose(estimate.probabilities, rounded, atol=0.004)
    assert estimate.probability(5) == estimate.probability("cat") == 0.0


@pytest.mark.syllabus("S0A-109")
def test_one_pseudo_count_for_every_value_of_the_word_dog():
    estimate = DiscreteDensity.fit(DOG, support=range(7), pseudo_count=1.0)
    np.testing.assert_allclose(19 * estimate.probabilities, [5, 3, 3, 2, 2, 1, 3])
    table = [0.26, 0.16, 0.16, 0.11, 0.11, 0.05, 0.16]
    assert estimate.probabilities.round(2).tolist() == table
    many = DiscreteDensity.fit(1000 * DOG, support=range(7), pseudo_count=1.0)
    plain = DiscreteDensity.fit(DOG, support=range(7))
    np.testing.assert_allclose(many.probabilities, plain.probabilities, atol=1e-3)


@pytest.mark.syllabus("S0A-110")
def test_in_many_dimensions_almost_no_value_is_ever_seen():
    draw = np.random.default_rng(0)
    seen = []
    for d in (2, 8, 14):
        bits = draw.integers(0, 2, size=(1000, d)) @ (1 << np.arange(d))
        estimate = DiscreteDensity.fit(bits.tolist(), support=range(2**d))
        seen.append(np.mean(estimate.probabilities > 0))
    assert seen[0] == 1.0
    assert seen[0] > seen[1] > seen[2]
    assert seen[2] <= 1000 / 2**14
    # A black and white picture of 100 × 100 has 2¹⁰⁰⁰⁰ states.
    assert 10_000 * np.log10(2) == pytest.approx(3010.3, abs=0.01)


@pytest.mark.syllabus("S0A-111")
def test_the_empirical_measure_puts_one_eighteenth_on_each_weight():
    assert len(WEIGHTS) == 18
    assert WEIGHTS.mean() == pytest.approx(81.333, abs=1e-3)
    assert np.median(WEIGHTS) == 86.0
    atoms = DiscreteDensity.fit(WEIGHTS[:, 0].tolist())
    np.testing.assert_allclose(atoms.probabilities, 1 / 18)
    # Windows ever narrower tend to these atoms: all mass within a pound of one.
    x = np.linspace(40, 115, 75_001)
    values = density(KernelDensity(bandwidth=0.05).fit(WEIGHTS), x)
    near = np.abs(x[:, None] - WEIGHTS.T).min(axis=1) < 0.3
    assert np.trapezoid(np.where(near, values, 0), x) == pytest.approx(1.0, abs=1e-6)
