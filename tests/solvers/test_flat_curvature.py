"""Losses that are flat in places: the curvature at a point may say nothing."""

import warnings
from dataclasses import dataclass, replace

import numpy as np
import pytest
from sklearn.datasets import load_diabetes

from infimum import RiskMinimizer
from infimum.data.designs import as_design
from infimum.losses import Huber, SquaredEpsilonInsensitive, SquaredHinge
from infimum.models.warnings import UncertifiedWarning
from infimum.objectives import LinearRisk
from infimum.penalties import Lasso, NoPenalty, Ridge
from infimum.solvers import CoordinateDescent, Newton
from infimum.solvers.progress import STUCK, Patience
from infimum.solvers.second_order._line_minimum import minimum_along, shifted
from infimum.solvers.second_order._wide_step import widened

FLAT = [
    Huber(),
    Huber(0.05),
    Huber(20.0),
    SquaredHinge(),
    SquaredEpsilonInsensitive(),
    SquaredEpsilonInsensitive(30.0),
]
STRENGTHS = (1e-8, 1e-5, 1e-3, 1e-1, 10.0)
X, Y = load_diabetes(return_X_y=True)


def test_huber_goes_down_to_the_optimum_of_a_known_hard_case():
    model = RiskMinimizer("huber", "ridge", strength=1e-3).fit(X[148:], Y[148:])
    assert model.certificate_.closed
    assert model.certificate_.primal == pytest.approx(65.2275, abs=1e-4)


def some_rows(seed):
    """Return some rows of a real table, every other time in bad units."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(15, len(Y)))
    rows = draw.choice(len(Y), n, replace=False)
    units = 10.0 ** draw.uniform(-2.0, 4.0, size=X.shape[1]) if seed % 2 else 1.0
    return X[rows] * units, Y[rows]


def targets(loss, y):
    return np.where(y > np.median(y), 1.0, -1.0) if loss.target == "sign" else y


def risk_of(loss, penalty, seed):
    table, y = some_rows(seed)
    return LinearRisk(as_design(table - table.mean(0)), targets(loss, y), loss, penalty)


@pytest.mark.parametrize("loss", FLAT, ids=repr)
def test_newton_alone_closes_the_gap_on_any_rows(loss):
    for seed in range(40):
        for penalty in (*map(Ridge, STRENGTHS), NoPenalty()):
            found = Newton().solve(risk_of(loss, penalty, seed))
            assert found.certified, (seed, penalty, found.certificate)


@pytest.mark.parametrize("loss", FLAT[:3], ids=repr)
def test_a_lasso_is_closed_by_whoever_can(loss):
    for seed in range(12):
        table, y = some_rows(seed)
        for strength in STRENGTHS[1:]:
            model = RiskMinimizer(loss, "lasso", strength=strength)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UncertifiedWarning)
                proof = model.fit(table, targets(loss, y)).certificate_
            # Where the price is next to nothing, rounding may be all that is left.
            assert proof.closed or proof.rounded, (seed, strength, proof)


def test_coordinate_descent_takes_mean_curvatures_too():
    closed = sum(
        CoordinateDescent().solve(risk_of(loss, Lasso(1e-3), seed)).certified
        for loss in FLAT[:3]
        for seed in range(12)
    )
    assert closed >= 26


@dataclass(frozen=True)
class Unbounded(SquaredHinge):
    """A loss of somebody who did not say how far it bends."""

    curvature = float("inf")


def test_a_loss_without_a_bound_on_its_curvature_is_minimised_too():
    for seed in range(8):
        for strength in STRENGTHS:
            found = Newton().solve(risk_of(Unbounded(), Ridge(strength), seed))
            assert found.certified, (seed, strength, found.certificate)


def test_curvatures_over_a_window_are_means(rng):
    risk = risk_of(Huber(2.0), Ridge(0.1), 3)
    here = risk.evaluate(risk.null)
    for width in (0.5, 5.0, 500.0):
        offsets = (np.arange(2000) + 0.5) / 1000.0 - 1.0
        mean = sum(risk.loss.hessian(risk.y, here.scores + width * o) for o in offsets)
        found = widened(here, width).bends
        np.testing.assert_allclose(found, mean / 2000, atol=2e-3)
    np.testing.assert_array_equal(widened(here, np.inf).bends, 1.0)


def test_a_rough_line_search_leaves_the_share_it_may(rng):
    risk = risk_of(Huber(0.05), Ridge(1e-3), 2)
    here = risk.evaluate(rng.standard_normal(X.shape[1] + 1))
    direction = -here.gradient
    shift = shifted(here, direction)
    for share in (0.5, 0.1, 1e-3):
        step = minimum_along(here, direction, shift, share=share)
        there = risk.evaluate(here.point + step * direction)
        first, last = (float(at.gradient @ direction) for at in (here, there))
        assert abs(last) <= share * abs(first) * (1.0 + 1e-6)


def test_patience_lasts_while_the_risk_falls_by_more_than_rounding():
    falling, level = Patience(3), Patience(3)
    assert not any(falling.lost(1.0, i, 2.0 - 1e-3 * i) for i in range(20))
    assert any(level.lost(1.0, i, 2.0 - 1e-15 * i) for i in range(20))


def test_a_gap_beyond_rounding_is_handed_on(monkeypatch):
    """However narrow: a method that is stuck there is not the last word."""
    table, y = some_rows(4)
    model = RiskMinimizer("huber", "ridge", strength=1e-3, tol=1e-9, warm_start=True)
    model.fit(table, y)
    run, asked = Newton.run, []

    def nearly(solver, risk, start=None, callback=None):
        found = run(replace(solver, tolerance=1e-4), risk, start, callback)
        proof = replace(found.certificate, tolerance=solver.tolerance, reason=STUCK)
        asked.append(not proof.closed)
        return replace(found, certificate=proof)

    monkeypatch.setattr(Newton, "run", nearly)
    # Newton's method would end in its last step on the optimum itself.
    model.coef_ = model.coef_ * (1.0 + 1e-6)
    assert model.fit(table, y).certificate_.closed
    assert asked == [True]
