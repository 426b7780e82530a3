"""L2 logistic regression on a tall dense table."""

import numpy as np

from benchmarks.designs import correlated, signs_of
from benchmarks.peers import quietly
from benchmarks.task import Contender, present

C = 1.0


class LogisticL2:
    """Logistic loss plus half the squared norm, intercept not penalised."""

    tolerance = 1e-6

    def __init__(self, kind, rho):
        self.title = f"Logistic L2, dense 200,000 × 100, {kind}, excess ≤ 1e-6"
        self.rho = rho

    def problem(self, *, quick):
        rng = np.random.default_rng(0)
        n, d = (20_000, 20) if quick else (200_000, 100)
        X = correlated(n, d, self.rho, rng)
        y = (signs_of(X @ rng.standard_normal(d) * 0.35, rng) > 0).astype(int)
        return X, y, newton(X, y)

    def contenders(self):
        yield Contender("infimum", fit_ours, (3.0, 1.0, 3e-1, 1e-1, 3e-2, 1e-2, 1e-3))
        ladder = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
        if present("sklearn"):
            yield Contender("scikit-learn (lbfgs, its default)", fit_lbfgs, ladder)
            yield Contender("scikit-learn (newton-cholesky)", fit_newton, ladder)
            yield Contender("scikit-learn (newton-cg)", fit_newton_cg, ladder)
        if present("sklearnex"):
            # its tolerance is that of another norm: it starts far looser
            yield Contender("sklearnex (lbfgs)", fit_sklearnex, (1e3, 1e2, 10.0, 1.0))
        if present("glum"):
            yield Contender("glum (irls)", fit_glum, (1e-3, 1e-4, 1e-6, 1e-8))
            yield Contender("glum (lbfgs)", fit_glum_lbfgs, (1e-3, 1e-4, 1e-5, 1e-6))
        if present("skglm"):
            yield Contender("skglm (lbfgs)", fit_skglm, (1e-3, 1e-4, 1e-5, 1e-6))

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
        step = np.linalg.solve(hessian, C * Z.T @ (p - y) + ridge * w)
        w -= step
        if step @ hessian @ step < 1e-12 * len(y):
            break
    return objective(X, y, w[:-1], w[-1])


def fit_ours(problem, tol):
    from infimum import LogisticRegression

    return LogisticRegression(C=C, tol=tol).fit(*problem[:2])


def fit_sklearn(problem, tol, solver):
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=C, tol=tol, solver=solver).fit(*problem[:2])


@quietly
def fit_lbfgs(problem, tol):
    return fit_sklearn(problem, tol, "lbfgs")


@quietly
def fit_newton(problem, tol):
    return fit_sklearn(problem, tol, "newton-cholesky")


@quietly
def fit_newton_cg(problem, tol):
    return fit_sklearn(problem, tol, "newton-cg")


@quietly
def fit_sklearnex(problem, tol):
    from sklearnex.linear_model import LogisticRegression

    return LogisticRegression(C=C, tol=tol, max_iter=1_000).fit(*problem[:2])


def glum_model(problem, tol, solver):
    from glum import GeneralizedLinearRegressor

    X, y, _ = problem
    model = GeneralizedLinearRegressor(
        family="binomial",
        alpha=1.0 / (C * len(y)),
        l1_ratio=0.0,
        gradient_tol=tol,
        solver=solver,
    )
    return model.fit(X, y)


@quietly
def fit_glum(problem, tol):
    return glum_model(problem, tol, "irls-ls")


@quietly
def fit_glum_lbfgs(problem, tol):
    return glum_model(problem, tol, "lbfgs")


@quietly
def fit_skglm(problem, tol):
    from skglm import GeneralizedLinearEstimator
    from skglm.datafits import Logistic
    from skglm.penalties import L2
    from skglm.solvers import LBFGS

    X, y, _ = problem
    solver = LBFGS(tol=tol, max_iter=1_000)
    solver.fit_intercept, solver.warm_start = True, False  # the estimator asks for both
    penalty = L2(1.0 / (C * len(y)))
    return GeneralizedLinearEstimator(Logistic(), penalty, solver).fit(X, 2 * y - 1)


TASK = LogisticL2("correlated features", 0.5)
