"""Pairs that once took long: many scores, sets in bad units, faint group prices."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from infimum import RiskMinimizer
from infimum.data.designs import as_design
from infimum.losses import (
    AdditiveMulticlassHinge,
    Hinge,
    MulticlassHinge,
    Probit,
    Quantile,
)
from infimum.models.linear._overflow import _trouble
from infimum.objectives import LinearRisk
from infimum.penalties import (
    LinearEqualities,
    NonNegative,
    Simplex,
    SparseGroupLasso,
)
from infimum.solvers import AugmentedLagrangian
from infimum.solvers.progress import Iterate, Progress
from infimum.solvers.second_order._affine_products import AffineProducts


def classes(rng, n, d, count):
    X = rng.standard_normal((n, d)) @ rng.standard_normal((d, d))
    pulls = X @ rng.standard_normal((d, count)) / d + rng.gumbel(size=(n, count))
    return X, pulls.argmax(axis=1).astype(float)


@pytest.mark.parametrize(
    "penalty",
    [
        LinearEqualities(),
        NonNegative(),
        SparseGroupLasso(1e-3, groups=((0, 1, 2), (3, 4))),
    ],
    ids=["LinearEqualities", "NonNegative", "SparseGroupLasso"],
)
@pytest.mark.parametrize("loss", [AdditiveMulticlassHinge, MulticlassHinge])
def test_hinges_of_many_classes_are_proved(loss, penalty, rng):
    X, y = classes(rng, 100, 5, 5)
    risk = LinearRisk(as_design(sparse.csr_array(X)), y, loss(5), penalty)
    solution = AugmentedLagrangian().solve(risk)
    # Slopes at the corners of their domain have little room to be balanced exactly.
    assert solution.certificate.relative_gap <= 1e-4
    assert solution.here.value - solution.history[-1].dual <= 1e-6 * risk.scale
    assert solution.iterations <= 40


@pytest.mark.parametrize("penalty", [Simplex(), LinearEqualities()], ids=["s", "e"])
def test_sets_in_bad_units_take_few_roundings(penalty, rng):
    X = rng.standard_normal((200, 20)) * 10.0 ** rng.uniform(-4, 4, 20)
    y = rng.standard_normal(200)
    risk = LinearRisk(as_design(X), y, Quantile(0.3), penalty)
    solution = AugmentedLagrangian().solve(risk)
    assert solution.certified
    assert solution.iterations <= 20


@pytest.mark.parametrize(
    "penalty",
    [Simplex(2.0), LinearEqualities(((1.0, 2.0, 0.5, 1.0),), (1.0,))],
    ids=["s", "e"],
)
def test_steps_for_each_coefficient_are_those_of_the_scaled_distance(penalty, rng):
    steps = np.array([1e-2, 1.0, 30.0, 0.5])
    for _ in range(20):
        w = 3.0 * rng.standard_normal(4)
        found = penalty.prox(w, steps)
        assert penalty.value(found) == 0.0
        least = float(((found - w) ** 2 / steps).sum())
        for other in rng.standard_normal((50, 4)):
            inside = penalty.prox(found + 0.1 * other, 1.0)
            assert float(((inside - w) ** 2 / steps).sum()) >= least * (1 - 1e-9)
        nudge = 1e-7 * rng.standard_normal(4)
        moved = (nudge - (penalty.prox(w + nudge, steps) - found)) / steps
        np.testing.assert_allclose(
            penalty.stiffness(w, steps) @ nudge, moved, rtol=1e-5, atol=1e-12
        )


@pytest.mark.parametrize("steps", [1.0, np.array([1.0, 2.0, 0.5])], ids=["1", "3"])
def test_shares_of_numbers_of_any_size_add_up(steps):
    for w in ([1e17, 3.0, 2.0], [-1e18, -3e18, -2e18], [1e17, 1e17, -1e300]):
        found = Simplex(2.0).prox(np.array(w), steps)
        assert found.sum() == pytest.approx(2.0)
        assert found.min() >= 0.0


@pytest.mark.parametrize("intercept", [True, False])
def test_products_are_the_same_with_and_without_a_table(intercept, rng, monkeypatch):
    X = rng.standard_normal((30, 4))
    risk = LinearRisk(
        as_design(sparse.csr_array(X)), X[:, 0], Hinge(), NonNegative(),
        intercept=intercept,
    )  # fmt: skip
    small = AffineProducts(risk)
    monkeypatch.setattr("infimum.solvers.second_order._affine_products.SMALL", 0)
    large = AffineProducts(risk)
    assert small.table is not None
    assert large.table is None
    point, slopes = rng.standard_normal((5, 2)), rng.standard_normal((30, 2))
    bends = np.where(rng.uniform(size=30) < 0.6, 0.0, rng.standard_normal(30))
    for given in (("scores", point), ("pull_back", slopes), ("gram", bends)):
        one, other = (getattr(each, given[0])(given[1]) for each in (small, large))
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_slopes_of_one_point_may_prove_another(rng):
    X = rng.standard_normal((40, 3))
    y = np.sign(X[:, 0] + rng.standard_normal(40))
    risk = LinearRisk(as_design(X), y, Hinge(), SparseGroupLasso(0.05))
    done = AugmentedLagrangian(tolerance=1e-9).solve(risk)
    progress = Progress(risk, (1e-6, 100, None), None)
    poor = risk.evaluate(done.point + 0.1)
    assert not progress.take(Iterate(poor, 1, done.slopes))
    assert progress.take(Iterate(done.here, 2, np.zeros(40)))
    found = progress.solution()
    assert found.certified
    np.testing.assert_array_equal(found.slopes, done.slopes)


def test_a_column_of_zeros_may_take_what_equations_ask_for(rng):
    X = rng.standard_normal((80, 6)) * (rng.uniform(size=(80, 6)) < 0.3)
    X[:, 2] = 0.0
    y = np.sign(X[:, 0] + rng.standard_normal(80))
    penalty = LinearEqualities((tuple(np.ones(6)),), (1.0,))
    model = RiskMinimizer(Probit(), penalty).fit(X, y)
    assert model.certificate_.closed
    assert model.coef_.sum() == pytest.approx(1.0)


def test_an_infinite_risk_is_not_blamed_on_finite_coefficients():
    found = SimpleNamespace(coef_=np.zeros(2), intercept_=0.0)
    assert "no coefficients of finite risk" in _trouble(found)
    found.intercept_ = np.inf
    assert "coefficients that are not finite" in _trouble(found)
    found.coef_[0], found.intercept_ = np.inf, 0.0
    assert "coefficients that are not finite" in _trouble(found)


def test_designs_of_few_entries_are_left_sparse(rng):
    X, y = np.eye(30), np.repeat([0.0, 1.0, 2.0], 10)
    thin, full = (as_design(sparse.csr_array(each)) for each in (X, X + 1.0))
    pairs = Hinge(), AdditiveMulticlassHinge(3)
    tables = [
        AffineProducts(LinearRisk(design, y, loss, NonNegative())).table is not None
        for design in (thin, full)
        for loss in pairs
    ]
    assert tables == [False, True, True, True]
