"""ν-machines for classes: the margin is a variable, and ν prices it."""

import numpy as np
import pytest
from sklearn import svm

from infimum.errors import DataError
from infimum.models.kernel import NuSVC
from infimum.study.convexity import PathFollowing, QuadraticProgram
from tests.models.kernel.support_vectors.svm_programs import (
    clouds,
    share_dual,
    solved,
    weights_of,
)

N, NU = 30, 0.45
SHARE = 1.0 / (NU * N)


@pytest.fixture
def mixed(rng):
    return clouds(rng, N, gap=1.4)


def nu_primal(X, y, *, signed=True):
    """Return ½‖w‖² - ρ + Σξ/(νn) under y(⟨w, x⟩ + b) ≥ ρ - ξ; point (w, b, ξ, ρ)."""
    n, d = X.shape
    rows = -y[:, None] * np.column_stack([X, np.ones(n)])
    walls = np.block(
        [
            [rows, -np.eye(n), np.ones((n, 1))],
            [np.zeros((n, d + 1)), -np.eye(n), np.zeros((n, 1))],
        ]
    )
    if signed:
        walls = np.vstack([walls, -np.eye(n + d + 2)[-1]])
    return QuadraticProgram(
        np.diag(np.concatenate([np.ones(d), np.zeros(n + 2)])),
        np.concatenate([np.zeros(d + 1), np.full(n, SHARE), [-1.0]]),
        inequality_matrix=walls,
        inequality_limit=np.zeros(len(walls)),
    )


def nu_dual(X, y, nu=NU):
    H = np.outer(y, y) * (X @ X.T)
    return share_dual(H, 1.0 / (nu * N), np.vstack([y, np.ones(N)]), [0.0, 1.0])


@pytest.mark.syllabus("S0B-168")
def test_the_primal_finds_margin_and_plane_and_has_the_value_of_the_dual(mixed):
    X, y = mixed
    primal, dual = solved(nu_primal(X, y)), solved(nu_dual(X, y))
    assert primal.value == pytest.approx(-dual.value, rel=1e-7)
    w, b, rho = primal.point[:2], primal.point[2], primal.point[-1]
    assert rho > 0
    free = (dual.point > 1e-5) & (dual.point < SHARE - 1e-5)
    assert free.any()
    margin = y[free] * (X[free] @ w + b)
    assert margin == pytest.approx(np.full(free.sum(), rho), abs=1e-6)
    # The machine keeps prices of 1 instead of 1/(νn): values grow by (νn)².
    model = NuSVC(nu=NU, kernel="linear", tol=1e-10).fit(X, y)
    assert model.certificate_.primal * SHARE**2 == pytest.approx(primal.value, rel=1e-6)
    assert SHARE / model.equivalent_C_[0] == pytest.approx(rho, rel=1e-5)
    assert model.coef_[0] == pytest.approx(w / rho, rel=1e-5)
    assert model.intercept_[0] == pytest.approx(b / rho, abs=1e-5)


@pytest.mark.syllabus("S0B-220")
def test_the_margin_needs_no_sign_constraint(mixed):
    X, y = mixed
    kept, free = (
        solved(nu_primal(X, y, signed=True)),
        solved(nu_primal(X, y, signed=False)),
    )
    assert kept.value == pytest.approx(free.value, rel=1e-8)
    assert kept.point[:3] == pytest.approx(free.point[:3], rel=1e-5)
    assert free.point[-1] == pytest.approx(kept.point[-1], rel=1e-6)
    assert free.point[-1] > 0
    # Nor does the machine of the library know one.
    model = NuSVC(nu=NU, kernel="linear", tol=1e-10).fit(X, y)
    assert SHARE / model.equivalent_C_[0] == pytest.approx(free.point[-1], rel=1e-5)


@pytest.mark.syllabus("S0B-169")
def test_in_the_dual_the_sum_may_exceed_one_but_does_not(mixed):
    X, y = mixed
    equal = nu_dual(X, y)
    loose = QuadraticProgram(
        equal.hessian,
        equal.slope,
        y[None, :],
        np.zeros(1),
        np.vstack([equal.inequality_matrix, -np.ones(N)]),
        np.append(equal.inequality_limit, -1.0),
    )
    one, other = solved(equal), solved(loose)
    assert other.value == pytest.approx(one.value, rel=1e-7)
    assert other.point.sum() == pytest.approx(1.0)
    # Whatever sums to more is better after division by its sum.
    larger = np.minimum(one.point * 1.2, SHARE)
    larger[y > 0] *= larger[y < 0].sum() / larger[y > 0].sum()
    total = larger.sum()
    assert total > 1
    assert loose.program.is_feasible(larger)
    assert loose.program.is_feasible(larger / total)
    assert loose.value(larger / total) < loose.value(larger)


@pytest.mark.syllabus("S0B-169")
def test_the_coefficients_are_the_duals_and_the_scores_are_divided_by_rho(mixed):
    X, y = mixed
    alpha = solved(nu_dual(X, y)).point
    primal = solved(nu_primal(X, y)).point
    scores = (X @ primal[:2] + primal[2]) / primal[-1]
    for model in (
        NuSVC(nu=NU, kernel="linear", tol=1e-10).fit(X, y),
        svm.NuSVC(nu=NU, kernel="linear", tol=1e-6).fit(X, y),
    ):
        assert model.decision_function(X) == pytest.approx(scores, abs=1e-4)
        found = np.abs(weights_of(model, N)) * primal[-1]
        assert found == pytest.approx(alpha, abs=1e-4)


@pytest.mark.syllabus("S0B-169")
def test_nu_cannot_exceed_twice_the_share_of_the_smaller_class(rng):
    X, _ = clouds(rng, N)
    y = np.where(np.arange(N) < 6, 1.0, -1.0)
    X[:, 0] += y
    most = 2 * 6 / N
    solver = PathFollowing(tolerance=1e-8)
    inside = solver.solve(nu_dual(X, y, 0.9 * most))
    assert inside.report.primal_infeasibility < 1e-6
    with pytest.raises(DataError, match="no feasible point"):
        solver.solve(nu_dual(X, y, 1.2 * most))
    with pytest.raises(ValueError, match="infeasible"):
        svm.NuSVC(nu=1.2 * most, kernel="linear").fit(X, y)
    # Here a larger number means the largest there is.
    over, top = (
        NuSVC(nu=nu, kernel="linear", tol=1e-8).fit(X, y) for nu in (1.2 * most, most)
    )
    assert over.decision_function(X) == pytest.approx(top.decision_function(X))
