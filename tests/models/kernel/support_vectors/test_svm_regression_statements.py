"""Support vector regression: the tube, its dual, its cases, its own width."""

import numpy as np
import pytest
from sklearn import svm

from infimum.kernels import Gaussian
from infimum.losses import Absolute, EpsilonInsensitive
from infimum.models.kernel import SVR, KernelRegressor, NuSVR
from infimum.objectives import SupportVectorDual, kernel_tiles
from infimum.study.convexity import QuadraticProgram, numeric_gradient
from infimum.study.solvers import SequentialMinimalOptimization
from tests.models.kernel.support_vectors.svm_programs import solved, weights_of

N, PRICE, EPSILON = 30, 0.5, 0.2


@pytest.fixture
def line(rng):
    X = rng.normal(size=(N, 2))
    return X, X @ np.array([1.0, -0.5]) + 0.4 + 0.4 * rng.normal(size=N)


def tube_primal(X, y, price, epsilon=None, reward=0.0):
    """Return ½‖w‖² + price·Σ(ξ + ξ') + reward·ε under |y - ⟨w, x⟩ - b| ≤ ε + ξ.

    The point is (w, b, ξ above, ξ below, ε); a given ε is not a variable.
    """
    n, d = X.shape
    rows, eye, zero = np.column_stack([X, np.ones(n)]), np.eye(n), np.zeros((n, n))
    walls = np.block([[-rows, -eye, zero], [rows, zero, -eye]])
    walls = np.vstack([walls, np.hstack([np.zeros((2 * n, d + 1)), -np.eye(2 * n)])])
    limits = np.concatenate([-y, y, np.zeros(2 * n)])
    slope = np.concatenate([np.zeros(d + 1), np.full(2 * n, price)])
    half = np.concatenate([np.ones(d), np.zeros(2 * n + 1)])
    if epsilon is None:
        wide = np.repeat([-1.0, 0.0], 2 * n)
        walls = np.vstack([np.column_stack([walls, wide]), -np.eye(len(slope) + 1)[-1]])
        limits = np.append(limits, 0.0)
        slope, half = np.append(slope, reward), np.append(half, 0.0)
    else:
        limits[: 2 * n] += epsilon
    return QuadraticProgram(
        np.diag(half), slope, inequality_matrix=walls, inequality_limit=limits
    )


@pytest.mark.syllabus("S0B-179")
def test_the_tube_primal_is_the_machine_and_has_the_value_of_its_dual(line):
    X, y = line
    primal = solved(tube_primal(X, y, PRICE, EPSILON))
    model = SVR(kernel="linear", C=PRICE, epsilon=EPSILON, tol=1e-10).fit(X, y)
    assert model.coef_[0] == pytest.approx(primal.point[:2], rel=1e-5)
    assert model.intercept_[0] == pytest.approx(primal.point[2], rel=1e-5)
    assert model.certificate_.primal == pytest.approx(primal.value, rel=1e-7)
    assert model.certificate_.dual == pytest.approx(primal.value, rel=1e-6)
    slack = primal.point[3 : 3 + N] + primal.point[3 + N :]
    loss = EpsilonInsensitive(EPSILON).value(y, model.predict(X))
    assert slack == pytest.approx(loss, abs=1e-6)


@pytest.mark.syllabus("S0B-179")
def test_a_tube_around_all_the_data_needs_no_function(line):
    X, y = line
    wide = 0.5 * np.ptp(y) + 0.01
    model = SVR(kernel="linear", C=PRICE, epsilon=wide).fit(X, y)
    assert len(model.support_) == 0
    assert model.predict(X) == pytest.approx(np.full(N, model.intercept_[0]))
    assert (np.abs(y - model.intercept_[0]) <= wide).all()


@pytest.mark.syllabus("S0B-181")
def test_a_prediction_is_a_sum_over_differences_of_multipliers(line, rng):
    X, y = line
    model = SVR(C=PRICE, gamma=0.5, epsilon=EPSILON, tol=1e-8).fit(X, y)
    dual = SupportVectorDual.regression(y, np.full(N, PRICE), EPSILON)
    kernel, fresh = Gaussian.from_gamma(0.5), rng.normal(size=(10, 2))
    solver = SequentialMinimalOptimization(tolerance=1e-8)
    found = solver.solve(dual, kernel_tiles(kernel, X))
    up, down = found.point[:N], -found.point[N:]
    by_hand = kernel(fresh, X) @ (up - down) + found.offsets[0]
    assert model.predict(fresh) == pytest.approx(by_hand, abs=1e-5)
    theirs = svm.SVR(C=PRICE, gamma=0.5, epsilon=EPSILON, tol=1e-8).fit(X, y)
    assert model.predict(fresh) == pytest.approx(theirs.predict(fresh), abs=1e-5)


@pytest.mark.syllabus("S0B-182")
def test_where_a_sample_lies_tells_its_multipliers(line):
    X, y = line
    dual = SupportVectorDual.regression(y, np.full(N, PRICE), EPSILON)
    kernel = Gaussian.from_gamma(0.5)
    solver = SequentialMinimalOptimization(tolerance=1e-10)
    found = solver.solve(dual, kernel_tiles(kernel, X))
    up, down = found.point[:N], -found.point[N:]
    rest = y - found.scores - found.offsets[0]
    near = 1e-6
    inside, above = np.abs(rest) < EPSILON - near, rest > EPSILON + near
    below = rest < -EPSILON - near
    assert inside.any()
    assert above.any()
    assert below.any()
    assert (up[inside] == 0).all()
    assert (down[inside] == 0).all()
    assert (up[above] == PRICE).all()
    assert (down[above] == 0).all()
    assert (down[below] == PRICE).all()
    assert (up[below] == 0).all()
    assert (up * down == 0).all()
    free = (up > 0) & (up < PRICE)
    assert rest[free] == pytest.approx(np.full(free.sum(), EPSILON), abs=near)
    assert up.sum() == pytest.approx(down.sum())
    model = SVR(C=PRICE, gamma=0.5, epsilon=EPSILON, tol=1e-10).fit(X, y)
    assert not set(model.support_) & set(np.flatnonzero(inside))  # sparsity


@pytest.mark.syllabus("S0B-183")
def test_errors_within_epsilon_are_free_and_beyond_it_cost_their_excess(line, rng):
    loss, f = EpsilonInsensitive(0.5), np.array([-2.0, -0.5, 0.2, 0.5, 3.0])
    zero = np.zeros(5)
    assert loss.value(zero, f) == pytest.approx([1.5, 0.0, 0.0, 0.0, 2.5])
    assert loss.derivative(zero, f)[[0, 2, 4]] == pytest.approx([-1.0, 0.0, 1.0])
    y, f = rng.normal(size=40), rng.normal(size=40)
    slope = numeric_gradient(lambda scores: float(loss.value(y, scores).sum()), f)
    assert loss.derivative(y, f) == pytest.approx(slope, abs=1e-6)
    none, absolute = EpsilonInsensitive(0.0), Absolute()
    assert none.value(y, f) == pytest.approx(absolute.value(y, f))
    # The machine is this loss in the space of the kernel, whoever minimises it.
    X, y = line
    machine = SVR(C=PRICE, gamma=0.5, epsilon=0.5, tol=1e-8).fit(X, y)
    risk = KernelRegressor(loss, C=PRICE, gamma=0.5, tol=1e-8).fit(X, y)
    assert machine.predict(X) == pytest.approx(risk.predict(X), abs=1e-3)


@pytest.mark.syllabus("S0B-191")
@pytest.mark.parametrize("nu", [0.25, 0.55])
def test_a_price_on_the_width_lets_the_tube_find_it(line, nu):
    X, y = line
    price = 1.0 / (nu * N)
    primal = solved(tube_primal(X, y, price, reward=1.0))
    model = NuSVR(nu=nu, C=price, kernel="linear", tol=1e-10).fit(X, y)
    assert model.coef_[0] == pytest.approx(primal.point[:2], abs=1e-4)
    assert model.epsilon_ == pytest.approx(primal.point[-1], abs=1e-4)
    assert model.certificate_.primal == pytest.approx(primal.value, rel=1e-6)
    theirs = svm.NuSVR(nu=nu, C=price, kernel="linear", tol=1e-6).fit(X, y)
    assert model.predict(X) == pytest.approx(theirs.predict(X), abs=1e-4)
    # The dual: each side of the tube shares out one half.
    K, ones = X @ X.T, np.ones(N)
    dual = QuadraticProgram(
        np.block([[K, -K], [-K, K]]),
        np.concatenate([-y, y]),
        np.vstack([np.r_[ones, -ones], np.r_[ones, ones]]),
        np.array([0.0, 1.0]),
        np.vstack([-np.eye(2 * N), np.eye(2 * N)]),
        np.concatenate([np.zeros(2 * N), np.full(2 * N, price)]),
    )
    found = solved(dual)
    assert -found.value == pytest.approx(primal.value, rel=1e-6)
    assert (found.point[:N] - found.point[N:]) @ X == pytest.approx(
        model.coef_[0], abs=1e-4
    )
    assert weights_of(model, N) == pytest.approx(
        found.point[:N] - found.point[N:], abs=1e-3
    )
    # With that width fixed it is the ordinary machine.
    same = SVR(kernel="linear", C=price, epsilon=model.epsilon_, tol=1e-10).fit(X, y)
    assert same.predict(X) == pytest.approx(model.predict(X), abs=1e-4)
