"""Kernel ridge regression with its strength chosen among fifty.

Ours leaves every sample out in turn; scikit-learn's search has five folds, which is
less work. Both are judged by the error of the chosen function on fresh samples. At the
10,000 samples of `kernel_ridge` the search would take twenty minutes.
"""

import numpy as np

from benchmarks.task import Contender, present
from benchmarks.tasks.kernel_ridge import GAMMA, sample

STRENGTHS = np.geomspace(0.1, 1e3, 50)


class KernelRidgePath:
    """The error on fresh samples, against that of the best of the fifty strengths."""

    title = "Kernel ridge, Gaussian, 50 strengths, 3,000 × 50"
    tolerance = 0.05

    def problem(self, *, quick):
        from scipy.linalg import solve

        n = 300 if quick else 3_000
        X, y = sample(2 * n)
        K = gram(X[:n], X[:n])
        errors = [
            np.mean((y[n:] - gram(X[n:], X[:n]) @ solve(K + a * np.eye(n), y[:n])) ** 2)
            for a in STRENGTHS[::7]
        ]
        return X[:n], y[:n], X[n:], y[n:], min(errors)

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_sklearn)

    def excess(self, problem, answer):
        fresh, truth, best = problem[2:]
        return np.mean((truth - answer.predict(fresh)) ** 2) / best - 1.0


def gram(X, Z):
    squares = (X**2).sum(axis=1)[:, None] + (Z**2).sum(axis=1)
    return np.exp(-GAMMA * (squares - 2.0 * X @ Z.T))


def fit_ours(problem, _):
    from infimum.models.kernel import KernelRidgeCV

    return KernelRidgeCV(STRENGTHS, kernel="rbf", gamma=GAMMA).fit(*problem[:2])


def fit_sklearn(problem, _):
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.model_selection import GridSearchCV

    search = GridSearchCV(
        KernelRidge(kernel="rbf", gamma=GAMMA), {"alpha": STRENGTHS}, cv=5
    )
    return search.fit(*problem[:2])


TASK = KernelRidgePath()
