"""Conjugate gradients on quadratics."""

import numpy as np
import pytest
from scipy.sparse.linalg import cg as scipy_cg

from infimum.study.convexity import (
    HessianStep,
    NonlinearConjugateGradient,
    Quadratic,
    conjugate_gradient,
    conjugate_gradient_textbook,
)


@pytest.fixture
def system(rng, make_definite):
    return make_definite(rng, size=8, floor=1.0), rng.normal(size=8)


@pytest.fixture
def trace(system):
    matrix, target = system
    return conjugate_gradient(lambda p: matrix @ p, target, tolerance=1e-9)


@pytest.mark.syllabus("S0A-263")
def test_the_directions_are_conjugate_and_a_basis(system, trace):
    matrix, _ = system
    directions = trace.directions / np.linalg.norm(trace.directions, axis=1)[:, None]
    products = directions @ matrix @ directions.T
    off_diagonal = products - np.diag(np.diag(products))
    assert len(directions) == 8
    assert np.max(np.abs(off_diagonal)) <= 1e-8 * np.min(np.diag(products))
    assert np.linalg.matrix_rank(directions) == 8


@pytest.mark.syllabus("S0A-263")
def test_minimising_the_quadratic_solves_the_linear_system(system, trace):
    matrix, target = system
    assert trace.point == pytest.approx(np.linalg.solve(matrix, target), rel=1e-8)
    bowl = Quadratic(matrix, -target)
    assert bowl.gradient(trace.point) == pytest.approx(np.zeros(8), abs=1e-8)
    for point, value in zip(trace.points, trace.values, strict=True):
        assert value == pytest.approx(bowl.value(point), rel=1e-10, abs=1e-10)


@pytest.mark.syllabus("S0A-264")
def test_textbook_and_practical_recurrences_and_scipy_visit_the_same_points(
    system, trace
):
    matrix, target = system
    textbook = conjugate_gradient_textbook(matrix, target, steps=trace.iterations)
    assert textbook.points == pytest.approx(trace.points, abs=1e-9)
    visited = []
    scipy_cg(matrix, target, rtol=1e-12, callback=lambda w: visited.append(w.copy()))
    for ours, theirs in zip(trace.points[1:6], visited[:5], strict=True):
        assert ours == pytest.approx(theirs, abs=1e-9)
    for t in range(trace.iterations):
        gradient, direction = textbook.gradients[t], textbook.directions[t]
        image = matrix @ direction
        step = -(gradient @ direction) / (direction @ image)
        assert textbook.steps[t] == pytest.approx(step)
        if t + 1 < trace.iterations:
            after = textbook.gradients[t + 1]
            beta = (after @ image) / (direction @ image)
            expected = -after + beta * direction
            assert textbook.directions[t + 1] == pytest.approx(expected)


@pytest.mark.syllabus("S0A-265")
def test_gradients_and_directions_span_the_krylov_space(system, trace):
    matrix, target = system
    for steps in range(1, 6):
        power, krylov = target.copy(), []
        for _ in range(steps):
            krylov.append(power / np.linalg.norm(power))
            power = matrix @ power
        for vectors in (trace.gradients[:steps], trace.directions[:steps]):
            scaled = vectors / np.linalg.norm(vectors, axis=1)[:, None]
            both = np.vstack([krylov, scaled])
            assert np.linalg.matrix_rank(both, tol=1e-7) == steps


@pytest.mark.syllabus("S0A-265")
def test_each_gradient_is_orthogonal_and_each_direction_conjugate_to_the_past(
    system, trace
):
    matrix, _ = system
    for t in range(1, trace.iterations):
        gradient, direction = trace.gradients[t], trace.directions[t]
        for past in trace.directions[:t]:
            scale = 1e-9 * np.linalg.norm(past) * np.linalg.norm(trace.gradients[0])
            assert abs(past @ gradient) <= scale
            assert abs(past @ matrix @ direction) <= scale * np.linalg.norm(matrix)


@pytest.mark.syllabus("S0A-266")
@pytest.mark.parametrize("distinct", [1, 2, 5])
def test_as_many_steps_as_distinct_eigenvalues_and_one_product_each(distinct, rng):
    size, products = 20, []
    axes, _ = np.linalg.qr(rng.normal(size=(size, size)))
    spectrum = np.linspace(1.0, 3.0, distinct)[rng.integers(distinct, size=size)]
    spectrum[:distinct] = np.linspace(1.0, 3.0, distinct)
    matrix, target = (axes * spectrum) @ axes.T, rng.normal(size=size)

    def product(p):
        products.append(p)
        return matrix @ p

    trace = conjugate_gradient(product, target, tolerance=1e-9)
    assert trace.iterations == distinct == len(products)
    assert np.linalg.norm(matrix @ trace.point - target) <= 1e-8


@pytest.mark.syllabus("S0A-266")
def test_the_practical_step_and_beta_are_ratios_of_squares(system, trace):
    matrix, _ = system
    squares = trace.gradient_norms**2
    for t in range(trace.iterations - 1):
        direction = trace.directions[t]
        step = squares[t] / (direction @ matrix @ direction)
        assert trace.steps[t] == pytest.approx(step)
        bent = -trace.gradients[t + 1] + squares[t + 1] / squares[t] * direction
        assert trace.directions[t + 1] == pytest.approx(bent)


@pytest.mark.syllabus("S0A-267")
def test_fifty_unknowns_need_at_most_fifty_steps(rng):
    size = 50
    axes, _ = np.linalg.qr(rng.normal(size=(size, size)))
    matrix = (axes * np.linspace(1.0, 10.0, size)) @ axes.T
    target = rng.normal(size=size)
    trace = conjugate_gradient(lambda p: matrix @ p, target, tolerance=1e-8)
    assert trace.reason == "gradient"
    assert trace.iterations <= size
    assert np.linalg.norm(matrix @ trace.point - target) < 2e-8


@pytest.mark.syllabus("S0A-267")
def test_each_step_minimises_along_its_direction_and_over_all_before(
    system, trace, rng
):
    matrix, target = system
    bowl = Quadratic(matrix, -target)
    for t in range(trace.iterations):
        line = bowl.along(trace.points[t], trace.directions[t])
        slope = line.gradient(np.array([trace.steps[t]]))[0]
        assert abs(slope) <= 1e-10 * abs(line.gradient(np.zeros(1))[0]) + 1e-14
        # No combination of the directions so far leads lower.
        for _ in range(5):
            probe = (
                trace.points[t + 1] + rng.normal(size=t + 1) @ trace.directions[: t + 1]
            )
            assert bowl.value(probe) >= trace.values[t + 1] - 1e-12


@pytest.mark.syllabus("S0A-268")
def test_on_a_quadratic_the_hessian_formula_is_conjugate_gradients(system, trace):
    matrix, target = system
    generic = NonlinearConjugateGradient(HessianStep(), 1e-9, formula="hessian")
    found = generic.minimize(Quadratic(matrix, -target), np.zeros(8))
    assert found.points[:7] == pytest.approx(trace.points[:7], abs=1e-9)


@pytest.mark.parametrize(
    "formula",
    [
        pytest.param("fletcher_reeves", marks=pytest.mark.syllabus("S0A-269")),
        pytest.param("polak_ribiere", marks=pytest.mark.syllabus("S0A-270")),
        pytest.param("hestenes_stiefel", marks=pytest.mark.syllabus("S0A-271")),
    ],
)
def test_on_a_quadratic_with_exact_steps_every_formula_is_conjugate_gradients(
    formula, system, trace
):
    matrix, target = system
    found = NonlinearConjugateGradient(tolerance=1e-9, formula=formula).minimize(
        Quadratic(matrix, -target), np.zeros(8)
    )
    assert found.points[:7] == pytest.approx(trace.points[:7], abs=1e-9)
    assert found.iterations <= 9
