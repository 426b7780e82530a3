"""A factor of the coefficients in use, kept up to date while they come and go."""

import numpy as np
import pytest

from infimum.solvers.coordinates import _sign_factor
from infimum.solvers.coordinates._sign_factor import SignFactor

SIZE = 40


@pytest.fixture(autouse=True)
def _small_factors_are_kept(monkeypatch):
    monkeypatch.setattr(_sign_factor, "SMALL", 2)
    monkeypatch.setattr(_sign_factor, "ROOM", 3)


@pytest.fixture
def begun(monkeypatch):
    """How often a factor was made afresh, by a list that grows."""
    calls, begin = [], SignFactor._begin

    def counted(factor, gram, places, l2):
        calls.append(len(places))
        begin(factor, gram, places, l2)

    monkeypatch.setattr(SignFactor, "_begin", counted)
    return calls


def gram_of(rng, *, intercept, size=SIZE, samples=200):
    X = rng.standard_normal((samples, size + 1))
    X[:, -1] = float(intercept)
    return X.T @ X / samples


def direct(gram, places, slope, l2):
    used = np.append(places, len(gram) - 1)
    matrix = gram[np.ix_(used, used)] + np.diag(np.append(l2[places], 0.0))
    if matrix[-1, -1] == 0.0:
        matrix[-1, -1] = 1.0
    return -np.linalg.solve(matrix, slope)


@pytest.mark.parametrize("intercept", [False, True], ids=["none", "intercept"])
@pytest.mark.parametrize("price", [0.0, 0.3])
def test_steps_are_those_of_a_fresh_factor(rng, intercept, price, begun):
    gram, l2 = gram_of(rng, intercept=intercept), np.full(SIZE, price)
    factor, used = SignFactor(), np.arange(SIZE) < 20
    for turn in range(30):
        flipped = rng.choice(SIZE, 2, replace=False)
        used[flipped] = ~used[flipped]
        places = np.flatnonzero(used)
        slope = rng.standard_normal(len(places) + 1) * [
            *np.ones(len(places)),
            intercept,
        ]
        step, flat = factor.step(gram, places, slope, l2)
        np.testing.assert_allclose(
            step, direct(gram, places, slope, l2), rtol=1e-9, err_msg=str(turn)
        )
        assert not flat
    assert 1 < len(begun) < 15


def test_a_gram_matrix_may_grow(rng, begun):
    gram = gram_of(rng, intercept=True)
    factor, slope = SignFactor(), rng.standard_normal(11)
    few = [*range(20), SIZE]
    factor.step(gram[np.ix_(few, few)], np.arange(10), slope, np.zeros(20))
    places = np.append(np.arange(9), 33)
    step, _ = factor.step(gram, places, slope, np.zeros(SIZE))
    np.testing.assert_allclose(step, direct(gram, places, slope, np.zeros(SIZE)))
    assert begun == [10]


def test_other_prices_need_another_factor(rng, begun):
    gram, places, slope = gram_of(rng, intercept=True), np.arange(9), np.ones(10)
    factor = SignFactor()
    for price in (0.1, 0.1, 0.2):
        step, _ = factor.step(gram, places, slope, np.full(SIZE, price))
        expected = direct(gram, places, slope, np.full(SIZE, price))
        np.testing.assert_allclose(step, expected)
    assert begun == [9, 9]


def test_copies_of_a_column_are_noticed_and_soon_forgotten(rng):
    gram, zeros = gram_of(rng, intercept=False), np.zeros(SIZE)
    gram[1], gram[:, 1] = gram[0], gram[:, 0]
    gram[1, 1] = gram[0, 0]
    factor, many = SignFactor(), np.arange(12)
    factor.step(gram, many[1:], np.ones(12), zeros)
    step, flat = factor.step(gram, many, np.ones(13), zeros)
    assert flat
    step, flat = factor.step(gram, many[1:], np.ones(12), zeros)
    assert not flat
    np.testing.assert_allclose(step, direct(gram, many[1:], np.ones(12), zeros))


def test_without_curvature_there_is_no_step(rng):
    gram, zeros = gram_of(rng, intercept=True), np.zeros(SIZE)
    bad = gram.copy()
    bad[3, 3] = -1.0
    factor = SignFactor()
    assert factor.step(bad, np.arange(6), np.ones(7), zeros) == (None, True)
    assert factor.step(bad, np.arange(4, 9), np.ones(6), zeros)[0] is not None
    assert factor.step(bad, np.arange(3, 9), np.ones(7), zeros) == (None, True)
    step, _ = factor.step(gram, np.arange(6), np.ones(7), zeros)
    np.testing.assert_allclose(step, direct(gram, np.arange(6), np.ones(7), zeros))


def test_no_coefficient_at_all_leaves_the_intercept(rng):
    gram = gram_of(rng, intercept=True)
    nobody = np.empty(0, dtype=np.intp)
    step, flat = SignFactor().step(gram, nobody, np.array([3.0]), np.zeros(SIZE))
    np.testing.assert_allclose(step, [-3.0])
    assert not flat
