"""Advice on which method to take, as comparisons that would fail if it were wrong."""

import numpy as np
import pytest
from scipy.optimize import minimize

from infimum.study.convexity import (
    ActiveSet,
    BarrierMethod,
    BarzilaiBorwein,
    Box,
    CoordinateMethod,
    DecayingStep,
    FixedStep,
    GradientDescent,
    IncrementalGradient,
    LevelBundle,
    LimitedMemoryBFGS,
    Norm,
    Oracle,
    PathFollowing,
    ProjectedBarzilaiBorwein,
    ProjectedGradient,
    Quadratic,
    QuadraticProgram,
    Softplus,
    SquaredNorm,
    Sum,
    Translated,
    gap_bound,
)


class Counted(Oracle):
    """A function that counts how often it is asked for a gradient."""

    @classmethod
    def watch(cls, function):
        calls = []

        def slope(w):
            calls.append(1)
            return function.gradient(w)

        return cls(function.value, slope), calls


@pytest.fixture
def narrow(rng):
    """Return a logistic risk with features of very different sizes."""
    X = rng.normal(size=(60, 10)) * np.geomspace(0.1, 3.0, 10)
    y = np.sign(X @ rng.normal(size=10) + rng.normal(size=60))
    return Softplus(1.0 / 60).after(-y[:, None] * X) + SquaredNorm(scale=1e-3)


@pytest.mark.syllabus("S0B-051")
def test_a_function_goes_to_another_library_as_it_is_and_gets_our_proof_back(narrow):
    found = minimize(
        narrow, np.zeros(10), jac=narrow.gradient, method="L-BFGS-B", tol=1e-12
    )
    length = float(np.linalg.norm(narrow.gradient(found.x)))
    proved = gap_bound(length, narrow.strong_convexity)
    ours = LimitedMemoryBFGS(tolerance=1e-10).minimize(narrow, np.zeros(10))
    assert found.fun - ours.value <= proved
    assert proved < 1e-4


@pytest.mark.syllabus("S0B-052")
def test_smooth_first_limited_memory_then_spectral_long_before_steepest(narrow):
    counts = {}
    for method in (
        LimitedMemoryBFGS(tolerance=1e-5),
        BarzilaiBorwein(tolerance=1e-5),
        GradientDescent(tolerance=1e-5, max_iterations=400),
    ):
        counted, calls = Counted.watch(narrow)
        trace = method.minimize(counted, np.zeros(10))
        counts[type(method).__name__] = len(calls), trace.reason
    assert counts["LimitedMemoryBFGS"][0] < counts["BarzilaiBorwein"][0]
    assert counts["GradientDescent"][0] > 3 * counts["BarzilaiBorwein"][0]
    assert counts["BarzilaiBorwein"][1] == "gradient"


@pytest.mark.syllabus("S0B-052")
def test_not_smooth_bundles_before_subgradients(rng):
    place = rng.normal(size=4)
    function = Sum((Translated(Norm(1.0), place), Translated(Norm(), -place)))
    box = Box(np.full(4, -4.0), np.full(4, 4.0))
    bundle = LevelBundle(tolerance=1e-4).minimize(function, np.zeros(4), box)
    assert bundle.reason == "gap"
    for scale in (0.1, 0.5, 2.0):
        slow = GradientDescent(
            DecayingStep(scale), tolerance=0.0, max_iterations=10 * bundle.iterations
        ).minimize(function, np.zeros(4))
        assert bundle.best < slow.best, "though it may take ten times as many"


@pytest.mark.syllabus("S0B-053")
def test_simple_sets_by_projection_programs_by_their_own_solvers(rng, make_definite):
    bowl = Quadratic(make_definite(rng, 6, floor=0.05), 3.0 * rng.normal(size=6))
    box = Box(np.full(6, -0.5), np.full(6, 0.5))
    program = QuadraticProgram(
        bowl.matrix,
        bowl.gradient(np.zeros(6)),
        inequality_matrix=np.vstack([np.eye(6), -np.eye(6)]),
        inequality_limit=np.full(12, 0.5),
    )
    spectral = ProjectedBarzilaiBorwein(box).minimize(bowl, np.zeros(6))
    plain = ProjectedGradient(box, max_iterations=50_000).minimize(bowl, np.zeros(6))
    inner, exact = PathFollowing().solve(program), ActiveSet().solve(program)
    general = BarrierMethod().solve(program.program, np.zeros(6))
    for value in (spectral.best, inner.value, general.value):
        assert value == pytest.approx(exact.value, abs=1e-7)
    assert spectral.iterations < plain.iterations
    # The solver made for the problem is exact to rounding, the general one is not.
    assert np.max(exact.report.residuals) < 1e-9
    assert np.max(exact.report.residuals) < np.max(general.report.residuals)
    assert inner.iterations < 20


@pytest.mark.syllabus("S0B-054")
def test_many_hardly_coupled_variables_one_at_a_time(rng):
    scales = np.geomspace(1.0, 1e4, 60)
    matrix = np.diag(scales) + 0.02 * np.eye(60, k=1) + 0.02 * np.eye(60, k=-1)
    bowl = Quadratic(matrix, rng.normal(size=60))
    best = bowl.value(bowl.minimizer)
    # A sweep over the coordinates costs about as much as one gradient.
    sweeps = CoordinateMethod(max_iterations=3 * 60).minimize(bowl, np.zeros(60))
    steepest = GradientDescent(max_iterations=30).minimize(bowl, np.zeros(60))
    assert sweeps.value - best < 1e-3 * (steepest.value - best)


@pytest.mark.syllabus("S0B-054")
def test_sums_of_many_terms_one_term_at_a_time_and_no_high_accuracy(rng):
    X = rng.normal(size=(400, 3))
    y = np.sign(X @ np.array([1.0, -2.0, 0.5]) + 0.5 * rng.normal(size=400))
    terms = [
        Softplus(1.0 / 400).after(-y[i] * X[i][None, :]) + SquaredNorm(scale=1e-4)
        for i in range(400)
    ]
    whole = Softplus(1.0 / 400).after(-y[:, None] * X) + SquaredNorm(scale=0.04)
    best = LimitedMemoryBFGS().minimize(whole, np.zeros(3))
    one_pass = IncrementalGradient(
        DecayingStep(150.0, 0.5), order="random", passes=1
    ).minimize(terms, np.zeros(3))
    same_cost = GradientDescent(
        FixedStep(1.0 / whole.smoothness), max_iterations=1
    ).minimize(whole, np.zeros(3))
    assert whole.value(one_pass.point) < same_cost.value, "one gradient's worth of work"
    errors = [np.mean(y * (X @ w) <= 0.0) for w in (one_pass.point, best.point)]
    assert errors[0] <= errors[1] + 0.02, "the risk is met before the minimum is"


@pytest.mark.syllabus("S0B-055")
def test_a_strongly_convex_kinked_primal_has_a_smooth_dual_worth_optimising(rng):
    matrix, sigma = rng.normal(size=(8, 5)), 0.5
    strong = SquaredNorm(scale=sigma) + Norm(1.0)
    mirror = strong.conjugate()
    points = 3.0 * rng.normal(size=(40, 5))
    for s, t in zip(points, points[::-1], strict=True):
        turn = np.linalg.norm(mirror.gradient(s) - mirror.gradient(t))
        assert turn <= np.linalg.norm(s - t) / sigma + 1e-12, "Lipschitz with 1/σ"
    # min over w of strong(w) + Σ |xᵢ·w - yᵢ|: the prices of the residuals lie in a box.
    target = rng.normal(size=8)
    dual = Oracle(
        lambda v: mirror.value(matrix.T @ v) - float(target @ v),
        lambda v: matrix @ mirror.gradient(matrix.T @ v) - target,
    )
    box = Box(np.full(8, -1.0), np.full(8, 1.0))
    ascent = ProjectedBarzilaiBorwein(box, tolerance=1e-9).minimize(dual, np.zeros(8))

    def primal(w):
        return strong.value(w) + float(np.sum(np.abs(matrix @ w - target)))

    recovered = mirror.gradient(matrix.T @ ascent.best_point)
    gap = primal(recovered) + ascent.best
    kinked = Oracle(
        primal, lambda w: strong.gradient(w) + matrix.T @ np.sign(matrix @ w - target)
    )
    slow = GradientDescent(
        DecayingStep(0.3), tolerance=0.0, max_iterations=4 * ascent.iterations
    ).minimize(kinked, np.zeros(5))
    assert -1e-9 <= gap < 1e-6
    assert primal(recovered) < slow.best
