"""Linear support vector machine with the hinge loss on a tall dense table."""

import warnings

import numpy as np

from benchmarks.designs import correlated
from benchmarks.task import Contender, present

C = 1e-3


class HingeSVM:
    """Half the squared norm plus ``C`` times the hinge losses, without intercept.

    Without one because scikit-learn penalises it and we do not: so both minimise the
    same function.
    """

    title = "Linear SVM (hinge, C = 0.001), dense 100,000 × 100, excess ≤ 1e-3"
    tolerance = 1e-3

    def problem(self, *, quick):
        rng = np.random.default_rng(0)
        n, d = (10_000, 20) if quick else (100_000, 100)
        X = correlated(n, d, 0.5, rng)
        chance = 1.0 / (1.0 + np.exp(-X @ rng.standard_normal(d) * 0.35))
        y = np.where(rng.random(n) < chance, 1, -1)
        return X, y, lower_bound(X, y)

    def contenders(self):
        yield Contender("infimum", fit_ours, (1e-2, 3e-3, 1e-3, 3e-4))
        if present("sklearn"):
            ladder = (1.0, 1e-1, 1e-2, 1e-3, 1e-4)
            yield Contender("scikit-learn", fit_sklearn, ladder)

    def excess(self, problem, answer):
        X, y, least = problem
        return objective(X, y, answer.coef_[0]) / least - 1.0


def objective(X, y, coef):
    return C * np.maximum(1.0 - y * (X @ coef), 0.0).sum() + 0.5 * coef @ coef


def lower_bound(X, y):
    """Return the dual value of a tightly fitted model, by the formula of the dual."""
    from infimum import LinearSVC

    model = LinearSVC(loss="hinge", C=C, fit_intercept=False, tol=1e-4).fit(X, y)
    alphas = np.clip(-C * y * model.dual_slopes_[0], 0.0, C)
    w = X.T @ (alphas * y)
    return alphas.sum() - 0.5 * w @ w


def fit_ours(problem, tol):
    from infimum import LinearSVC

    X, y, _ = problem
    return LinearSVC(loss="hinge", C=C, fit_intercept=False, tol=tol).fit(X, y)


def fit_sklearn(problem, tol):
    from sklearn.svm import LinearSVC

    X, y, _ = problem
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LinearSVC(
            loss="hinge", C=C, fit_intercept=False, tol=tol, random_state=0
        )
        return model.fit(X, y)


TASK = HingeSVM()
