"""Every method's observed error stays below the bound it states."""

import numpy as np
import pytest

from infimum.penalties import Lasso
from infimum.study.convexity import (
    BFGS,
    AcceleratedDescent,
    ArmijoStep,
    Ball,
    BarzilaiBorwein,
    Box,
    ConditionalGradient,
    ConvexProgram,
    CoordinateMethod,
    CuttingPlane,
    DampedNewton,
    DecayingStep,
    ExactStep,
    FixedStep,
    GradientDescent,
    IncrementalGradient,
    LevelBundle,
    LimitedMemoryBFGS,
    LogBarrier,
    Maximum,
    MirrorMethod,
    NewtonMethod,
    NonlinearConjugateGradient,
    Norm,
    Premises,
    ProjectedBarzilaiBorwein,
    ProjectedGradient,
    ProximalBundle,
    ProximalDescent,
    Quadratic,
    SquaredNorm,
    StrongWolfeStep,
    Translated,
    TrustRegionBundle,
    WolfeStep,
    conjugate_gradient,
    conjugate_gradient_bound,
)

START = np.full(4, 2.0)
BOX = Box(np.full(2, -1.0), np.full(2, 1.0))


def assert_below(trace, best, bound, slack=1e-12):
    errors = np.minimum.accumulate(trace.values) - best
    for iteration, error in enumerate(errors):
        assert error <= bound(iteration) + slack
    return errors


def strongly_convex_methods(smoothness):
    return {
        "gradient, 1/L": GradientDescent(FixedStep(1.0 / smoothness)),
        "gradient, exact": GradientDescent(ExactStep()),
        "gradient, Armijo": GradientDescent(ArmijoStep(0.3)),
        "gradient, Wolfe": GradientDescent(WolfeStep(0.1, 0.5)),
        "gradient, strong Wolfe": GradientDescent(StrongWolfeStep(0.1, 0.5)),
        "cyclic coordinates": CoordinateMethod(),
        "greedy coordinates": CoordinateMethod("greedy"),
        "NewtonMethod": NewtonMethod(),
        "spectral": BarzilaiBorwein(),
        "monotone spectral": BarzilaiBorwein(window=1),
    }


@pytest.mark.parametrize("name", strongly_convex_methods(1.0))
def test_on_a_logistic_risk_the_error_stays_below_the_bound(
    name, rng, make_logistic_ridge
):
    function, _ = make_logistic_ridge(rng)
    least = BFGS(tolerance=1e-13).minimize(function, np.zeros(4)).point
    known = Premises.of(function, START, least)
    method = strongly_convex_methods(function.smoothness)[name]
    trace = method.minimize(function, START)
    errors = assert_below(
        trace, function.value(least), lambda t: method.bound(t, known)
    )
    assert errors[0] == pytest.approx(known.gap)
    assert method.bound(2000, known) < known.gap, "the bound promises something"


def test_without_strong_convexity_gradient_descent_keeps_1_over_t(rng):
    bowl = Quadratic(np.diag([0.0, 1e-3, 0.1, 1.0]))
    known = Premises.of(bowl, START, np.zeros(4), diameter=2.0 * np.linalg.norm(START))
    method = GradientDescent(FixedStep(1.0), tolerance=0.0, max_iterations=300)
    assert known.strong_convexity == 0.0
    trace = method.minimize(bowl, START)
    assert_below(trace, 0.0, lambda t: method.bound(t, known))
    assert method.bound(300, known) < 0.2 * known.gap


@pytest.mark.parametrize(
    "method",
    [NonlinearConjugateGradient(), BFGS(ExactStep()), LimitedMemoryBFGS(ExactStep())],
    ids=["conjugate", "bfgs", "limited"],
)
def test_on_a_quadratic_these_have_the_rate_of_conjugate_gradients(method, rng):
    spectrum = np.linspace(1.0, 50.0, 12)
    bowl = Quadratic(np.diag(spectrum), -spectrum)
    known = Premises.of(bowl, np.zeros(12), bowl.minimizer)
    trace = method.minimize(bowl, np.zeros(12))
    best = bowl.value(bowl.minimizer)
    assert_below(trace, best, lambda t: method.bound(t, known), 1e-9)
    assert method.bound(12, known) == 0.0


def test_linear_conjugate_gradients_keep_their_bound(rng):
    spectrum = np.geomspace(1.0, 400.0, 60)
    trace = conjugate_gradient(lambda p: spectrum * p, np.ones(60))
    best = -0.5 * np.sum(1.0 / spectrum)
    assert_below(
        trace, best, lambda t: conjugate_gradient_bound(400.0, -best, t), 1e-10
    )
    assert conjugate_gradient_bound(400.0, -best, 60) < 1e-3 * -best


def test_damped_newton_needs_no_modulus_on_a_self_concordant_function(rng):
    function = LogBarrier() + Quadratic(np.diag([1.0, 1e4, 1e-4]), rng.normal(size=3))
    least = NewtonMethod(tolerance=1e-12).minimize(function, np.ones(3)).point
    for start in (np.ones(3), np.array([50.0, 1e-3, 7.0])):
        known = Premises(gap=function.value(start) - function.value(least))
        method = DampedNewton(tolerance=1e-12)
        trace = method.minimize(function, start)
        noise = 1e-13 * abs(function.value(start))
        promise = [method.bound(t, known) for t in range(len(trace.values))]
        assert_below(trace, function.value(least), promise.__getitem__, noise)
        assert np.all(trace.points > 0.0), "no step leaves the domain"
        assert np.all(np.diff(trace.values) <= noise)


@pytest.mark.parametrize("kind", [ProximalDescent, AcceleratedDescent])
def test_proximal_methods_keep_their_rates(kind, rng, make_definite):
    bowl = Quadratic(make_definite(rng, floor=0.0), rng.normal(size=4))
    method = kind(Lasso(0.3), max_iterations=200, tolerance=0.0)
    least = ProximalDescent(Lasso(0.3), max_iterations=50_000, tolerance=1e-15)
    optimum = least.minimize(bowl, START)
    distance = float(np.linalg.norm(START - optimum.point))
    trace = method.minimize(bowl, START)
    known = Premises(trace.values[0] - optimum.value, distance, bowl.smoothness, 0.0)
    assert_below(trace, optimum.value, lambda t: method.bound(t, known))
    assert method.bound(200, known) < 0.1 * known.gap


def test_acceleration_beats_the_plain_method_where_it_is_flat():
    bowl = Quadratic(np.diag(np.geomspace(1e-4, 1.0, 20)), np.full(20, -1e-3))
    values = [
        kind(Lasso(1e-6), max_iterations=150, tolerance=0.0)
        .minimize(bowl, np.zeros(20))
        .best
        for kind in (ProximalDescent, AcceleratedDescent)
    ]
    assert values[1] < values[0]


def test_decaying_subgradient_steps_keep_their_bound():
    place = np.array([1.0, -2.0, 0.5, 0.0])
    function = Translated(Norm(1.0), place)
    known = Premises.of(function, START, place, lipschitz=2.0)
    method = GradientDescent(DecayingStep(0.5), tolerance=0.0, max_iterations=400)
    trace = method.minimize(function, START)
    assert_below(trace, 0.0, lambda t: method.bound(t, known))
    mirror = MirrorMethod(step=DecayingStep(0.5), max_iterations=400)
    divergence = Premises(distance=0.5 * known.distance**2, lipschitz=2.0)
    descended = mirror.minimize(function, START)
    assert_below(descended, 0.0, lambda t: mirror.bound(t, divergence))


def test_one_term_at_a_time_keeps_its_bound(rng):
    places = rng.normal(size=(5, 2))
    terms = [Translated(Norm(), place) for place in places]
    method = IncrementalGradient(FixedStep(0.01), passes=60)
    trace = method.minimize(terms, np.full(2, 3.0))
    best_place = IncrementalGradient(FixedStep(1e-4), passes=1500).minimize(
        terms, places[0]
    )
    distance = float(np.linalg.norm(np.full(2, 3.0) - best_place.point))
    known = Premises(distance=distance, lipschitz=1.0)
    bounds = [method.bound(t, known, 5) for t in range(61)]
    assert np.all(np.minimum.accumulate(trace.values) - best_place.best <= bounds)
    assert bounds[60] < bounds[0] / 10


def test_projected_methods_keep_the_rates_of_gradient_descent(rng, make_definite):
    bowl = Quadratic(make_definite(rng), 3.0 * rng.normal(size=4))
    box = Box(np.full(4, -0.5), np.full(4, 0.5))
    methods = (
        ProjectedGradient(box, max_iterations=3000),
        ProjectedBarzilaiBorwein(box, window=1),
    )
    optimum = ProjectedGradient(box, tolerance=1e-13, max_iterations=20_000).minimize(
        bowl, np.zeros(4)
    )
    start = np.full(4, 0.5)
    known = Premises.of(bowl, start, optimum.point)
    for method in methods:
        trace = method.minimize(bowl, start)
        assert_below(trace, optimum.best, lambda t, m=method: m.bound(t, known))
        assert method.bound(100_000_000, known) < 1e-3 * known.gap


@pytest.mark.parametrize("rule", ["short", "open_loop"])
def test_conditional_gradients_keep_their_bound(rule, rng, make_definite):
    bowl = Quadratic(make_definite(rng), rng.normal(size=4))
    region = Ball(1.0, 0.7)
    least = ProjectedGradient(region, tolerance=1e-13).minimize(bowl, np.zeros(4))
    start = np.array([0.7, 0.0, 0.0, 0.0])
    known = Premises.of(bowl, start, least.point, diameter=1.4)
    method = ConditionalGradient(region, rule, tolerance=0.0, max_iterations=300)
    trace = method.minimize(bowl, start)
    assert_below(trace, least.best, lambda t: method.bound(t, known))
    later = trace.gaps[1:]
    promised = [27 / 8 * method.bound(t, known) for t in range(1, len(trace.gaps))]
    assert np.all(later <= promised), "and so does the proven gap"


@pytest.mark.parametrize(
    "method",
    [
        CuttingPlane(1e-4),
        LevelBundle(tolerance=1e-4),
        ProximalBundle(tolerance=1e-4),
        TrustRegionBundle(adapt=False, tolerance=1e-4),
    ],
    ids=["cutting plane", "level", "proximal", "trust region"],
)
def test_methods_of_planes_keep_their_bounds(method):
    place = np.array([0.3, -0.2])
    function = Maximum((Translated(Norm(), place), Translated(SquaredNorm(), -place)))
    # Slopes on the box: 1 of the norm, at most the farthest corner of the square.
    known = Premises(
        gap=function.value(np.ones(2)),
        lipschitz=float(np.linalg.norm([1.3, 1.2])),
        diameter=float(np.sqrt(8.0)),
        dimension=2,
    )
    trace = method.minimize(function, np.ones(2), BOX)
    best = trace.best - trace.gap
    assert trace.reason == "gap"
    assert_below(trace, best, lambda t: method.bound(t, known))
    for big in (10**6, 10**12):
        assert method.bound(100 * big, known) < method.bound(big, known)


def test_the_barriers_gap_is_known_before_it_starts(rng, make_definite):
    from infimum.study.convexity import Affine, BarrierMethod

    bowl = Quadratic(make_definite(rng), rng.normal(size=4))
    walls = tuple(Affine(row, -0.1) for row in rng.normal(size=(3, 4)))
    method = BarrierMethod(tolerance=1e-7)
    solution = method.solve(ConvexProgram(bowl, walls), np.zeros(4))
    best = solution.report.lower_bound
    assert solution.iterations == method.rounds(3)
    assert_below(solution.trace, best, lambda t: method.bound(3, t))
    assert solution.trace.gaps == pytest.approx([method.bound(3, t) for t in range(9)])
