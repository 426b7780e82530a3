"""Posteriors have the same bits, however many threads work at them."""

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from infimum.models.probabilistic import (
    BayesianLinearRegression,
    BayesianLogisticRegression,
)


def line(X, y, method):
    model = BayesianLinearRegression().fit(X, y)
    more = BayesianLinearRegression().partial_fit(X[:700], y[:700])
    more.partial_fit(X[700:], y[700:])
    yield from (model.coef_, model.covariance_, model.log_evidence_, more.coef_)
    yield from model.predict(X, return_std=True)
    yield model.predict_interval(X)
    yield model.sample_posterior(50, random_state=0)
    yield model.sample_predictive(X[:300], 50, random_state=0)


def classes(X, y, method):
    model = BayesianLogisticRegression().fit(X, y > 0)
    yield from (model.coef_, model.covariance_, model.log_evidence_bounds_)
    yield from (model.predict_proba(X), model.predict_interval(X))
    how = {"draws": 20, "warmup": 20, "method": method, "random_state": 0}
    yield model.sample_posterior(X, y > 0, **how).values


@pytest.mark.parametrize(("n", "d"), [(5003, 17), (1000, 200), (30_011, 17)])
@pytest.mark.parametrize(
    ("run", "method"),
    [(line, ""), (classes, "hamiltonian"), (classes, "polya_gamma")],
)
def test_one_thread_and_two_give_one_posterior(rng, run, method, n, d):
    X = rng.standard_normal((n, d))
    y = X @ rng.standard_normal(d) + rng.standard_normal(n)
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            found.append(list(run(X, y, method)))
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one, other)
