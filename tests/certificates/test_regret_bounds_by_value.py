"""Every bound on a regret, pinned by an equality at a generic point."""

from math import log, sqrt

import pytest

from infimum.certificates import (
    convex_regret_bound,
    hedge_bound,
    mirror_regret_bound,
    passive_aggressive_bound,
    perceptron_bound,
    strongly_convex_regret_bound,
    weighted_majority_bound,
    winnow_bound,
)

F, L, SIGMA, LAMBDA = 1.7, 2.3, 0.6, 0.4
STEPS = [0.9, 0.5, 0.4]
PINNED = {
    # Inverses 1/0.9, 2 and 2.5 grow by the strength or more: the term - Tλ counts.
    "mirror, strongly convex": (
        lambda: mirror_regret_bound(F, L, STEPS, modulus=SIGMA, strength=LAMBDA),
        1.7 * (1 / 0.4 - 3 * 0.4) + 2.3**2 / 1.2 * 1.8,
    ),
    "mirror, convex": (
        lambda: mirror_regret_bound(F, L, STEPS, modulus=SIGMA),
        1.7 / 0.4 + 2.3**2 / 1.2 * 1.8,
    ),
    "strongly convex": (
        lambda: strongly_convex_regret_bound(L, LAMBDA, 17, modulus=SIGMA),
        2.3**2 / (2 * 0.6 * 0.4) * (1 + log(17)),
    ),
    "convex": (
        lambda: convex_regret_bound(F, L, 17, modulus=SIGMA),
        (1.7 + 2.3**2 / 0.6) * sqrt(17),
    ),
    "majority": (
        lambda: weighted_majority_bound(13, 5, 0.7),
        (5 * log(1 / 0.7) + log(13)) / log(2 / 1.7),
    ),
    "majority, randomised": (
        lambda: weighted_majority_bound(13, 5, 0.7, randomized=True),
        (5 * log(1 / 0.7) + log(13)) / 0.3,
    ),
    "hedge": (lambda: hedge_bound(13, 57, 0.3), log(13) / 0.3 + 0.3 * 57 / 8),
    "passive-aggressive, large rows": (
        lambda: passive_aggressive_bound(1.3, 2.1, 0.7, 0.9),
        1.3**2 * (2.1**2 + 1.4 * 0.9),
    ),
    "passive-aggressive, small steps": (
        lambda: passive_aggressive_bound(1.3, 2.1, 0.4, 0.9),
        2.5 * (2.1**2 + 0.8 * 0.9),
    ),
    "winnow": (
        lambda: winnow_bound(70, 3, 1.6),
        2.6 * 3 * (log(70) / log(1.6) + 1) + 1.6 / 0.6,
    ),
    "perceptron": (
        lambda: perceptron_bound(1.3, 2.1, 0.7),
        (1.3 * 2.1 + sqrt(0.7)) ** 2,
    ),
}


STATED = [
    pytest.param("mirror, strongly convex", marks=pytest.mark.syllabus("S0B-087")),
    pytest.param("mirror, convex", marks=pytest.mark.syllabus("S0B-087")),
    pytest.param("strongly convex", marks=pytest.mark.syllabus("S0B-084")),
    pytest.param("convex", marks=pytest.mark.syllabus("S0B-085")),
]
STATED += sorted({*PINNED} - {each.values[0] for each in STATED})


@pytest.mark.parametrize("name", STATED)
def test_a_bound_has_the_value_that_its_formula_gives(name):
    found, expected = PINNED[name]
    assert found() == pytest.approx(expected, rel=1e-12)
