"""Concave penalties: sparse, unshrunk, stationary, and honest about it."""

import numpy as np
import pytest

from infimum.compatibility import compatibility_table
from infimum.data.designs import as_design
from infimum.errors import IncompatibleError
from infimum.losses import Absolute, Hinge, Logistic, Ramp, Softmax, Squared
from infimum.objectives import LinearRisk
from infimum.penalties import MCP, SCAD, Ball, Box, Lasso, NoPenalty, Ridge
from infimum.solvers import ConcaveConvex, Newton, choose
from infimum.study.solvers import radius_of, strength_of
from tests.solvers.problems import problem
from tests.test_house_rules import ROOT


@pytest.mark.parametrize("penalty", [MCP(0.2), SCAD(0.2)], ids=repr)
@pytest.mark.parametrize("loss", [Squared(), Logistic(), Absolute(), Hinge(), Ramp()])
def test_the_objective_falls_to_a_stationary_point(loss, penalty):
    risk = problem(loss, penalty, seed=4)
    assert choose(risk) is ConcaveConvex
    solution = ConcaveConvex().solve(risk)
    assert solution.reason.startswith(("stationary", "gap closed"))
    values = [record.primal for record in solution.history]
    assert np.all(np.diff(values) <= 1e-12)
    # A bound below everything there is, whatever the shape of the parts.
    for point in np.random.default_rng(1).normal(size=(50, *risk.null.shape)):
        assert solution.certificate.dual <= risk.value(point)


@pytest.mark.parametrize("penalty", [MCP(0.3), SCAD(0.3)], ids=repr)
def test_large_coefficients_are_not_shrunk_and_small_ones_vanish(penalty, rng):
    X = rng.normal(size=(200, 6))
    X -= X.mean(axis=0)
    y = X @ [3.0, -2.0, 0.0, 0.0, 0.0, 0.0] + 0.1 * rng.normal(size=200)
    risk = LinearRisk(as_design(X), y, Squared(), penalty)
    w = ConcaveConvex().solve(risk).point[:-1]
    lasso = LinearRisk(as_design(X), y, Squared(), Lasso(0.3))
    shrunk = choose(lasso)().solve(lasso).point[:-1]
    plain = np.linalg.lstsq(X[:, :2], y - y.mean())[0]
    np.testing.assert_allclose(w[:2], plain, atol=1e-6)
    assert not w[2:].any()
    assert np.all(np.abs(shrunk[:2]) < np.abs(w[:2]) - 0.2)


def test_a_solver_for_convex_risks_names_the_part_that_is_not():
    risk = problem(Squared(), MCP(0.2))
    with pytest.raises(IncompatibleError, match="Newton cannot start: MCP is not conv"):
        Newton().solve(risk)
    assert "Ramp is not convex" in str(Newton().objection(problem(Ramp(), Ridge())))


def test_a_convex_risk_and_several_scores_are_refused_in_words():
    words = ConcaveConvex().objection(problem(Squared(), Ridge()))
    assert words == "Squared and Ridge are convex: there is nothing to linearise"
    words = ConcaveConvex().objection(problem(Softmax(3), MCP()))
    assert words == "MCP has one price per feature, Softmax reads several scores"


@pytest.mark.parametrize("loss", [Squared(), Logistic(), Hinge()], ids=repr)
@pytest.mark.parametrize("penalty", [Ridge(0.2), Lasso(0.1)], ids=repr)
def test_radius_and_strength_lead_to_each_other_with_proofs(loss, penalty):
    there = radius_of(problem(loss, penalty, seed=2))
    assert there.constrained.relative_gap <= 1e-6
    ball = Ball(there.radius, 2 if isinstance(penalty, Ridge) else 1)
    back = strength_of(problem(loss, ball, seed=2))
    assert back.constrained.closed
    assert back.penalised.relative_gap <= 1e-4
    if loss.smooth or isinstance(penalty, Ridge):
        assert back.strength == pytest.approx(penalty.strength, rel=1e-2)
    else:  # at a corner of a polytope a whole range of strengths has one minimiser
        assert 0.5 * penalty.strength <= back.strength <= 2.0 * penalty.strength


def test_a_ball_that_does_not_bind_has_strength_zero():
    risk = problem(Squared(), Ball(100.0), seed=2)
    loose = strength_of(risk)
    assert loose.strength == 0.0
    free = choose(risk.with_penalty(NoPenalty()))().solve(
        risk.with_penalty(NoPenalty())
    )
    np.testing.assert_allclose(loose.point, free.point, atol=1e-3)


def test_parts_without_a_counterpart_are_refused_in_one_sentence():
    with pytest.raises(IncompatibleError, match=r"Box has no ball of its own"):
        radius_of(problem(Squared(), Box()))
    with pytest.raises(IncompatibleError, match=r"no ball of order 1 or 2"):
        strength_of(problem(Squared(), Ball(1.0, order=np.inf)))
    with pytest.raises(IncompatibleError, match="leaves no coefficient"):
        radius_of(problem(Squared(), Lasso(1e3)))


def test_the_table_of_compatible_pairs_is_up_to_date():
    page = (ROOT / "docs" / "compatibility.md").read_text(encoding="utf-8")
    assert page == compatibility_table(), "run: python -m infimum.compatibility"


def test_the_ramp_does_not_rest_at_the_constant_that_gives_up_on_a_class(rng):
    X = rng.normal(size=(80, 2))
    y = np.where(X[:, 0] + X[:, 1] > 0.8, 1.0, -1.0)  # most are negative
    risk = LinearRisk(as_design(X), y, Ramp(), Ridge(1e-3))
    solution = ConcaveConvex().solve(risk)
    assert solution.certificate.primal < 0.5 * risk.value(risk.null)
    assert np.mean(np.sign(risk.evaluate(solution.point).scores) == y) > 0.95
