"""No free lunch, version spaces and interpolation, as the lectures state them."""

from itertools import product

import numpy as np
import pytest

from infimum.errors import DataError, InvalidParameterError
from infimum.theory import (
    FiniteClass,
    VCBound,
    double_descent,
    no_free_lunch,
    shuffled_labels,
    version_space,
)


@pytest.mark.syllabus("S4B-099", "S4B-100", "S4B-101")
def test_every_classifier_has_every_risk_equally_often():
    for m in (1, 4, 8):
        lunch = no_free_lunch(m)
        assert lunch.table.shape == (2**m, 2**m)
        assert np.array_equal(lunch.table, lunch.table.T)
        assert np.all(lunch.counts == lunch.counts[0])
        assert lunch.averages() == pytest.approx(np.full(2**m, 0.5))
    assert no_free_lunch(4).counts[0].tolist() == [1, 4, 6, 4, 1]
    i, j = 5, 12
    functions = no_free_lunch(4).functions
    assert no_free_lunch(4).table[i, j] == np.mean(functions[i] != functions[j])


@pytest.mark.syllabus("S4B-102")
def test_training_data_do_not_help_beyond_themselves():
    lunch = no_free_lunch(4)
    kept = lunch.consistent({0: 1, 2: -1})
    assert kept.sum() == 4
    averages = lunch.averages(kept)[kept]
    assert averages == pytest.approx(np.full(4, 0.25))  # 1/2 on the two unseen points


@pytest.mark.syllabus("S4B-103")
def test_an_assumption_about_the_truth_breaks_the_tie():
    lunch = no_free_lunch(4)
    monotone = np.all(np.diff(lunch.functions.astype(int), axis=1) >= 0, axis=1)
    assert monotone.sum() == 5
    averages = lunch.averages(monotone)
    assert np.ptp(averages) > 0.2
    assert monotone[np.argmin(averages)]


@pytest.mark.syllabus("S4A-005", "S4A-008")
def test_without_a_bias_the_remaining_functions_split_evenly():
    left = version_space({3: 1, 10: 0, 40: 1, 60: 1, 99: 0}, m=100)
    assert left.functions == 2**95
    assert left.votes[0] == 2**94
    assert left.votes[3] == 2**95
    assert left.votes[10] == 0
    everything = list(product([0, 1], repeat=10))
    brute = version_space({0: 1, 4: 0, 9: 1}, table=everything)
    formula = version_space({0: 1, 4: 0, 9: 1}, m=10)
    assert brute == formula
    assert (brute.functions, brute.votes[1]) == (128, 64)


@pytest.mark.syllabus("S4A-006")
def test_a_strong_bias_learns_from_one_example():
    constants = FiniteClass([[0] * 100, [1] * 100])
    for truth in (-1, 1):
        best = constants.minimize([37], [truth])
        assert np.all(constants.predict(best.parameters, np.arange(100)) == truth)
    assert version_space({37: 1}, table=constants.table).functions == 1


@pytest.mark.syllabus("S4B-097")
def test_random_features_fit_shuffled_labels_and_no_bound_says_anything(rng):
    X = rng.standard_normal((600, 5))
    y = np.where(X @ [1.0, -1, 0.5, 0, 0] > 0, 1, -1)
    found = shuffled_labels(X[:300], y[:300], X[300:], y[300:], features=3000)
    assert found.training == found.shuffled_training == 0.0
    assert found.test < 0.15
    assert found.shuffled_test == pytest.approx(0.5, abs=0.12)
    assert VCBound(3000).guarantee(300, 0.0).vacuous


@pytest.mark.syllabus("S4B-098")
def test_the_test_error_peaks_at_interpolation_and_falls_again(rng):
    n = 60

    def noisy(X):
        return np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.4 * rng.standard_normal(len(X))

    X, fresh = rng.standard_normal((n, 6)), rng.standard_normal((400, 6))
    features = [5, 20, 60, 200, 2000]
    found = double_descent(X, noisy(X), fresh, noisy(fresh), features, repetitions=5)
    assert found.test.argmax() == 2
    assert found.test[2] > 3 * found.test[4]
    assert np.all(found.training[3:] < 1e-10)
    assert found.training[0] > 0.01


def test_impossible_questions_are_refused():
    with pytest.raises(DataError, match="2\\^11 functions"):
        no_free_lunch(11)
    with pytest.raises(InvalidParameterError):
        no_free_lunch(0)
    with pytest.raises(DataError, match="either m or a table"):
        version_space({0: 1})
    with pytest.raises(DataError, match="positions"):
        version_space({5: 1}, m=3)
    with pytest.raises(DataError, match="at least 1"):
        double_descent([[1.0]], [1.0], [[1.0]], [1.0], [])
