"""Support vector machines along a path of prices: each starts where the last ended."""

import pickle

import numpy as np
import pytest

from infimum.models.kernel import SVC


@pytest.mark.parametrize("classes", [2, 3])
def test_a_path_of_prices_is_as_good_as_single_fits_and_starts_lower(classes, rng):
    X = rng.normal(size=(150, 3))
    y = np.digitize(X[:, 0] + 0.5 * rng.normal(size=150), np.arange(1, classes) - 1)
    prices = [0.1, 0.3, 1.0, 3.0, 10.0]
    weights = rng.integers(1, 3, size=150)
    path = SVC(tol=1e-6).path(X, y, prices, sample_weight=weights)
    alone = [SVC(C=C, tol=1e-6).fit(X, y, weights) for C in prices]
    for followed, single in zip(path, alone, strict=True):
        assert followed.C == single.C
        assert followed.certificate_.closed
        assert followed.decision_function(X) == pytest.approx(
            single.decision_function(X), abs=1e-2
        )
        assert followed.certify(X, y, weights).relative_gap <= 1e-5
        assert pickle.loads(pickle.dumps(followed)).C == followed.C
    warm = sum(machine.history_[0].primal for machine in path[1:])
    cold = sum(machine.history_[0].primal for machine in alone[1:])
    assert warm < cold
