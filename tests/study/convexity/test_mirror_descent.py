"""Mirror descent, exponentiated gradient, and their promises."""

import numpy as np
import pytest

from infimum.study.convexity import (
    Affine,
    Bregman,
    DecayingStep,
    ExponentiatedGradient,
    FixedStep,
    GradientDescent,
    Maximum,
    MirrorMethod,
    NegativeEntropy,
    Norm,
    Quadratic,
    SquaredNorm,
    Translated,
    UnnormalizedEntropy,
    dual_order,
    mirror_bound,
    mirror_constant_bound,
    mirror_constant_step,
    mirror_decaying_bound,
    norm,
)


def dual_norms(gradients, generator):
    return np.array([norm(g, dual_order(generator.norm_order)) for g in gradients])


@pytest.mark.syllabus("S0A-259")
def test_with_half_the_squared_norm_mirror_descent_is_gradient_descent(
    rng, make_definite
):
    bowl = Quadratic(make_definite(rng), rng.normal(size=4))
    rule = FixedStep(0.5 / bowl.smoothness)
    mirror = MirrorMethod(SquaredNorm(), rule, 20).minimize(bowl, np.ones(4))
    plain = GradientDescent(rule, 0.0, 20).minimize(bowl, np.ones(4))
    assert mirror.points == pytest.approx(plain.points, rel=1e-12)


@pytest.mark.syllabus("S0A-259")
@pytest.mark.parametrize("order", [1.2, 1.5, 3.0])
def test_each_step_subtracts_the_gradient_in_the_mirror(order, rng, make_definite):
    bowl = Quadratic(make_definite(rng), rng.normal(size=4))
    generator = SquaredNorm(order)
    trace = MirrorMethod(generator, FixedStep(0.01), 10).minimize(bowl, np.ones(4))
    for t in range(10):
        before, after = trace.points[t : t + 2]
        image = generator.gradient(before) - 0.01 * bowl.gradient(before)
        assert generator.gradient(after) == pytest.approx(image, rel=1e-10)
        assert generator.conjugate().gradient(image) == pytest.approx(after)


@pytest.mark.syllabus("S0A-259")
def test_each_step_minimises_the_tangent_plane_plus_the_divergence(rng):
    generator, step = NegativeEntropy(), 0.3
    gradient, point = rng.normal(size=5), rng.dirichlet(np.ones(5))
    after = MirrorMethod(generator).update(point, step * gradient)

    def price(w):
        return step * float(gradient @ w) + Bregman(generator).divergence(w, point)

    probes = rng.dirichlet(np.ones(5), 200)
    nearby = 0.99 * after + 0.01 * probes
    assert price(after) < min(price(probe) for probe in [*probes, *nearby])


@pytest.mark.syllabus("S0A-260")
def test_exponentiated_gradient_multiplies_and_stays_positive(rng, make_definite):
    bowl = Quadratic(make_definite(rng), rng.normal(size=4))
    trace = ExponentiatedGradient(step=FixedStep(0.05), max_iterations=50).minimize(
        bowl, np.ones(4)
    )
    factors = np.exp(-0.05 * trace.gradients[:-1])
    assert np.array_equal(trace.points[1:], trace.points[:-1] * factors)
    assert np.all(trace.points > 0.0)
    mirror = MirrorMethod(UnnormalizedEntropy(), FixedStep(0.05), 50)
    assert mirror.minimize(bowl, np.ones(4)).points == pytest.approx(
        trace.points, rel=1e-10
    )


@pytest.mark.syllabus("S0A-260")
def test_exponentiated_gradient_minimises_over_the_positive_orthant():
    bowl = Quadratic(np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([-2.0, 1.0]))
    trace = ExponentiatedGradient(step=FixedStep(0.2), max_iterations=400).minimize(
        bowl, np.ones(2)
    )
    # The unconstrained minimum has a negative entry; on the orthant it is (1, 0).
    assert bowl.minimizer[1] < 0.0
    assert trace.point == pytest.approx([1.0, 0.0], abs=1e-9)


@pytest.mark.syllabus("S0A-260")
def test_the_normalised_update_stays_on_the_simplex_and_finds_its_best_corner(rng):
    slope = np.array([0.4, -0.2, 0.1, 0.3])
    method = ExponentiatedGradient(
        step=FixedStep(0.5), max_iterations=200, normalized=True
    )
    trace = method.minimize(Affine(slope), np.full(4, 0.25))
    assert np.sum(trace.points, axis=1) == pytest.approx(np.ones(201), rel=1e-13)
    assert trace.point == pytest.approx([0.0, 1.0, 0.0, 0.0], abs=1e-10)
    mirror = MirrorMethod(NegativeEntropy(), FixedStep(0.5), 30)
    expected = mirror.minimize(Affine(slope), np.full(4, 0.25)).points
    assert trace.points[:31] == pytest.approx(expected, rel=1e-10)


def kinked_problem(rng, size=6):
    """Return a piecewise linear function, its minimiser's value and place."""
    place = rng.normal(size=size)
    return Translated(Norm(1.0), place), place


@pytest.mark.syllabus("S0A-261")
@pytest.mark.parametrize("order", [2.0, 1.5, 1.2])
@pytest.mark.parametrize("rule", [FixedStep(0.05), DecayingStep(0.3)])
def test_the_best_point_obeys_the_mirror_descent_bound(order, rule, rng):
    function, place = kinked_problem(rng)
    generator = SquaredNorm(order)
    start = np.full(6, 0.1)
    trace = MirrorMethod(generator, rule, 300).minimize(function, start)
    distance = Bregman(generator).divergence(place, start)
    norms = dual_norms(trace.gradients, generator)
    for rounds in (1, 10, 100, 300):
        promised = mirror_bound(
            distance, generator.strong_convexity, trace.steps[:rounds], norms[:rounds]
        )
        assert np.min(trace.values[:rounds]) - 0.0 <= promised


@pytest.mark.syllabus("S0A-261")
def test_the_bound_holds_on_the_simplex_with_entropy_and_the_maximum_norm(rng):
    losses = rng.uniform(-1.0, 1.0, size=(8, 5))
    game = Maximum(tuple(Affine(row) for row in losses))
    generator, start = NegativeEntropy(), np.full(5, 0.2)
    trace = MirrorMethod(generator, DecayingStep(1.0), 400).minimize(game, start)
    norms = dual_norms(trace.gradients, generator)
    promised = mirror_bound(np.log(5), 1.0, trace.steps, norms[:-1])
    # Against every mixture at once: D(w*, uniform) ≤ log 5.
    best = min(game.value(w) for w in rng.dirichlet(np.ones(5), 3000))
    assert np.min(trace.values[:-1]) <= best + promised
    assert promised < 0.5


@pytest.mark.syllabus("S0A-261")
def test_the_entropy_bound_on_the_orthant_needs_the_largest_total_met(rng):
    target = np.array([0.5, 2.0, 1.0])
    function, start = Translated(Norm(1.0), target), np.ones(3)
    trace = ExponentiatedGradient(step=FixedStep(0.05), max_iterations=200).minimize(
        function, start
    )
    distance = Bregman(UnnormalizedEntropy()).divergence(target, start)
    largest = max(np.max(np.sum(trace.points, axis=1)), np.sum(target))
    norms = np.max(np.abs(trace.gradients), axis=1)
    promised = mirror_bound(distance, 1.0 / largest, trace.steps, norms[:-1])
    assert np.min(trace.values[:-1]) <= promised


@pytest.mark.syllabus("S0A-262")
@pytest.mark.parametrize("rounds", [1, 10, 100, 1000])
def test_the_best_constant_step_gives_the_square_root_rate(rounds, rng):
    function, place = kinked_problem(rng)
    generator, start = SquaredNorm(), np.zeros(6)
    distance = Bregman(generator).divergence(place, start)
    lipschitz = np.sqrt(6.0)  # the Euclidean length of a vector of signs
    step = mirror_constant_step(distance, 1.0, lipschitz, rounds)
    trace = MirrorMethod(generator, FixedStep(step), rounds).minimize(function, start)
    promised = mirror_constant_bound(distance, 1.0, lipschitz, rounds)
    assert promised == pytest.approx(lipschitz * np.sqrt(2.0 * distance / rounds))
    assert np.min(trace.values[:-1]) <= promised
    steps, norms = np.full(rounds, step), np.full(rounds, lipschitz)
    assert mirror_bound(distance, 1.0, steps, norms) == pytest.approx(promised)


@pytest.mark.syllabus("S0A-262")
@pytest.mark.parametrize("rounds", [1, 10, 100, 1000])
def test_steps_that_decay_pay_a_logarithm(rounds, rng):
    function, place = kinked_problem(rng)
    generator, start = SquaredNorm(), np.zeros(6)
    distance = Bregman(generator).divergence(place, start)
    lipschitz = np.sqrt(6.0)
    scale = np.sqrt(2.0 * distance) / lipschitz
    trace = MirrorMethod(generator, DecayingStep(scale), rounds).minimize(
        function, start
    )
    promised = mirror_decaying_bound(distance, 1.0, lipschitz, rounds)
    assert np.min(trace.values[:-1]) <= promised
    times = np.arange(1, rounds + 1)
    norms = np.full(rounds, lipschitz)
    assert promised == pytest.approx(
        mirror_bound(distance, 1.0, scale / np.sqrt(times), norms)
    )


@pytest.mark.syllabus("S0A-262", "S0B-063")
def test_the_rate_without_logarithm_is_not_implied_for_decaying_steps():
    ratios = []
    for rounds in (1, 100, 10_000, 1_000_000):
        decaying = mirror_decaying_bound(1.0, 1.0, 1.0, rounds)
        ratios.append(decaying / mirror_constant_bound(1.0, 1.0, 1.0, rounds))
    assert ratios[0] == pytest.approx(1.0)
    # The series is never below 1/√T: 2 against 1 at T = 1, 0.333 against 0.1 at 100.
    for rounds in (1, 2, 10, 100, 10_000):
        times = np.arange(1, rounds + 1)
        series = (1.0 + np.sum(1.0 / times)) / np.sum(1.0 / np.sqrt(times))
        assert series > 1.5 / np.sqrt(rounds)
    assert np.all(np.diff(ratios) > 0.0), "the ratio grows without bound"
    # (1 + log T) / (4 √T) against 1 / √T: a quarter of a logarithm.
    assert ratios[-1] == pytest.approx(0.25 * (1.0 + 0.5772 + np.log(1e6)), rel=2e-3)
