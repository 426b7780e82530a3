"""Strong convexity and smoothness."""

import numpy as np
import pytest

from infimum.study.convexity import (
    BinaryEntropy,
    Bregman,
    Dilated,
    LogSumExp,
    NegativeEntropy,
    Quadratic,
    Softplus,
    SquaredNorm,
    Translated,
    dual_order,
    norm,
    rounding_allowance,
    smallest_curvature,
    smoothness_slacks,
    strong_convexity_slacks,
    worst_chord,
)


@pytest.mark.syllabus("S0A-228")
def test_the_modulus_of_a_quadratic_is_the_least_eigenvalue(rng, make_definite):
    matrix = make_definite(rng)
    bowl = Quadratic(matrix)
    least = np.linalg.eigvalsh(matrix)[0]
    assert bowl.strong_convexity == pytest.approx(least)
    assert smallest_curvature(bowl, rng.normal(size=4)) == pytest.approx(
        least, rel=1e-6
    )
    # f - (σ/2)‖x‖² is still convex, and with any larger σ it is not.
    points = rng.normal(size=(12, 4))
    _, axes = np.linalg.eigh(matrix)
    points[:2] = [-axes[:, 0], axes[:, 0]]

    def less(modulus):
        return lambda x: bowl.value(x) - 0.5 * modulus * float(x @ x)

    assert not worst_chord(less(bowl.strong_convexity), points).violates
    assert worst_chord(less(1.01 * bowl.strong_convexity), points).violates


@pytest.mark.syllabus("S0A-229")
@pytest.mark.parametrize("strength", [0.01, 1.0, 30.0])
def test_half_a_squared_norm_times_lambda_has_modulus_lambda(strength, rng):
    function = SquaredNorm(scale=strength)
    assert function.strong_convexity == strength
    assert (strength * SquaredNorm()).strong_convexity == strength
    x, y = rng.normal(size=(2, 5))
    # Exact: the tangent plane misses by (λ/2)‖y - x‖² everywhere.
    missed = Bregman(function).divergence(y, x)
    assert missed == pytest.approx(0.5 * strength * float((y - x) @ (y - x)), rel=1e-12)


@pytest.mark.syllabus("S0A-230", "S0B-058")
def test_negative_entropy_is_1_strongly_convex_in_the_1_norm(rng):
    entropy = NegativeEntropy()
    assert (entropy.strong_convexity, entropy.norm_order) == (1.0, 1.0)
    tightest = np.inf
    for scale in (1.0, 1.0, 0.01):
        for _ in range(100):
            x = rng.dirichlet(np.full(6, 0.5))
            y = (1 - scale) * x + scale * rng.dirichlet(np.full(6, 0.5))
            divergence = Bregman(entropy).divergence(y, x)
            distance = norm(y - x, 1.0) ** 2
            assert divergence >= 0.5 * distance - rounding_allowance(1.0, np.log(6))
    for gap in (1e-2, 1e-3):
        pair = np.array([0.5 + gap, 0.5 - gap]), np.array([0.5, 0.5])
        divergence = Bregman(entropy).divergence(*pair)
        tightest = divergence / norm(pair[0] - pair[1], 1.0) ** 2
    assert tightest == pytest.approx(0.5, rel=1e-5), "no larger modulus would do"


@pytest.mark.syllabus("S0B-058")
def test_the_symmetric_divergence_is_at_least_the_squared_1_norm(rng):
    for _ in range(200):
        x, y = rng.dirichlet(np.full(5, 0.7), 2)
        symmetric = float(np.sum((x - y) * np.log(x / y)))
        assert symmetric >= norm(x - y, 1.0) ** 2 * (1 - 1e-12)
    # Entry by entry it rests on (t - 1) log t ≥ 2 (t - 1)² / (t + 1).
    t = np.logspace(-6.0, 6.0, 1001)
    assert np.all((t - 1) * np.log(t) >= 2 * (t - 1) ** 2 / (t + 1) * (1 - 1e-12))


@pytest.mark.syllabus("S0A-230")
def test_negative_entropy_counts_0_log_0_as_0_and_lives_on_the_simplex():
    entropy = NegativeEntropy()
    assert entropy.value(np.array([0.5, 0.5, 0.0])) == pytest.approx(-np.log(2))
    assert entropy.value(np.array([0.5, 0.6])) == np.inf
    assert entropy.value(np.array([1.1, -0.1])) == np.inf


@pytest.mark.syllabus("S0A-231", "S0B-059")
def test_strongly_convex_functions_obey_four_inequalities(
    strongly_convex, rng, allowance
):
    function, draw = strongly_convex
    for _ in range(30):
        x, y = draw(rng), draw(rng)
        slacks = strong_convexity_slacks(function, x, y)
        square = norm(function.gradient(x) - function.gradient(y)) ** 2
        scale = allowance(function, x, y) + 1e-14 * square / function.strong_convexity
        assert min(slacks) >= -scale, slacks


@pytest.mark.syllabus("S0A-231", "S0B-059")
def test_too_large_a_modulus_breaks_the_four_inequalities(rng, make_definite):
    matrix = make_definite(rng)
    values, axes = np.linalg.eigh(matrix)
    slacks = strong_convexity_slacks(
        Quadratic(matrix), np.zeros(4), axes[:, 0], modulus=1.1 * values[0]
    )
    assert max(slacks) < 0.0


@pytest.mark.syllabus("S0A-232")
def test_the_lipschitz_modulus_of_a_quadratic_is_the_largest_eigenvalue(
    rng, make_definite
):
    matrix = make_definite(rng)
    bowl, (values, axes) = Quadratic(matrix), np.linalg.eigh(matrix)
    assert bowl.smoothness == pytest.approx(values[-1])
    for _ in range(30):
        x, y = rng.normal(size=(2, 4))
        turn = norm(bowl.gradient(x) - bowl.gradient(y))
        assert turn <= bowl.smoothness * norm(x - y) * (1 + 1e-14)
    steepest = axes[:, -1]
    turn = norm(bowl.gradient(steepest) - bowl.gradient(-steepest))
    assert turn == pytest.approx(2.0 * bowl.smoothness)


@pytest.mark.syllabus("S0A-232")
def test_the_mean_logistic_loss_has_modulus_a_quarter_of_the_largest_eigenvalue(rng):
    samples, size = 40, 5
    signed = rng.normal(size=(samples, size))
    loss = Softplus(1.0 / samples).after(-signed)
    expected = np.linalg.eigvalsh(signed.T @ signed)[-1] / (4 * samples)
    assert loss.smoothness == pytest.approx(expected)
    # Attained at the origin, where every sigmoid has slope 1/4.
    assert np.linalg.eigvalsh(loss.hessian(np.zeros(size)))[-1] == pytest.approx(
        expected
    )
    for _ in range(20):
        hessian = loss.hessian(rng.normal(size=size))
        assert np.linalg.eigvalsh(hessian)[-1] <= expected * (1 + 1e-14)


@pytest.mark.syllabus("S0A-233", "S0B-059")
def test_smooth_functions_obey_four_inequalities(smooth, rng, allowance):
    function, draw = smooth
    for _ in range(30):
        x, y = draw(rng), draw(rng)
        slacks = smoothness_slacks(function, x, y)
        scale = allowance(function, x, y)
        square = norm(x - y, function.norm_order) ** 2
        assert min(slacks) >= -scale - 1e-14 * function.smoothness * square, slacks


@pytest.mark.syllabus("S0A-233", "S0B-059")
def test_too_small_a_modulus_breaks_the_four_inequalities(rng, make_definite):
    matrix = make_definite(rng)
    values, axes = np.linalg.eigh(matrix)
    slacks = smoothness_slacks(
        Quadratic(matrix), np.zeros(4), axes[:, -1], modulus=0.9 * values[-1]
    )
    assert max(slacks) < 0.0


@pytest.mark.syllabus("S0A-237")
@pytest.mark.parametrize(
    "function",
    [
        Quadratic(np.diag([2.0, 5.0])),
        SquaredNorm(1.25, 3.0),
        SquaredNorm(2.0, 0.1),
        NegativeEntropy(),
        BinaryEntropy(0.2),
        2.0 * Dilated(Translated(SquaredNorm(), np.ones(2)), 3.0),
    ],
    ids=lambda function: type(function).__name__,
)
def test_duality_turns_strong_convexity_into_smoothness_and_back(function):
    dual = function.conjugate()
    assert dual.smoothness == pytest.approx(1.0 / function.strong_convexity)
    assert dual.norm_order == pytest.approx(dual_order(function.norm_order))
    again = dual.conjugate()
    assert 1.0 / again.strong_convexity == pytest.approx(dual.smoothness)


@pytest.mark.syllabus("S0A-237")
def test_the_conjugate_of_a_quadratic_has_the_inverse_matrix_and_moduli(
    rng, make_definite
):
    matrix = make_definite(rng)
    bowl, dual = Quadratic(matrix), Quadratic(matrix).conjugate()
    s = rng.normal(size=4)
    assert dual.value(s) == pytest.approx(0.5 * s @ np.linalg.solve(matrix, s))
    assert dual.smoothness == pytest.approx(1.0 / bowl.strong_convexity)
    assert dual.strong_convexity == pytest.approx(1.0 / bowl.smoothness)


@pytest.mark.syllabus("S0A-237")
def test_entropy_is_strongly_convex_and_log_sum_exp_as_smooth_in_the_dual_norm(rng):
    soft = NegativeEntropy().conjugate()
    assert isinstance(soft, LogSumExp)
    assert (soft.smoothness, soft.norm_order) == (1.0, np.inf)
    for _ in range(50):
        x, y = 2.0 * rng.normal(size=(2, 5))
        turn = norm(soft.gradient(x) - soft.gradient(y), 1.0)
        assert turn <= norm(x - y, np.inf) * (1 + 1e-14)
