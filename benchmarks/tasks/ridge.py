"""Ridge regression on a tall dense table: one factorisation, nothing to tune."""

import numpy as np
from scipy.linalg import solve

from benchmarks.task import Contender, present

ALPHA = 1.0


class Ridge:
    """Squared error plus ``ALPHA`` times the squared norm, intercept not penalised."""

    title = "Ridge, dense 200,000 × 100"
    tolerance = 1e-8

    def problem(self, *, quick):
        rng = np.random.default_rng(0)
        n, d = (2_000, 20) if quick else (200_000, 100)
        X = rng.standard_normal((n, d))
        y = X @ rng.standard_normal(d) + rng.standard_normal(n) + 3.0
        centred = X - X.mean(axis=0)
        coef = solve(
            centred.T @ centred + ALPHA * np.eye(d), centred.T @ y, assume_a="pos"
        )
        optimum = objective(X, y, coef, (y - X @ coef).mean())
        return X, y, optimum

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_sklearn)

    def excess(self, problem, answer):
        X, y, optimum = problem
        return objective(X, y, answer.coef_, answer.intercept_) / optimum - 1.0


def objective(X, y, coef, intercept):
    return ((y - X @ coef - intercept) ** 2).sum() + ALPHA * (coef**2).sum()


def fit_ours(problem, _):
    from infimum import Ridge

    return Ridge(alpha=ALPHA).fit(*problem[:2])


def fit_sklearn(problem, _):
    from sklearn.linear_model import Ridge

    return Ridge(alpha=ALPHA).fit(*problem[:2])


TASK = Ridge()
