"""L2 logistic regression on a tall dense table."""

import warnings

import numpy as np

from benchmarks.designs import correlated
from benchmarks.task import Contender, present

C = 1.0


class LogisticL2:
    """Logistic loss plus half the squared norm, intercept not penalised."""

    title = "Logistic L2, dense 200,000 × 100, excess ≤ 1e-6"
    tolerance = 1e-6

    def problem(self, *, quick):
        rng = np.random.default_rng(0)
        n, d = (20_000, 20) if quick else (200_000, 100)
        X = correlated(n, d, 0.5, rng)
        chance = 1.0 / (1.0 + np.exp(-X @ rng.standard_normal(d) * 0.35))
        y = (rng.random(n) < chance).astype(int)
        return X, y, newton(X, y)

    def contenders(self):
        yield Contender("infimum", fit_ours, (1.0, 3e-1, 1e-1, 3e-2, 1e-2, 1e-3, 1e-4))
        if present("sklearn"):
            ladder = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
            yield Contender("scikit-learn (lbfgs, its default)", fit_lbfgs, ladder)
            yield Contender("scikit-learn (newton-cholesky)", fit_newton, ladder)
        if present("glum"):
            yield Contender("glum", fit_glum, (1e-4, 1e-6, 1e-8))

    def excess(self, problem, answer):
        X, y, optimum = problem
        coef, intercept = np.ravel(answer.coef_), np.ravel(answer.intercept_)
        return objective(X, y, coef, intercept[0]) / optimum - 1.0


def objective(X, y, coef, intercept):
    margins = (2 * y - 1) * (X @ coef + intercept)
    return C * np.logaddexp(0.0, -margins).sum() + 0.5 * coef @ coef


def newton(X, y):
    """Return the optimum by plain Newton steps on the full Hessian."""
    Z = np.column_stack([X, np.ones(len(X))])
    ridge = np.append(np.ones(X.shape[1]), 0.0)
    w = np.zeros(Z.shape[1])
    for _ in range(12):
        p = 1.0 / (1.0 + np.exp(-Z @ w))
        hessian = C * (Z.T * (p * (1 - p))) @ Z + np.diag(ridge)
        w -= np.linalg.solve(hessian, C * Z.T @ (p - y) + ridge * w)
    return objective(X, y, w[:-1], w[-1])


def fit_ours(problem, tol):
    from infimum import LogisticRegression

    return LogisticRegression(C=C, tol=tol).fit(*problem[:2])


def fit_lbfgs(problem, tol):
    from sklearn.linear_model import LogisticRegression

    return _quiet(LogisticRegression(C=C, tol=tol), problem)


def fit_newton(problem, tol):
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=C, tol=tol, solver="newton-cholesky")
    return _quiet(model, problem)


def fit_glum(problem, tol):
    from glum import GeneralizedLinearRegressor

    y = problem[1]
    model = GeneralizedLinearRegressor(
        family="binomial", alpha=1.0 / (C * len(y)), l1_ratio=0.0, gradient_tol=tol
    )
    return _quiet(model, problem)


def _quiet(model, problem):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(*problem[:2])


TASK = LogisticL2()
