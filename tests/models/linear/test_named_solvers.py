"""Solvers of RiskMinimizer by name."""

import numpy as np
import pytest

from infimum import RiskMinimizer
from infimum.errors import InvalidParameterError
from infimum.solvers import Newton


@pytest.fixture
def table(rng):
    X = rng.normal(size=(60, 3))
    return X, np.sign(X[:, 0] + rng.normal(size=60))


def test_a_name_stands_for_its_solver(table):
    by_name = RiskMinimizer("logistic", "ridge", solver="newton").fit(*table)
    itself = RiskMinimizer("logistic", "ridge", solver=Newton(1e-6)).fit(*table)
    np.testing.assert_array_equal(by_name.coef_, itself.coef_)
    slow = RiskMinimizer("logistic", "ridge", solver="proximal_gradient").fit(*table)
    assert slow.certificate_.closed
    assert slow.n_iter_ > by_name.n_iter_


@pytest.mark.parametrize("unknown", ["nope", 42, "pegasos", Newton])
def test_an_unknown_solver_is_refused(table, unknown):
    with pytest.raises(InvalidParameterError, match=r"RiskMinimizer\.solver"):
        RiskMinimizer("logistic", "ridge", solver=unknown).fit(*table)
