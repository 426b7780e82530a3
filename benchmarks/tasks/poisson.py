"""A Poisson generalised linear model of counts on a tall dense table."""

import numpy as np

from benchmarks.designs import correlated
from benchmarks.peers import quietly
from benchmarks.task import Contender, present

ALPHA = 1e-4


class PoissonGLM:
    """Mean Poisson loss plus half ``ALPHA`` times the squared norm."""

    tolerance = 1e-6

    def __init__(self, kind, rho):
        self.title = f"Poisson GLM, dense 200,000 × 100, {kind}, excess ≤ 1e-6"
        self.rho = rho

    def problem(self, *, quick):
        rng = np.random.default_rng(6)
        n, d = (20_000, 20) if quick else (200_000, 100)
        X = correlated(n, d, self.rho, rng)
        rates = np.exp(0.5 + X @ rng.standard_normal(d) * 0.05)
        y = rng.poisson(rates).astype(float)
        return X, y, newton(X, y)

    def contenders(self):
        yield Contender("infimum", fit_ours, (3.0, 1.0, 3e-1, 1e-1, 3e-2, 1e-2, 1e-3))
        ladder = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
        if present("sklearn"):
            yield Contender("scikit-learn (lbfgs)", fit_lbfgs, ladder)
            yield Contender("scikit-learn (newton-cholesky)", fit_newton, ladder)
        if present("glum"):
            yield Contender("glum (irls)", fit_glum, (1e-1, 1e-2, 1e-3, 1e-4))
            yield Contender("glum (lbfgs)", fit_glum_lbfgs, (1e-2, 1e-3, 1e-4))

    def excess(self, problem, answer):
        X, y, (optimum, null) = problem
        return (objective(X, y, answer.coef_, answer.intercept_) - optimum) / null


def objective(X, y, coef, intercept):
    scores = X @ coef + intercept
    return (np.exp(scores) - y * scores).mean() + 0.5 * ALPHA * coef @ coef


def newton(X, y):
    """Return the optimum by plain Newton steps, and the deviance of the null model.

    The loss may be negative, so its excess is told as a share of half the mean deviance
    of the best constant, which no constant in y can change.
    """
    Z = np.column_stack([X, np.ones(len(X))])
    ridge = np.append(np.full(X.shape[1], ALPHA), 0.0)
    w = np.append(np.zeros(X.shape[1]), np.log(y.mean()))
    for _ in range(12):
        rate = np.exp(Z @ w)
        hessian = (Z.T * rate) @ Z / len(y) + np.diag(ridge)
        step = np.linalg.solve(hessian, Z.T @ (rate - y) / len(y) + ridge * w)
        w -= step
        if step @ hessian @ step < 1e-14:
            break
    counted = y[y > 0]
    least = (counted - counted * np.log(counted)).sum() / len(y)
    null = objective(X, y, np.zeros(X.shape[1]), np.log(y.mean())) - least
    return objective(X, y, w[:-1], w[-1]), null


def fit_ours(problem, tol):
    from infimum import PoissonRegressor

    return PoissonRegressor(alpha=ALPHA, tol=tol).fit(*problem[:2])


@quietly
def fit_lbfgs(problem, tol):
    from sklearn.linear_model import PoissonRegressor

    return PoissonRegressor(alpha=ALPHA, tol=tol, max_iter=1_000).fit(*problem[:2])


@quietly
def fit_newton(problem, tol):
    from sklearn.linear_model import PoissonRegressor

    model = PoissonRegressor(alpha=ALPHA, tol=tol, solver="newton-cholesky")
    return model.fit(*problem[:2])


def glum_fit(problem, tol, solver):
    from glum import GeneralizedLinearRegressor

    return GeneralizedLinearRegressor(
        family="poisson", alpha=ALPHA, l1_ratio=0.0, gradient_tol=tol, solver=solver
    ).fit(*problem[:2])


@quietly
def fit_glum(problem, tol):
    return glum_fit(problem, tol, "irls-ls")


@quietly
def fit_glum_lbfgs(problem, tol):
    return glum_fit(problem, tol, "lbfgs")


TASK = PoissonGLM("correlated features", 0.5)
