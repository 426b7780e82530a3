"""A multilabel model answers with labels: zeros and ones, not scores."""

import numpy as np
import pytest

from infimum.losses import AdditiveMultilabelHinge, MultilabelHinge
from infimum.models.linear import RiskMinimizer
from infimum.models.linear._label_threshold import best_threshold


@pytest.fixture
def labelled(rng):
    X = rng.standard_normal((60, 3))
    direction = np.array([[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [-1.0, 0.0, 2.0]])
    return X, (X @ direction.T + 0.2 > 0).astype(int)


@pytest.mark.parametrize("loss", [MultilabelHinge(3), AdditiveMultilabelHinge(3)])
def test_predictions_are_sets_of_labels(loss, labelled):
    X, y = labelled
    model = RiskMinimizer(loss, strength=1e-2).fit(X, y)
    found = model.predict(X)
    assert found.shape == y.shape
    assert set(np.unique(found)) == {0, 1}
    scores = model.decision_function(X)
    np.testing.assert_array_equal(found, scores > model.threshold_)
    assert (found == y).mean() > 0.75
    assert model.score(X, y) == (found == y).all(axis=1).mean()


def test_no_other_threshold_makes_fewer_mistakes(rng):
    y = rng.integers(0, 2, (40, 3))
    scores = np.round(y + rng.standard_normal((40, 3)), 1)  # with ties
    weights = rng.uniform(0.5, 2.0, 40)

    def mistakes(threshold):
        return float(weights @ ((scores > threshold) != (y > 0)).sum(axis=1))

    least = mistakes(best_threshold(y, scores, weights))
    grid = np.linspace(scores.min() - 1, scores.max() + 1, 2_001) + 1e-4
    assert least <= min(mistakes(t) for t in grid) + 1e-9
    apart = np.array([[-3.0, 4.0]])
    assert best_threshold(np.array([[0, 1]]), apart, np.ones(1)) == 0.0
