"""Margins, hard and soft; the support vector machine without and with offset."""

import numpy as np
import pytest
from scipy import optimize
from sklearn.svm import SVC
from sklearn.svm import LinearSVC as PeerSVC

from infimum.data.designs import as_design
from infimum.errors import DataError
from infimum.evaluation import margins
from infimum.losses import Hinge
from infimum.models.linear import LinearSVC, RiskMinimizer
from infimum.objectives import LinearRisk, expansion
from infimum.penalties import Ridge
from infimum.solvers import DualCoordinateAscent, InteriorPoint


def separable(rng, n=30):
    """Return two clouds in the plane that a line through the origin separates."""
    X = rng.standard_normal((n, 2))
    y = np.sign(X @ [1.0, 2.0])
    return X + 0.3 * y[:, None], y


def overlapping(rng, n=40):
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    return rng.standard_normal((n, 3)) + 0.7 * y[:, None], y


def machine(C, *, offset=False, tol=1e-10):
    return LinearSVC(loss="hinge", C=C, fit_intercept=offset, tol=tol)


def multipliers(model, y):
    """Return α: the slopes of the hinge lie between -y and 0, α = -C·y·slope."""
    return -model.C * y * model.dual_slopes_[0]


@pytest.mark.syllabus("S1-091", "S1-093")
def test_the_functional_margin_grows_with_the_weights_the_geometric_does_not(rng):
    X, y = overlapping(rng)
    w = rng.standard_normal(3)
    once, twice = margins(w, X, y), margins(2 * w, X, y)
    assert once.functional == pytest.approx(y * (X @ w))
    assert twice.functional == pytest.approx(2 * once.functional)
    assert twice.geometric == pytest.approx(once.geometric)
    assert ((once.functional > 0) == (np.sign(X @ w) == y)).all()


@pytest.mark.syllabus("S1-092")
def test_the_geometric_margin_is_the_distance_to_the_boundary(rng):
    X, y = overlapping(rng)
    w = rng.standard_normal(3)
    found = margins(w, X, y)
    assert found.feet @ w == pytest.approx(0, abs=1e-12)
    distances = np.linalg.norm(X - found.feet, axis=1)
    assert np.abs(found.geometric) == pytest.approx(distances)
    steps = (y * found.geometric)[:, None] * w / np.linalg.norm(w)
    assert found.feet == pytest.approx(X - steps)
    unit = margins(w / np.linalg.norm(w), X, y)
    assert unit.functional == pytest.approx(unit.geometric)
    shifted = margins(w, X, y, intercept=0.7)
    assert shifted.feet @ w + 0.7 == pytest.approx(0, abs=1e-12)
    with pytest.raises(DataError, match="no boundary"):
        margins(np.zeros(3), X, y)


@pytest.mark.syllabus("S1-094", "S1-095")
def test_the_hard_margin_machine_has_the_widest_margin(rng):
    X, y = separable(rng)
    w = machine(100.0).fit(X, y).coef_[0]
    angles = np.linspace(0, 2 * np.pi, 20_001)
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    widths = (y[:, None] * (X @ directions.T)).min(axis=0)
    best = directions[widths.argmax()]
    assert w / np.linalg.norm(w) == pytest.approx(best, abs=1e-3)
    assert margins(w, X, y).smallest == pytest.approx(widths.max(), abs=1e-5)
    # The quadratic program: shortest w with all functional margins at least 1.
    program = optimize.minimize(
        lambda v: v @ v / 2,
        best / widths.max(),
        jac=lambda v: v,
        method="SLSQP",
        constraints={"type": "ineq", "fun": lambda v: y * (X @ v) - 1},
    )
    assert w == pytest.approx(program.x, abs=1e-3)
    assert margins(w, X, y).functional.min() == pytest.approx(1, abs=1e-3)
    assert widths.max() == pytest.approx(1 / np.linalg.norm(w), abs=1e-4)


@pytest.mark.syllabus("S1-096")
@pytest.mark.parametrize("C", [0.05, 1.0])
def test_the_soft_margin_machine_pays_for_slack(C, rng):
    X, y = overlapping(rng)
    model = machine(C).fit(X, y)
    w = model.coef_[0]
    slack = np.maximum(1 - margins(w, X, y).functional, 0)
    objective = w @ w / 2 + C * slack.sum()
    assert objective == pytest.approx(C * 40 * model.certificate_.primal)
    assert slack.max() > 0
    peer = PeerSVC(
        loss="hinge", C=C, fit_intercept=False, tol=1e-10, max_iter=10**6
    ).fit(X, y)
    assert w == pytest.approx(peer.coef_[0], abs=1e-3)
    # As a program in (w, ξ) no feasible pair is cheaper.
    program = optimize.minimize(
        lambda v: v[:3] @ v[:3] / 2 + C * v[3:].sum(),
        np.append(w, slack),
        method="SLSQP",
        bounds=[(None, None)] * 3 + [(0, None)] * 40,
        constraints={"type": "ineq", "fun": lambda v: y * (X @ v[:3]) - 1 + v[3:]},
    )
    assert objective <= program.fun + 1e-6


@pytest.mark.syllabus("S1-097")
@pytest.mark.parametrize("C", [0.02, 0.3, 5.0])
def test_the_machine_is_tikhonov_regularisation_with_the_hinge(C, rng):
    X, y = overlapping(rng)
    strength = 1 / (2 * C * 40)  # of ‖w‖²; our ridge penalty carries a half
    tikhonov = RiskMinimizer(
        "hinge", "ridge", strength=2 * strength, fit_intercept=False, tol=1e-10
    ).fit(X, y)
    assert machine(C).fit(X, y).coef_ == pytest.approx(tikhonov.coef_, abs=1e-4)
    loss = Hinge().value(y, X @ tikhonov.coef_[0])
    assert loss == pytest.approx(np.maximum(1 - y * (X @ tikhonov.coef_[0]), 0))
    risk = loss.mean() + strength * (tikhonov.coef_**2).sum()
    assert risk == pytest.approx(tikhonov.certificate_.primal)


@pytest.mark.syllabus("S1-098")
@pytest.mark.parametrize("solver", [DualCoordinateAscent, InteriorPoint])
def test_the_dual_machine_closes_the_gap(solver, rng):
    X, y = overlapping(rng)
    C, n = 0.5, 40
    risk = LinearRisk(as_design(X), y, Hinge(), Ridge(1 / (C * n)), intercept=False)
    solution = solver(tolerance=1e-9).solve(risk)
    alpha = -C * y * solution.slopes
    assert ((alpha >= -1e-9) & (alpha <= C + 1e-9)).all()
    w = X.T @ (y * alpha)
    assert w == pytest.approx(solution.point[:-1], abs=1e-4)
    assert y * alpha == pytest.approx(expansion(risk, solution.slopes))
    dual = alpha.sum() - 0.5 * w @ w
    assert dual == pytest.approx(C * n * solution.certificate.dual, abs=1e-5)
    assert dual == pytest.approx(C * n * solution.certificate.primal, abs=1e-5)
    signed = y[:, None] * X
    program = optimize.minimize(
        lambda a: 0.5 * np.sum((signed.T @ a) ** 2) - a.sum(),
        np.full(n, C / 2),
        jac=lambda a: signed @ (signed.T @ a) - 1,
        method="L-BFGS-B",
        bounds=[(0, C)] * n,
    )
    assert dual >= -program.fun - 1e-6  # it is a maximum


@pytest.mark.syllabus("S1-099")
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_samples_with_multiplier_zero_lie_outside_the_margin(C, rng):
    X, y = overlapping(rng)
    model = machine(C).fit(X, y)
    alpha = multipliers(model, y)
    width = margins(model.coef_[0], X, y).functional
    idle, full = alpha <= 1e-6 * C, alpha >= (1 - 1e-6) * C
    assert (width[idle] >= 1 - 1e-3).all()
    assert (width[full] <= 1 + 1e-3).all()
    assert width[~idle & ~full] == pytest.approx(1, abs=1e-3)
    assert 0 < idle.sum() < 40
    # Without the idle samples the machine is the same: the others support it.
    alone = machine(C).fit(X[~idle], y[~idle])
    assert alone.coef_ == pytest.approx(model.coef_, abs=1e-3)


@pytest.mark.syllabus("S1-100")
@pytest.mark.parametrize("C", [0.1, 2.0])
def test_with_an_offset_the_multipliers_of_the_two_classes_balance(C, rng):
    X, y = overlapping(rng)
    X = np.add(X, [2.0, 0.0, -1.0])
    model = machine(C, offset=True).fit(X, y)
    alpha = multipliers(model, y)
    assert y @ alpha == pytest.approx(0, abs=1e-6)
    assert X.T @ (y * alpha) == pytest.approx(model.coef_[0], abs=1e-3)
    peer = SVC(kernel="linear", C=C, tol=1e-8).fit(X, y)
    assert model.coef_ == pytest.approx(peer.coef_, abs=1e-3)
    assert model.intercept_ == pytest.approx(peer.intercept_, abs=1e-3)
    signed = np.zeros(40)
    signed[peer.support_] = peer.dual_coef_[0]
    assert y * alpha == pytest.approx(signed, abs=1e-2 * C)
