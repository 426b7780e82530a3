"""Bounds for classes: the printed numbers, their inverses, and simulations."""

from math import inf, log

import numpy as np
import pytest
from scipy.optimize import brentq

from infimum import theory
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.models.linear import Ridge
from infimum.theory import (
    CapacityBound,
    Discs,
    FiniteBound,
    FiniteClass,
    Guarantee,
    Histograms,
    RademacherBound,
    ShatteringBound,
    SineWaves,
    StructuralRiskMinimizer,
    Thresholds,
    VCBound,
    bound_of,
    check_schedule,
    log_sauer_shelah,
    rademacher,
)

BOUNDS = [
    FiniteBound.of(50),
    ShatteringBound.of(Discs()),
    VCBound(3),
    RademacherBound(lambda n: 2 / np.sqrt(n)),
]


def test_every_exported_bound_is_put_through_the_laws():
    kinds = {
        kind
        for kind in (getattr(theory, name) for name in theory.__all__)
        if isinstance(kind, type) and issubclass(kind, CapacityBound)
    }
    assert kinds - {CapacityBound} == {type(each) for each in BOUNDS}


@pytest.mark.syllabus("S4B-091")
@pytest.mark.parametrize("bound", BOUNDS, ids=lambda each: type(each).__name__)
def test_a_bound_is_what_was_measured_plus_capacity_plus_luck(bound):
    promise = bound.guarantee(5000, 0.07, 0.9)
    assert isinstance(promise, Guarantee)
    assert promise.bound == pytest.approx(0.07 + promise.capacity + promise.slack)
    assert promise.capacity > 0
    assert promise.slack > 0
    assert promise.bound == pytest.approx(0.07 + bound.width(5000, 0.1))
    shared = bound.guarantee(5000, 0.07, 0.9, comparisons=4)
    assert shared.bound == pytest.approx(0.07 + bound.width(5000, 0.025))


@pytest.mark.parametrize("bound", BOUNDS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 0.05), (0.03, 0.3)])
def test_bounds_shrink_and_invert(bound, epsilon, delta):
    widths = [bound.width(n, delta) for n in (10, 100, 1000, 10_000)]
    assert np.all(np.diff(widths) < 0)
    n = bound.sample_size(epsilon, delta)
    assert bound.width(n, delta) <= epsilon < bound.width(n - 1, delta)
    for bad in ((0, 0.1), (5, 0.0), (5, 1.0)):
        with pytest.raises(InvalidParameterError):
            bound.width(*bad)
    with pytest.raises(InvalidParameterError):
        bound.sample_size(0.0, 0.1)


@pytest.mark.syllabus("S4B-070", "S2-102")
def test_the_numbers_of_the_finite_bound():
    assert round(FiniteBound.of(50).width(1000, 0.05), 6) == 0.061648
    assert round(FiniteBound.of(100).width(1000, 0.05), 6) == 0.064397
    assert FiniteBound.of(50).width(1, 0.05) == pytest.approx((log(2000) / 2) ** 0.5)
    assert FiniteBound.of(100).sample_size(0.05, 0.05) == 1659
    most = FiniteBound.of(1).largest(1000, 0.061648, 0.05)
    assert np.exp(most) == pytest.approx(50, rel=1e-3)
    assert FiniteBound.of(2**10_000).width(10**6, 0.05) == pytest.approx(
        np.sqrt((10_001 * log(2) + log(20)) / 2e6)
    )


@pytest.mark.syllabus("S4B-069", "S2-101")
def test_the_probability_form_bounds_a_simulation(rng):
    m, n, epsilon = 30, 100, 0.12
    risks = rng.random(m)
    errors = rng.binomial(n, risks, (4000, m)) / n
    seen = np.mean(np.any(np.abs(errors - risks) >= epsilon, axis=1))
    proved = 2 * m * np.exp(-2 * n * epsilon**2)
    law = theory.UnionBound(theory.Hoeffding(), m)
    assert law._log_probability(n, epsilon) == pytest.approx(log(proved))
    assert seen <= min(1.0, proved)
    wide = law.radius(n, 0.1)
    assert np.mean(np.any(np.abs(errors - risks) >= wide, axis=1)) <= 0.1
    assert wide == pytest.approx(FiniteBound.of(m).width(n, 0.1))


@pytest.mark.syllabus("S4B-076")
def test_the_shattering_bound_inverts_exactly():
    bound = ShatteringBound(lambda n: log_sauer_shelah(n, 3))
    n, delta = 1000, 0.05
    epsilon = bound.width(n, delta)
    assert round(epsilon, 5) == 0.31432
    assert 2 * 1_333_335_001 * np.exp(-n * epsilon**2 / 4) == pytest.approx(delta)
    assert ShatteringBound.of(Discs()).width(n, delta) == pytest.approx(epsilon)
    assert n * epsilon**2 >= 2  # what the symmetrisation lemma needs
    loose = 2 * np.sqrt((log_sauer_shelah(2000, 3) - log(delta)) / n)
    failing = 2 * 1_333_335_001 * np.exp(-n * loose**2 / 4)
    assert failing == pytest.approx(2 * delta)


@pytest.mark.syllabus("S4B-086", "S4B-088")
def test_the_vc_bound_and_how_many_rows_it_asks_for():
    assert round(VCBound(3).width(1000, 0.05), 5) == 0.32370
    assert VCBound(3).width(1000, 0.05) >= ShatteringBound.of(Discs()).width(1000, 0.05)
    assert VCBound(3).sample_size(0.1, 0.05) == 13_612

    def gap(n):
        inside = log(2) + 3 * log(2 * np.e * n / 3) - log(0.05)
        return 2 * np.sqrt(inside / n) - 0.1

    assert np.ceil(brentq(gap, 10, 1e6)) == 13_612
    ratio = 13_612 / (3 / 0.1**2)
    assert 40 < ratio < 50  # constants and a logarithm above d/ε²
    assert VCBound(3).largest(13_612, 0.1, 0.05) == 3
    assert VCBound(3).largest(13_611, 0.1, 0.05) == 2


@pytest.mark.syllabus("S4B-087")
def test_an_infinite_dimension_has_no_bound(rng):
    with pytest.raises(IncompatibleError, match="no uniform bound"):
        VCBound(inf)
    with pytest.raises(IncompatibleError, match="SineWaves"):
        ShatteringBound.of(SineWaves())
    # Sine waves fit any labels of these points: the training error is 0 for ever.
    for n in (4, 8, 11):
        X, y = 10.0 ** -np.arange(1, n + 1), rng.choice([-1, 1], n)
        t = SineWaves().realize(X, y)
        assert np.array_equal(SineWaves().predict(t, X), y)


@pytest.mark.syllabus("S4B-090")
def test_the_rademacher_bound_holds_and_beats_the_vc_bound(rng):
    n, points = 400, np.arange(8)
    hypotheses, missed, narrow = Thresholds(), 0, 0
    truth = np.where(points >= 3, 1, -1)
    for _ in range(200):
        X = rng.integers(0, 8, n)
        flipped = rng.random(n) < 0.2
        y = np.where(flipped, -truth[X], truth[X])
        best = hypotheses.minimize(X, y)
        complexity = rademacher(hypotheses, X, draws=30).value
        bound = RademacherBound(complexity).guarantee(n, best.risk, 0.8).bound
        said = np.where(points >= best.parameters, 1, -1)
        risk = np.mean(np.where(said == truth, 0.2, 0.8))
        missed += risk > bound
        narrow += bound < VCBound(1).guarantee(n, best.risk, 0.8).bound
    assert missed <= 40
    assert narrow == 200
    expected = RademacherBound(0.04, empirical=False).width(500, 0.1)
    assert expected == pytest.approx(0.04 + np.sqrt(log(10) / 1000))
    # The loss (1 - y f)/2 of ±1 functions has half the complexity of f.
    table = np.array([[1, 1, -1], [-1, 1, 1]])
    losses = (1 - table * np.array([1, -1, 1])) / 2
    assert rademacher(losses).value == pytest.approx(rademacher(table).value / 2)


@pytest.mark.syllabus("S4B-071", "S2-099")
def test_histograms_may_grow_slower_than_the_rows():
    bound = bound_of(Histograms(7))
    expected = np.sqrt((8 * log(2) + log(20)) / (2 * 900))
    assert bound.width(900, 0.05) == pytest.approx(expected)
    slow = [bound_of(Histograms(int(n**0.5))).width(n, 0.05) for n in (10**3, 10**7)]
    same = [bound_of(Histograms(n // 2)).width(n, 0.05) for n in (10**3, 10**7)]
    assert slow[1] < slow[0] / 5
    assert same[1] > 0.4
    x = np.linspace(0, 0.999, 4000)
    y = np.where(np.sin(40 * np.pi * x) > 0, 1, -1)  # varies inside every cell
    assert Histograms(4).minimize(x, y).risk > 0.4
    assert Histograms(40).minimize(x, y).risk < 0.01


@pytest.mark.syllabus("S4B-092")
def test_structural_risk_minimisation_pays_for_cells_only_with_enough_rows(rng):
    rule = StructuralRiskMinimizer([Histograms(k) for k in (1, 4, 16, 64, 256)])
    chosen = []
    for n in (20, 2000, 100_000):
        x = rng.random(n)
        y = np.where(np.sin(64 * np.pi * x) > 0, 1, -1)
        y = np.where(rng.random(n) < 0.3, -y, y)
        found = rule.minimize(x, y)
        chosen.append(found.hypotheses.cells)
        assert found.guarantee.bound == min(each.bound for each in found.guarantees)
        assert found.guarantee.comparisons == 5
        assert np.mean(found.predict(x) != y) == pytest.approx(found.guarantee.estimate)
    assert chosen[0] <= 4
    assert chosen == sorted(chosen)
    assert chosen[-1] == 64  # the true number
    with pytest.raises(DataError, match="at least one"):
        StructuralRiskMinimizer([]).minimize([0.5], [1])


@pytest.mark.syllabus("S4B-093")
def test_penalty_and_constraint_agree_and_schedules_are_checked(rng):
    X = rng.standard_normal((60, 4))
    y = X @ [1.0, -2.0, 0.5, 0.0] + rng.standard_normal(60)
    model = Ridge(alpha=7.0, fit_intercept=False).fit(X, y)
    size = np.linalg.norm(model.coef_)
    for _ in range(200):  # no other point of the ball has a smaller risk
        w = rng.standard_normal(4)
        w *= size / np.linalg.norm(w)
        assert np.sum((y - X @ w) ** 2) >= np.sum((y - X @ model.coef_) ** 2)
    assert check_schedule(lambda n: n**-0.5).consistent
    assert check_schedule(lambda n: n**-0.9).consistent
    assert not check_schedule(lambda _: 1e-3).vanishes
    assert not check_schedule(lambda n: 5 / n).capacity_vanishes
    assert not check_schedule(lambda n: n**-2.0).capacity_vanishes
    with pytest.raises(DataError, match="positive"):
        check_schedule(lambda _: 0.0)


@pytest.mark.syllabus("S4B-095", "S4B-096")
def test_ten_wild_functions_are_a_smaller_class_than_lines():
    lines, ten = FiniteBound.of(201), FiniteBound.of(10)
    assert round(lines.width(1000, 0.05), 5) == 0.06705
    assert round(ten.width(1000, 0.05), 5) == 0.05473
    for d in (1, 3, 10):
        expected = np.sqrt((log(2) + d * log(201) + log(20)) / 2000)
        assert FiniteBound.of(201**d).width(1000, 0.05) == pytest.approx(expected)
    assert FiniteBound.of(2**40).bits == pytest.approx(40)
    assert FiniteBound.of_bits(40) == FiniteBound(40 * log(2))


def test_what_cannot_be_a_class_is_refused():
    for make in (
        lambda: FiniteBound.of(0),
        lambda: FiniteBound(-1.0),
        lambda: VCBound(0),
        lambda: FiniteBound.of(3).guarantee(10, 1.5),
        lambda: FiniteBound.of(3).guarantee(10, 0.5, 1.0),
    ):
        with pytest.raises(InvalidParameterError):
            make()
    assert RademacherBound(0.3).sample_size(0.2, 0.1) == inf
    assert bound_of(FiniteClass([[1], [-1]])) == FiniteBound(log(2))
