"""Labels are found and numbered the same way, whatever numbers they are."""

import numpy as np
import pytest

from infimum.data.doors import class_weighted, labelled, winners
from infimum.errors import InvalidParameterError
from infimum.models.online import Perceptron


@pytest.mark.parametrize(
    "labels",
    [
        np.array([100, -100, 0, 100], dtype=np.int8),
        np.array([2**63 + 1, 2**63, 5, 5], dtype=np.uint64),
        np.array([-(2**62), 2**61, 0, 0]),
        np.array([7, 3, 7, 11]),
        np.array([True, False, True, True]),
        np.array(["b", "a", "b", "c"]),
    ],
    ids=lambda labels: f"{labels.dtype}-{labels[0]}",
)
def test_counted_and_sorted_labels_are_the_same(labels):
    found = labelled(Perceptron(), np.eye(4), labels)
    classes, wanted = np.unique(labels, return_inverse=True)
    np.testing.assert_array_equal(found.classes, classes)
    assert found.classes.dtype == labels.dtype
    np.testing.assert_array_equal(found.y, wanted)


def test_a_score_of_exactly_0_goes_to_the_first_class():
    scores = np.array([-1e-300, -0.0, 0.0, 1e-300])
    assert winners(scores).tolist() == [0, 0, 0, 1]
    assert winners(scores[:, None]).tolist() == [0, 0, 0, 0]  # a column: one class


def test_the_first_of_equal_scores_wins():
    scores = np.array([[1.0, 1.0, 0.0], [0.0, 2.0, 2.0], [3.0, 1.0, 3.0]])
    assert winners(scores).tolist() == [0, 1, 0]


def test_balanced_classes_weigh_the_same_and_keep_the_sum():
    codes, weights = np.array([0, 0, 1, 0]), np.array([1.0, 2.0, 3.0, 0.0])
    found = class_weighted("Model", "balanced", np.array([0, 1]), codes, weights)
    np.testing.assert_allclose(found, [1.0, 2.0, 3.0, 0.0])
    found = class_weighted("Model", {0: 2.0}, np.array([0, 1]), codes, weights)
    np.testing.assert_allclose(found, [2.0, 4.0, 3.0, 0.0])


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ({0: -1.0}, r"Model.class_weight must be in \[0, inf\) for every class"),
        ({7: 1.0}, "names 7, which is none of the classes"),
        ({0: 0.0, 1: 0.0}, "must leave some sample a weight above 0"),
        ("even", "must be None, 'balanced' or a dict, got 'even'"),
    ],
)
def test_wrong_class_weights_are_refused(wanted, told):
    with pytest.raises(InvalidParameterError, match=told):
        class_weighted("Model", wanted, np.array([0, 1]), np.array([0, 1]), None)
