"""What the texts say of widths: too narrow overfits, too wide is blind."""

import numpy as np
import pytest

from infimum.models.density import DiscreteDensity, KernelDensity, choose_bandwidth
from infimum.models.neighbors import NearestNeighbors

WEIGHTS = np.array(
    [57, 88, 54, 84, 83, 59, 56, 43, 70, 63, 90, 98, 102, 97, 106, 99, 103, 112.0]
)[:, None]


@pytest.mark.syllabus("S0A-122")
def test_the_likelihood_of_the_samples_themselves_wants_the_narrowest_window():
    widths = (10, 3, 1, 0.3, 0.01)
    scores = [KernelDensity(bandwidth=r).fit(WEIGHTS).score(WEIGHTS) for r in widths]
    np.testing.assert_allclose(
        scores, [-77.88, -72.53, -63.08, -46.86, 14.33], atol=0.005
    )
    assert (np.diff(scores) > 0).all()


@pytest.mark.syllabus("S0A-123")
def test_sums_of_logarithms_survive_where_products_vanish():
    law = DiscreteDensity.fit(list(range(100)))
    draws = [7] * 1000
    assert np.prod([law.probability(value) for value in draws]) == 0.0
    assert law.log_likelihood(draws) == pytest.approx(-4605.17, abs=0.01)
    model = KernelDensity(bandwidth=0.1).fit([[0.0]])
    assert np.prod(np.exp(model.score_samples([[0.4]] * 1000))) == 0.0
    assert model.score([[0.4]] * 1000) == pytest.approx(
        1000 * (-8 - np.log(0.1 * np.sqrt(2 * np.pi)))
    )


@pytest.mark.syllabus("S0A-124")
def test_a_validation_set_keeps_the_width_away_from_0():
    draw = np.random.default_rng(0)
    X, held_out = draw.normal(size=(100, 1)), draw.normal(size=(100, 1))
    widths = np.geomspace(1e-3, 3, 30)
    fits = [KernelDensity(bandwidth=r).fit(X) for r in widths]
    on_own = widths[np.argmax([fit.score(X) for fit in fits])]
    on_new = widths[np.argmax([fit.score(held_out) for fit in fits])]
    assert on_own == widths[0]
    assert 0.1 < on_new < 1.0


@pytest.mark.syllabus("S0A-126")
def test_leaving_one_out_has_a_closed_form_and_an_optimum():
    m = len(WEIGHTS)
    one_by_one = sum(
        KernelDensity(bandwidth=5)
        .fit(np.delete(WEIGHTS, i, axis=0))
        .score(WEIGHTS[[i]])
        for i in range(m)
    )
    model = KernelDensity(bandwidth=5).fit(WEIGHTS)
    assert model.leave_one_out() == pytest.approx(one_by_one, abs=1e-10)
    assert model.leave_one_out() == pytest.approx(-82.2938, abs=1e-4)
    # m/(m - 1)·(p̂(x) - h(0)/(m r)): the whole less the own window
    own = 1 / (m * 5 * np.sqrt(2 * np.pi))
    others = np.exp(model.score_samples(WEIGHTS)) - own
    closed = m * np.log(m / (m - 1)) + np.log(others).sum()
    assert model.leave_one_out() == pytest.approx(closed)
    best = KernelDensity(bandwidth="leave_one_out").fit(WEIGHTS)
    assert best.bandwidth_ == pytest.approx(8.78, abs=0.01)
    assert best.leave_one_out() == pytest.approx(-80.248, abs=1e-3)
    # Where windows are narrow the subtraction has no digits left; our sum has all.
    narrow = KernelDensity(bandwidth=0.5).fit(WEIGHTS)
    gaps = (WEIGHTS - WEIGHTS.T) / 0.5
    np.fill_diagonal(gaps, np.inf)
    sums = np.exp(-0.5 * gaps**2).sum(axis=1)
    exact = np.log(sums / ((m - 1) * 0.5 * np.sqrt(2 * np.pi))).sum()
    assert narrow.leave_one_out() == pytest.approx(exact, rel=1e-10)


@pytest.mark.syllabus("S0A-127")
def test_widths_must_fall_to_0_but_slowly():
    draw = np.random.default_rng(0)
    x = np.linspace(-4, 4, 401)
    truth = np.exp(-0.5 * x**2) / np.sqrt(2 * np.pi)

    def error(m, r):
        fit = KernelDensity(bandwidth=r).fit(draw.normal(size=(m, 1)))
        values = np.exp(fit.score_samples(x[:, None]))
        return np.trapezoid((values - truth) ** 2, x)

    sizes = (100, 1000, 10_000)
    scott = [KernelDensity(bandwidth="scott").fit(np.zeros((m, 1))) for m in sizes]
    slow = [error(m, fit.bandwidth_) for m, fit in zip(sizes, scott, strict=True)]
    rules = [fit.bandwidth_ for fit in scott]
    assert rules == pytest.approx([m**-0.2 for m in sizes])
    assert np.diff(np.multiply(rules, sizes)).min() > 0  # ever more samples in range
    assert slow[0] > slow[1] > slow[2]
    assert error(10_000, 1 / 10_000) > 10 * slow[2]  # m·r stays 1: it never settles
    assert error(10_000, 1.0) > 10 * slow[2]  # r stays 1: it settles on a blur


@pytest.mark.syllabus("S0A-128")
def test_local_widths_are_half_the_mean_distance_to_nine_neighbours():
    model = KernelDensity(bandwidth="local").fit(WEIGHTS)
    near = NearestNeighbors(n_neighbors=9).fit(WEIGHTS).kneighbors()[0]
    np.testing.assert_allclose(model.widths_, 0.5 * near.mean(axis=1))
    np.testing.assert_allclose(
        model.widths_[:4], [6.833, 4.889, 7.722, 5.778], atol=1e-3
    )
    x = np.linspace(-60, 220, 20_001)
    values = np.exp(model.score_samples(x[:, None]))
    assert np.trapezoid(values, x) == pytest.approx(1.0, abs=1e-6)
    # Cities and outback: no single width suits a density of two scales.
    draw = np.random.default_rng(0)

    def two_scales(n):
        return np.where(
            draw.random((n, 1)) < 0.5, draw.normal(0, 0.01, (n, 1)),
            draw.normal(5, 3, (n, 1)),
        )  # fmt: skip

    X, held_out = two_scales(300), two_scales(300)
    local = KernelDensity(bandwidth="local").fit(X).score(held_out)
    widths = np.geomspace(0.003, 3, 25)
    fixed = [KernelDensity(bandwidth=r).fit(X).score(held_out) for r in widths]
    assert local > max(fixed) + 30


def test_the_criteria_agree_on_a_smooth_law():
    X = np.random.default_rng(1).normal(size=(300, 2))
    widths = [0.02, 0.1, 0.45, 2.0, 9.0]
    for criterion in ("leave_one_out", "folds", "folds_l2", "hold_out_l2"):
        choice = choose_bandwidth(X, widths, criterion=criterion, n_folds=5)
        assert choice.best == 0.45
    assert len(choose_bandwidth(X[:50], n_folds=5).scores) == 30
