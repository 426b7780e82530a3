"""A weak lasso of several scores: flat directions with narrow kinks in them."""

import numpy as np
import pytest

from infimum.data.designs import as_design
from infimum.losses import Hinge, MulticlassHinge, Softmax
from infimum.objectives import LinearRisk
from infimum.penalties import ElasticNet, Lasso, SortedL1
from infimum.solvers import AugmentedLagrangian

#: Most roundings that a solve may take; one that is lost takes a hundred steps in each.
FEW = 20
N = 600


def dummies():
    """Return columns of ones and noughts, some of them rare, and four classes."""
    rng = np.random.default_rng(35)
    hot = []
    for size in (5, 2, 3):
        codes = rng.choice(size, size=N, p=rng.dirichlet(np.full(size, 2.0)))
        hot.append(codes[:, None] == np.arange(size))
    common = np.column_stack([*hot, rng.normal(size=(N, 3))])
    rare = np.zeros((N, 8))
    for column in rare.T:
        column[rng.choice(N, size=rng.integers(1, 8), replace=False)] = 1.0
    X = np.column_stack([common, rare])
    pulls = X @ rng.normal(size=(X.shape[1], 4)) + rng.gumbel(size=(N, 4))
    pulls += np.array([-1.2, 0.4, 0.0, 0.4])
    return X - X.mean(axis=0), pulls.argmax(axis=1).astype(float)


@pytest.mark.parametrize("penalty", [Lasso, ElasticNet, SortedL1])
def test_scores_that_rise_together_do_not_lead_a_newton_step_astray(penalty):
    X, y = dummies()
    risk = LinearRisk(as_design(X), y, Softmax(4), penalty(0.4 / N))
    solution = AugmentedLagrangian(tolerance=1e-8).solve(risk)
    assert solution.certified
    assert solution.iterations <= FEW


def test_each_feature_is_rounded_in_its_own_units():
    X, y = dummies()
    units = 10.0 ** np.linspace(-3, 3, X.shape[1])
    risk = LinearRisk(as_design(X * units), y, MulticlassHinge(4), Lasso(1e-2))
    solution = AugmentedLagrangian().solve(risk)
    assert solution.certified
    assert solution.iterations <= FEW


def test_where_the_data_do_not_pull_no_price_is_weak(rng):
    X = rng.standard_normal((40, 3))
    y = np.sign(X[:, 0])
    X[:, 0] += y
    risk = LinearRisk(as_design(X), y, Hinge(), Lasso(0.1))
    far = np.array([50.0, 0.0, 0.0, 0.0])  # every margin is kept: all slopes are 0
    assert not risk.evaluate(far).slopes.any()
    assert AugmentedLagrangian().solve(risk, far).certified
