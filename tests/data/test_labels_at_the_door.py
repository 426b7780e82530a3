"""Labels are found and numbered the same way, whatever numbers they are."""

import numpy as np
import pytest

from infimum.data.validation import accept_labelled
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
    model = Perceptron()
    _, codes = accept_labelled(model, np.eye(4), labels)
    classes, wanted = np.unique(labels, return_inverse=True)
    np.testing.assert_array_equal(model.classes_, classes)
    assert model.classes_.dtype == labels.dtype
    np.testing.assert_array_equal(codes, wanted)
