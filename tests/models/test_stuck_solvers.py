"""A method that is stuck far from its proof leaves the rest to a simpler one."""

import numpy as np
import pytest

from infimum import LogisticRegression, RiskMinimizer
from infimum.losses import Softmax
from infimum.models.warnings import UncertifiedWarning
from infimum.penalties import Lasso
from infimum.solvers import AugmentedLagrangian


@pytest.fixture
def _stuck(monkeypatch):
    def descend(self, here):
        return iter(())

    monkeypatch.setattr(AugmentedLagrangian, "_descend", descend)


def three_classes(rng):
    X = rng.standard_normal((60, 4))
    return X, np.digitize(X[:, 0] + 0.3 * rng.standard_normal(60), [-0.5, 0.5])


@pytest.mark.usefixtures("_stuck")
def test_a_lasso_of_several_classes_is_proved_by_another_method(rng):
    X, y = three_classes(rng)
    model = LogisticRegression(l1_ratio=1.0, C=1.0).fit(X, y)
    assert model.certificate_.closed
    assert np.count_nonzero(model.coef_) > 0


@pytest.mark.usefixtures("_stuck")
def test_a_method_that_was_asked_for_is_not_replaced(rng):
    X, y = three_classes(rng)
    asked = RiskMinimizer(Softmax(3), Lasso(0.01), solver=AugmentedLagrangian())
    with pytest.warns(UncertifiedWarning, match="no further progress"):
        asked.fit(X, y.astype(float))
