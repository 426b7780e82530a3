"""Quantile regression with a lasso penalty: a linear program."""

import numpy as np
from scipy.optimize import linprog

from benchmarks.task import Contender, present

LEVEL, ALPHA = 0.7, 1e-3


class QuantileL1:
    """Mean pinball loss plus ``ALPHA`` times the sum of absolute values."""

    title = "Quantile regression, dense 50,000 × 20, excess ≤ 1e-6"
    tolerance = 1e-6

    def problem(self, *, quick):
        rng = np.random.default_rng(0)
        n, d = (1_000, 5) if quick else (50_000, 20)
        X = rng.standard_normal((n, d))
        y = X @ rng.standard_normal(d) + rng.standard_normal(n) * (1 + X[:, 0] ** 2)
        return X, y, optimum(X, y)

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn (HiGHS)", fit_sklearn)

    def excess(self, problem, answer):
        X, y, least = problem
        return objective(X, y, answer.coef_, answer.intercept_) / least - 1.0


def objective(X, y, coef, intercept):
    residual = y - X @ coef - intercept
    losses = np.maximum(LEVEL * residual, (LEVEL - 1) * residual)
    return losses.mean() + ALPHA * np.abs(coef).sum()


def optimum(X, y):
    """Return the optimum from the dual program, which has few constraints."""
    n, d = X.shape
    program = linprog(
        -y / n,
        A_ub=np.vstack([X.T, -X.T]) / n,
        b_ub=np.full(2 * d, ALPHA),
        A_eq=np.ones((1, n)),
        b_eq=[0.0],
        bounds=(LEVEL - 1, LEVEL),
    )
    return -program.fun


def fit_ours(problem, _):
    from infimum import QuantileRegressor

    return QuantileRegressor(quantile=LEVEL, alpha=ALPHA).fit(*problem[:2])


def fit_sklearn(problem, _):
    from sklearn.linear_model import QuantileRegressor

    return QuantileRegressor(quantile=LEVEL, alpha=ALPHA).fit(*problem[:2])


TASK = QuantileL1()
