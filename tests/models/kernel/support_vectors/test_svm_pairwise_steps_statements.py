"""Sequential minimal optimisation: the step, the pair, the rule to stop, the set."""

import numpy as np
import pytest
from sklearn import svm

from infimum.kernels import Gaussian
from infimum.models.kernel import SVC
from infimum.objectives import SupportVectorDual, kernel_tiles
from infimum.solvers import WorkingSetDescent
from infimum.study.convexity import PathFollowing, QuadraticProgram
from infimum.study.solvers import SequentialMinimalOptimization, pair_step
from tests.models.kernel.support_vectors.svm_programs import clouds, weights_of

N, PRICE, KERNEL = 40, 2.0, Gaussian.from_gamma(0.5)


@pytest.fixture
def problem(rng):
    X, y = clouds(rng, N, gap=0.5)
    dual = SupportVectorDual.classification(y, np.full(N, PRICE))
    return X, y, dual, kernel_tiles(KERNEL, X)


def moves(dual, point):
    """Return who may rise and who may fall, in signed variables."""
    return point < dual.high, point > dual.low


def extremes(dual, tiles, point):
    """Return max over who may rise and min over who may fall of minus the gradient."""
    slope = -dual.gradient(point, dual.scores(tiles, point))
    rise, fall = moves(dual, point)
    return slope[rise].max(), slope[fall].min()


def by_the_lemma(H, c, s, d, ceiling):
    """Return the first variable of min ½a'Ha + c'a, s·a₁ + a₂ = d, in the box."""
    ends = sorted([d / s, (d - ceiling) / s])
    low, high = max(0.0, ends[0]), min(ceiling, ends[1])
    bend = H[0, 0] + H[1, 1] * s * s - 2 * s * H[0, 1]
    pull = c[1] * s - c[0] - H[0, 1] * d + H[1, 1] * d * s
    if bend <= 1e-12:
        return low if pull < 0 else high
    return max(low, min(high, pull / bend))


def by_a_step(K, c, y, start, ceiling):
    """Return the same by raising one signed variable and lowering the other."""
    beta, low = y * start, np.where(y > 0, 0.0, -ceiling)
    gradient = K @ beta + y * c
    bend = K[0, 0] + K[1, 1] - 2 * K[0, 1]
    for up, down in ((0, 1), (1, 0)):
        room = low[up] + ceiling - beta[up], beta[down] - low[down]
        step = pair_step((gradient[up], gradient[down]), max(bend, 0.0), room)
        beta[up], beta[down] = beta[up] + step, beta[down] - step
        gradient = K @ beta + y * c
    return y * beta


@pytest.mark.syllabus("S0B-164")
def test_the_step_of_two_variables_has_a_formula_and_no_grid_beats_it(rng):
    for case in range(200):
        points = rng.normal(size=(2, 2 if case % 4 else 1))
        if case % 8 == 0:
            points[1] = points[0]  # no curvature along the constraint
        K, c, ceiling = points @ points.T, rng.normal(size=2), rng.uniform(0.5, 2)
        y = rng.choice([-1.0, 1.0], size=2)
        start = rng.uniform(0, ceiling, size=2)
        H, s = np.outer(y, y) * K, y[0] * y[1]
        d = s * start[0] + start[1]
        found = by_a_step(K, c, y, start, ceiling)
        first = by_the_lemma(H, c, s, d, ceiling)
        assert s * found[0] + found[1] == pytest.approx(d)
        assert found.min() >= -1e-12
        assert found.max() <= ceiling + 1e-12

        def value(a, H=H, c=c, s=s, d=d):
            both = np.array([a, d - s * a])
            return 0.5 * both @ H @ both + c @ both

        assert value(found[0]) == pytest.approx(value(first), abs=1e-10)
        grid = np.linspace(0, ceiling, 101)
        grid = grid[(d - s * grid >= 0) & (d - s * grid <= ceiling)]
        assert all(value(a) >= value(found[0]) - 1e-10 for a in grid)


@pytest.mark.syllabus("S0B-166")
def test_the_most_violating_pair_is_found_without_looking_at_all_pairs(problem):
    X, _, dual, tiles = problem
    # A random feasible point: an early stop of another run.
    for steps in (3, 10, 25):
        start = SequentialMinimalOptimization(
            max_iterations=steps, check_every=1, selection="second_order"
        )
        point = start.solve(dual, tiles).point
        one = SequentialMinimalOptimization(
            max_iterations=1, check_every=1, selection="first_order", shrinking=False
        ).solve(dual, tiles, point)
        moved = one.point - point
        slope = -dual.gradient(point, KERNEL(X) @ point)
        rise, fall = moves(dual, point)
        pairs = [
            (slope[i] - slope[j], i, j)
            for i in np.flatnonzero(rise)
            for j in np.flatnonzero(fall)
        ]
        _, i, j = max(pairs)
        assert set(np.flatnonzero(moved)) == {i, j}
        assert moved[i] > 0 > moved[j]
        room = dual.high[i] - point[i], point[j] - dual.low[j]
        bend = 2.0 - 2.0 * KERNEL(X[[i]], X[[j]])[0, 0]
        assert moved[i] == pytest.approx(pair_step((-slope[i], -slope[j]), bend, room))


@pytest.mark.syllabus("S0B-165")
def test_a_point_is_optimal_when_no_pair_violates(problem):
    _, y, dual, tiles = problem
    gaps, violations = [], []
    for steps in (1, 5, 20, 80, 10_000):
        solver = SequentialMinimalOptimization(
            tolerance=1e-10, max_iterations=steps, check_every=1
        )
        found = solver.solve(dual, tiles)
        upper, lower = extremes(dual, tiles, found.point)
        gaps.append(found.certificate.gap)
        violations.append(upper - lower)
        # m - M bounds the gap, so that m ≤ M proves optimality.
        assert gaps[-1] <= max(violations[-1], 0) * N * PRICE + 1e-8
    assert violations[-1] <= 1e-6
    assert gaps[-1] <= 1e-6
    assert min(violations[:3]) > 1e-3
    assert min(gaps[:3]) > 1e-3
    assert upper - 1e-6 <= found.offsets[0] <= lower + 1e-6
    # The definition in unsigned variables: I_up, I_down and -y∇J.
    alpha = y * found.point
    slope = dual.scores(tiles, found.point) * y - 1
    up = ((alpha < PRICE) & (y > 0)) | ((alpha > 0) & (y < 0))
    down = ((alpha < PRICE) & (y < 0)) | ((alpha > 0) & (y > 0))
    assert (-y * slope)[up].max() == pytest.approx(upper)
    assert (-y * slope)[down].min() == pytest.approx(lower)


@pytest.mark.syllabus("S0B-165")
@pytest.mark.parametrize("tolerance", [1e-2, 1e-4])
def test_the_solver_stops_when_the_violation_is_within_tolerance(problem, tolerance):
    X, y, dual, tiles = problem
    found = SequentialMinimalOptimization(tolerance=tolerance, check_every=1).solve(
        dual, tiles
    )
    upper, lower = extremes(dual, tiles, found.point)
    proof = found.certificate
    assert proof.closed
    assert 0.5 * (upper - lower) <= tolerance or proof.gap <= tolerance * proof.primal
    theirs = svm.SVC(C=PRICE, gamma=0.5, tol=tolerance).fit(X, y)
    upper, lower = extremes(dual, tiles, weights_of(theirs, N))
    assert upper <= lower + tolerance * 1.01  # LIBSVM's rule is the same


@pytest.mark.syllabus("S0B-167")
@pytest.mark.parametrize("selection", ["first_order", "second_order"])
def test_step_pair_and_rule_together_solve_as_libsvm_does(problem, selection):
    X, y, dual, tiles = problem
    solver = SequentialMinimalOptimization(tolerance=1e-8, selection=selection)
    found = solver.solve(dual, tiles)
    theirs = svm.SVC(C=PRICE, gamma=0.5, tol=1e-8).fit(X, y)
    assert found.point == pytest.approx(weights_of(theirs, N), abs=1e-3)
    assert found.offsets[0] == pytest.approx(theirs.intercept_[0], abs=1e-3)
    point = weights_of(theirs, N)
    assert dual.value(found.point, found.scores) == pytest.approx(
        dual.value(point, dual.scores(tiles, point)), rel=1e-7
    )


@pytest.mark.syllabus("S0B-163")
def test_solving_for_a_few_while_the_rest_is_frozen_descends_to_the_optimum(problem):
    X, y, dual, _ = problem
    H, alpha, size = np.outer(y, y) * KERNEL(X), np.zeros(N), 8
    walls = np.vstack([-np.eye(size), np.eye(size)])
    limits = np.repeat([0.0, PRICE], size)
    values = [0.0]
    for _ in range(25):
        slope = -dual.gradient(y * alpha, KERNEL(X) @ (y * alpha))
        rise, fall = moves(dual, y * alpha)
        up = np.argsort(np.where(rise, -slope, np.inf))[: size // 2]
        order = np.argsort(np.where(fall, slope, np.inf))
        down = [k for k in order if k not in up][: size // 2]
        B = np.concatenate([up, down])
        rest = np.setdiff1d(np.arange(N), B)
        part = QuadraticProgram(
            H[np.ix_(B, B)],
            H[np.ix_(B, rest)] @ alpha[rest] - 1.0,
            y[None, B],
            -np.atleast_1d(alpha[rest] @ y[rest]),
            walls,
            limits,
        )
        found = PathFollowing(tolerance=1e-11).solve(part).point
        alpha[B] = np.clip(np.where(found < 1e-7, 0.0, found), 0.0, PRICE)
        alpha[B] = np.where(alpha[B] > PRICE - 1e-7, PRICE, alpha[B])
        values.append(dual.value(y * alpha, KERNEL(X) @ (y * alpha)))
    assert (np.diff(values) <= 1e-5).all()
    assert np.diff(values)[:5].max() < 0
    model = SVC(C=PRICE, gamma=0.5, tol=1e-8).fit(X, y)
    assert -values[-1] == pytest.approx(model.certificate_.dual, rel=1e-4)


@pytest.mark.syllabus("S0B-163")
def test_working_sets_need_a_small_corner_of_the_kernel_matrix(rng, monkeypatch):
    X, y = clouds(rng, 60, gap=0.5)
    dual = SupportVectorDual.classification(y, np.full(60, PRICE))
    tiles, asked = kernel_tiles(KERNEL, X), []
    plain = tiles.block

    def watched(rows, columns=None):
        found = plain(rows, columns)
        asked.append(found.size)
        return found

    monkeypatch.setattr(tiles, "block", watched)
    solver = WorkingSetDescent(tolerance=1e-9, max_iterations=6, cache_size=0.002)
    found = solver.solve(dual, lambda _: tiles)
    assert found.iterations == 6
    bounds = [record.dual for record in found.history]
    assert (np.diff(bounds) >= -1e-9).all()
    assert bounds[-1] > bounds[0]
    assert asked
    assert max(asked) <= 60 * 60 / 8


@pytest.mark.syllabus("S0B-222")
@pytest.mark.parametrize("form", ["nu-SVC", "SVR", "nu-SVR", "one-class"])
def test_pairs_solve_the_other_machines_as_well(form, rng):
    X, y = clouds(rng, N, gap=0.5)
    target, ones = X[:, 1] + 0.3 * rng.normal(size=N), np.ones(N)
    shape, nu = {"gamma": 0.5, "tol": 1e-8}, 0.4
    dual, theirs = {
        "nu-SVC": (
            SupportVectorDual.nu_classification(y, ones, nu),
            svm.NuSVC(nu=nu, **shape).fit(X, y),
        ),
        "SVR": (
            SupportVectorDual.regression(target, 2 * ones, 0.2),
            svm.SVR(C=2.0, epsilon=0.2, **shape).fit(X, target),
        ),
        "nu-SVR": (
            SupportVectorDual.nu_regression(target, 2 * ones, nu),
            svm.NuSVR(C=2.0, nu=nu, **shape).fit(X, target),
        ),
        "one-class": (
            SupportVectorDual.one_class(ones, nu * N),
            svm.OneClassSVM(nu=nu, **shape).fit(X),
        ),
    }[form]
    tiles = kernel_tiles(KERNEL, X)
    found = SequentialMinimalOptimization(tolerance=1e-8).solve(dual, tiles)
    mine, other = dual.coefficients(found.point), weights_of(theirs, N)
    if form == "nu-SVC":  # scikit-learn divides by the margin ρ
        ahead, behind = found.offsets
        mine = mine / (0.5 * (behind - ahead))
    assert found.certificate.closed
    assert mine == pytest.approx(other, abs=1e-3 * np.abs(other).max())
