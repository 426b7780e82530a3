"""Steepest descent, spectral gradients and reweighted least squares on smooth risks."""

from itertools import pairwise

import numpy as np
import pytest

from infimum.data.designs import as_design
from infimum.losses import Absolute, Gamma, Huber, Logistic, Poisson, Softmax, Squared
from infimum.objectives import LinearRisk, reweighted_least_squares
from infimum.penalties import Lasso, NoPenalty, Ridge
from infimum.solvers import Newton
from infimum.study.convexity import BarzilaiBorwein, ExactStep, GradientDescent, Oracle
from infimum.study.solvers import (
    ReweightedLeastSquares,
    SpectralGradient,
    SteepestDescent,
    trace,
)
from tests.solvers.problems import problem

LOSSES = [Squared(), Logistic(), Huber(0.5), Poisson(), Gamma()]
SOLVERS = [SteepestDescent, SpectralGradient, ReweightedLeastSquares]


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: s.__name__)
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_smooth_risks_are_minimised_as_by_newton(loss, kind, solver, rng):
    weight, offset = rng.uniform(0.5, 2.0, size=30), 0.1 * rng.normal(size=30)
    risk = problem(loss, Ridge(0.1), kind, sample_weight=weight, offset=offset)
    solution = solver(1e-6).solve(risk)
    assert solution.certified
    least = Newton(1e-10).solve(risk).certificate.primal
    assert solution.certificate.primal <= least + 1.1e-6 * risk.scale


def as_function(risk):
    return Oracle(risk.value, lambda point: risk.evaluate(point).gradient)


def test_exact_steps_are_those_of_the_textbook():
    risk = problem(Logistic(), Ridge(0.1), intercept=False)
    ours = trace(SteepestDescent(1e-14, 8), risk)
    plain = GradientDescent(ExactStep(), max_iterations=8).minimize(
        as_function(risk), np.zeros(5)
    )
    np.testing.assert_allclose(ours.points, plain.points, atol=1e-5)
    # The gradient where a search ends is orthogonal to its direction.
    gradients = [risk.evaluate(point).gradient for point in ours.points[:4]]
    for before, after in pairwise(gradients):
        sizes = np.linalg.norm(before) * np.linalg.norm(after)
        assert abs(before @ after) < 1e-6 * sizes


def test_spectral_steps_need_far_fewer_products_than_steepest_ones():
    risk = problem(Squared(), Ridge(1e-3), n=100, d=15, seed=4)
    X = risk.design.toarray() * np.linspace(0.3, 3.0, 15)
    risk = LinearRisk(as_design(X), risk.y, Squared(), Ridge(1e-3))
    spectral = SpectralGradient(1e-8, check_every=1).solve(risk)
    steepest = SteepestDescent(1e-8).solve(risk)
    assert spectral.certified
    assert steepest.certified
    assert 4 * spectral.iterations < steepest.iterations


def test_the_spectral_method_agrees_with_the_one_to_study():
    risk = problem(Logistic(), Ridge(0.1), intercept=False)
    found = SpectralGradient(1e-12).solve(risk).point
    plain = BarzilaiBorwein().minimize(as_function(risk), np.zeros(5)).point
    np.testing.assert_allclose(found, plain, atol=1e-6)


def test_a_reweighted_regression_is_a_newton_step():
    risk = problem(Logistic(), Ridge(0.05), n=60, d=5)
    seen = trace(ReweightedLeastSquares(1e-12), risk)
    for before, after in pairwise(seen.points[:4]):
        here = risk.evaluate(before)
        step = np.linalg.solve(risk.hessian(here.bends), here.gradient)
        np.testing.assert_allclose(after, before - step, atol=1e-10)
        model = reweighted_least_squares(here)
        slopes = model.evaluate(after).gradient
        np.testing.assert_allclose(slopes, 0.0, atol=1e-10)


def test_collinear_features_do_not_stop_a_regression():
    risk = problem(Logistic(), NoPenalty(), n=60, d=3)
    X = risk.design.toarray()
    doubled = type(risk)(
        type(risk.design)(np.column_stack([X, X[:, 0]])),
        risk.y,
        Logistic(),
        NoPenalty(),
    )
    solution = ReweightedLeastSquares().solve(doubled)
    assert solution.certified
    least = Newton().solve(risk).certificate.primal
    assert solution.certificate.primal == pytest.approx(least, rel=1e-5)


def test_kinks_corners_and_coupled_scores_are_refused():
    for solver in SOLVERS:
        assert "kink" in solver().objection(problem(Absolute(), Ridge()))
        assert "quadratic" in solver().objection(problem(Squared(), Lasso()))
    assert "couples" in ReweightedLeastSquares().objection(problem(Softmax(3), Ridge()))
    fixed = SteepestDescent(step="fixed")
    assert "curvature" in fixed.objection(problem(Poisson(), Ridge()))


def test_vector_losses_are_welcome_where_only_gradients_count():
    risk = problem(Softmax(3), Ridge(0.1))
    for solver in (SteepestDescent(1e-6), SpectralGradient()):
        assert solver.solve(risk).certified
