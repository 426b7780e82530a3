"""Every bound on a descent, pinned by an equality at a generic point."""

from math import ceil, log, sqrt

import numpy as np
import pytest

from infimum.study.convexity import (
    conjugate_gradient_bound,
    convergence_order,
    damped_newton_bound,
    gap_bound,
    gradient_norm_bound,
    iterations_to_gap,
    linear_rate_bound,
    mirror_bound,
    mirror_constant_bound,
    mirror_constant_step,
    mirror_decaying_bound,
    newton_constant,
    subgradient_bound,
    wolfe_iterations,
)

L, SIGMA, GAP, T = 3.7, 0.6, 2.3, 6
D, G = 1.9, 2.7
STEPS = np.array([0.7, 0.4, 0.3])
NORMS = np.array([1.1, 2.3, 0.9])
DECAY = (1 + 1 + 1 / 2 + 1 / 3) / (1 + 1 / sqrt(2) + 1 / sqrt(3))
RATIO = (sqrt(7.3) - 1) / (sqrt(7.3) + 1)
PAY = 0.25 - log(1.25)

PINNED = {
    "gradient norm": (lambda: gradient_norm_bound(L, GAP, T), sqrt(2 * 3.7 * 2.3 / 7)),
    "gap": (lambda: gap_bound(1.7, SIGMA), 1.7**2 / 1.2),
    "linear rate": (
        lambda: linear_rate_bound(L, SIGMA, GAP, T),
        2.3 * (3.1 / 3.7) ** 6,
    ),
    "iterations": (
        lambda: iterations_to_gap(L, SIGMA, GAP, 0.01),
        ceil(log(230) / log(3.7 / 3.1)),
    ),
    "Wolfe": (
        lambda: wolfe_iterations(L, GAP, 0.2, (0.1, 0.8)),
        ceil(3.7 * 2.3 / (0.1 * 0.2 * 0.04)),
    ),
    "mirror": (
        lambda: mirror_bound(D, SIGMA, STEPS, NORMS),
        (1.9 + (0.7**2 * 1.1**2 + 0.4**2 * 2.3**2 + 0.3**2 * 0.9**2) / 1.2) / 1.4,
    ),
    "constant step": (
        lambda: mirror_constant_step(D, SIGMA, G, T),
        sqrt(2 * 0.6 * 1.9) / (2.7 * sqrt(6)),
    ),
    "constant bound": (
        lambda: mirror_constant_bound(D, SIGMA, G, T),
        2.7 * sqrt(2 * 1.9 / (0.6 * 6)),
    ),
    "decaying": (
        lambda: mirror_decaying_bound(D, SIGMA, G, 3),
        2.7 * sqrt(1.9 / 1.2) * DECAY,
    ),
    "conjugate gradients": (
        lambda: conjugate_gradient_bound(7.3, GAP, 4),
        9.2 * RATIO**8,
    ),
    "subgradients": (
        lambda: subgradient_bound(D, G, STEPS),
        (1.9**2 + 2.7**2 * (0.49 + 0.16 + 0.09)) / 2.8,
    ),
    "damped Newton, far": (lambda: damped_newton_bound(GAP, 20), 2.3 - 20 * PAY),
    "damped Newton, near": (
        lambda: damped_newton_bound(0.02, 1 + 2),
        -(0.5**5) - log(1 - 0.5**5),
    ),
    "Newton": (lambda: newton_constant(3.1, 0.7), 3.1 * 0.7 / 2),
    "order": (lambda: convergence_order(0.3 ** (1.5 ** np.arange(8.0))), 1.5),
}


STATED = [
    pytest.param("gradient norm", marks=pytest.mark.syllabus("S0A-254")),
    pytest.param("gap", marks=pytest.mark.syllabus("S0A-255")),
    pytest.param("linear rate", marks=pytest.mark.syllabus("S0A-256")),
    pytest.param("iterations", marks=pytest.mark.syllabus("S0A-256")),
    pytest.param("Wolfe", marks=pytest.mark.syllabus("S0B-062")),
    pytest.param("mirror", marks=pytest.mark.syllabus("S0A-261")),
    pytest.param("constant step", marks=pytest.mark.syllabus("S0A-262")),
    pytest.param("constant bound", marks=pytest.mark.syllabus("S0A-262")),
    pytest.param("decaying", marks=pytest.mark.syllabus("S0A-262")),
    pytest.param("Newton", marks=pytest.mark.syllabus("S0A-274")),
    pytest.param("order", marks=pytest.mark.syllabus("S0A-273")),
]
STATED += sorted({*PINNED} - {each.values[0] for each in STATED})


@pytest.mark.parametrize("name", STATED)
def test_a_bound_has_the_value_that_its_formula_gives(name):
    found, expected = PINNED[name]
    assert found() == pytest.approx(expected, rel=1e-12)


def test_the_best_constant_step_makes_the_two_terms_of_the_mirror_bound_equal():
    step = mirror_constant_step(D, SIGMA, G, T)
    bound = mirror_bound(D, SIGMA, np.full(T, step), np.full(T, G))
    assert bound == pytest.approx(mirror_constant_bound(D, SIGMA, G, T))
    for other in (0.9 * step, 1.1 * step):
        assert mirror_bound(D, SIGMA, np.full(T, other), np.full(T, G)) > bound
