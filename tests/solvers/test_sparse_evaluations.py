"""Points of a path that are written out only where somebody looks."""

import numpy as np
from scipy import sparse

from infimum.certificates import certify
from infimum.data.designs import as_design
from infimum.losses import Squared
from infimum.models.linear import Lasso, lasso_path, regularization_path
from infimum.objectives import LinearRisk
from infimum.penalties import Lasso as LassoPenalty
from infimum.solvers import CoordinateDescent
from infimum.solvers.coordinates._sparse_evaluation import SparseEvaluation

STRENGTHS = np.geomspace(0.04, 0.01, 5)


def table():
    X = sparse.random(120, 1_200, 0.03, "csc", random_state=5)
    w = np.zeros(1_200)
    w[:10] = np.random.default_rng(3).standard_normal(10) * 3
    return X, X @ w


def solved(strength=0.01, start=None, risk=None):
    X, y = table()
    penalty = LassoPenalty(float(strength))
    if risk is None:
        risk = LinearRisk(as_design(X), y, Squared(), penalty, intercept=False)
    return CoordinateDescent(tolerance=1e-8).solve(risk.with_penalty(penalty), start)


def test_a_point_is_written_once_and_agrees_with_its_scores():
    here = solved().here
    assert isinstance(here, SparseEvaluation)
    assert "point" not in here.__dict__
    assert here.point is here.point
    np.testing.assert_allclose(table()[0] @ here.point[:-1], here.scores, atol=1e-12)
    np.testing.assert_allclose(here.risk.evaluate(here.point).value, here.value)


def test_what_is_written_elsewhere_is_the_point():
    here, blank = solved().here, np.zeros(1_200)
    here.write(blank)
    np.testing.assert_array_equal(blank, here.point[:-1])
    plain, again = here.risk.evaluate(here.point), np.zeros(1_200)
    plain.write(again)
    np.testing.assert_array_equal(blank, again)


def test_a_path_goes_on_without_its_points_being_written():
    first = solved(0.02)
    second = solved(0.01, first.here, first.here.risk)
    for solution in (first, second):
        assert solution.certified
        assert "point" not in solution.here.__dict__
        assert "point" not in solution.here.place.__dict__
    moved = first.here.under(second.here.risk)
    assert moved.place is first.here.place
    np.testing.assert_array_equal(moved.point, first.point)
    afresh = certify(moved.risk, moved.point)
    np.testing.assert_allclose(certify(moved.risk, moved).primal, afresh.primal)


def test_points_of_a_path_do_not_share_memory():
    first = solved(0.02)
    kept = first.point.copy()
    second = solved(0.01, first.here, first.here.risk)
    assert not np.array_equal(second.point, kept)
    np.testing.assert_array_equal(first.point, kept)


def test_the_array_of_a_path_holds_the_coefficients_of_its_models():
    X, y = table()
    alphas, coefs, gaps = lasso_path(X, y, alphas=STRENGTHS, tol=1e-6)
    path = regularization_path(
        Lasso(tol=1e-6, fit_intercept=False), X, y, values=STRENGTHS
    )
    np.testing.assert_array_equal(alphas, path.values)
    np.testing.assert_allclose(coefs.T, path.coefs, atol=1e-12)
    assert coefs.shape == (1_200, 5)
    proofs = [model.certify(X, y).gap for model in path.models]
    np.testing.assert_allclose(gaps, proofs, atol=1e-9)
