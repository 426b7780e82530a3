"""Perceptron: one pass over a tall dense table, in the order of its rows."""

from types import SimpleNamespace

import numpy as np

from benchmarks.designs import correlated, signs_of
from benchmarks.peers import quietly
from benchmarks.task import Contender, present


class OnePass:
    """The same steps for all: rows in their order, so that weights must be equal."""

    title = "Perceptron, one pass, dense 1,000,000 × 100, equal weights"
    tolerance = 1e-9

    def problem(self, *, quick):
        rng = np.random.default_rng(0)
        n, d = (10_000, 20) if quick else (1_000_000, 100)
        X = correlated(n, d, 0.5, rng)
        y = signs_of(X @ rng.standard_normal(d), rng)
        w = np.zeros(d + 1)
        for row, label in zip(np.column_stack([X, np.ones(n)]), y, strict=True):
            if label * (row @ w) <= 0:
                w += label * row
        return SimpleNamespace(X=X, y=y, weights=w)

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_sklearn)

    def excess(self, problem, answer):
        found = np.append(answer.coef_[0], answer.intercept_)
        size = np.abs(problem.weights).max()
        return float(np.abs(found - problem.weights).max() / size)


@quietly
def fit_ours(problem, _):
    from infimum.models.online import Perceptron

    return Perceptron(max_iter=1, tol=None, shuffle=False).fit(problem.X, problem.y)


@quietly
def fit_sklearn(problem, _):
    from sklearn.linear_model import Perceptron

    return Perceptron(max_iter=1, tol=None, shuffle=False).fit(problem.X, problem.y)


TASK = OnePass()
