"""Confusion counts and the rates made of them."""

import numpy as np
import pytest
from sklearn import metrics

from infimum.errors import DataError
from infimum.evaluation import confusion_matrix, confusion_table


@pytest.fixture
def verdicts(rng):
    truth = rng.integers(0, 2, 200)
    return truth, np.where(rng.uniform(size=200) < 0.8, truth, 1 - truth)


@pytest.mark.syllabus("S4A-106", "S0B-278")
def test_the_table_counts_positives_as_found_plus_missed(verdicts):
    truth, predicted = verdicts
    table = confusion_table(truth, predicted)
    (tn, fp), (fn, tp) = metrics.confusion_matrix(truth, predicted)
    counts = (table.true_positives, table.false_negatives)
    assert counts == (tp, fn)
    assert (table.false_positives, table.true_negatives) == (fp, tn)
    assert table.positives == tp + fn == truth.sum()
    assert table.negatives == fp + tn == (1 - truth).sum()


@pytest.mark.syllabus("S4A-107")
def test_the_error_rate_is_wrong_rows_over_all_rows(verdicts):
    truth, predicted = verdicts
    table = confusion_table(truth, predicted)
    wrong = table.false_negatives + table.false_positives
    assert table.error_rate == wrong / (table.positives + table.negatives)
    assert table.error_rate == pytest.approx(
        1 - metrics.accuracy_score(truth, predicted)
    )


@pytest.mark.syllabus("S4A-108")
def test_sensitivity_and_specificity_complement_the_rates_of_their_errors(verdicts):
    table = confusion_table(*verdicts)
    assert table.recall == table.true_positives / table.positives
    assert table.specificity == table.true_negatives / table.negatives
    assert table.recall + table.false_negative_rate == pytest.approx(1)
    assert table.specificity + table.false_positive_rate == pytest.approx(1)


@pytest.mark.syllabus("S4A-109")
def test_predictive_values_are_shares_of_alarms_and_all_clears(verdicts):
    truth, predicted = verdicts
    table = confusion_table(truth, predicted)
    assert table.precision == pytest.approx(truth[predicted == 1].mean())
    clear = (1 - truth)[predicted == 0].mean()
    assert table.negative_predictive_value == pytest.approx(clear)


@pytest.mark.syllabus("S4A-110")
def test_precision_and_recall_are_those_of_information_retrieval(verdicts):
    truth, predicted = verdicts
    table = confusion_table(truth, predicted)
    assert table.recall == metrics.recall_score(truth, predicted)
    assert table.precision == metrics.precision_score(truth, predicted)


def test_a_rate_without_rows_is_zero():
    table = confusion_table([0, 0], [0, 0])
    assert (table.recall, table.precision) == (0, 0)


@pytest.mark.syllabus("S4A-115")
def test_many_classes_give_a_square_table_that_normalises_both_ways(rng):
    truth = rng.integers(0, 4, 300)
    predicted = np.where(rng.uniform(size=300) < 0.6, truth, rng.integers(0, 4, 300))
    counts = confusion_matrix(truth, predicted)
    assert counts.shape == (4, 4)
    assert counts.sum() == 300
    rows = confusion_matrix(truth, predicted, normalize="true")
    columns = confusion_matrix(truth, predicted, normalize="pred")
    np.testing.assert_allclose(rows, counts / counts.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(columns, counts / counts.sum(axis=0, keepdims=True))
    # The same accuracy, told by very different tables: one never finds the last class.
    truth = np.repeat([0, 1, 2, 3], 25)
    blind = np.where(truth == 3, 0, truth)
    spread = np.where(np.arange(100) % 4 == 0, (truth + 1) % 4, truth)
    finds = [
        np.diag(confusion_matrix(truth, p, normalize="true")) for p in (blind, spread)
    ]
    assert finds[0].mean() == pytest.approx(finds[1].mean())
    assert finds[0].min() == 0.0
    assert finds[1].min() > 0.7


def test_a_class_without_rows_keeps_its_place():
    counts = confusion_matrix(["a"], ["b"], classes=["a", "b", "c"])
    np.testing.assert_array_equal(counts, [[0, 1, 0], [0, 0, 0], [0, 0, 0]])


def test_lengths_must_agree():
    with pytest.raises(DataError, match="one prediction a row"):
        confusion_table([0, 1], [0])
