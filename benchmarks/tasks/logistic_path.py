"""The path of an elastic-net logistic regression: 50 strengths."""

from types import SimpleNamespace

import numpy as np

from benchmarks.designs import correlated, signs_of
from benchmarks.peers import quietly
from benchmarks.task import Contender, present

RATIO, STRENGTHS, LAST = 0.5, 50, 1e-2


class LogisticPath:
    """Mean logistic loss plus an elastic net, half lasso and half ridge, no intercept.

    The excess of an answer is that of its worst point, against a proven lower bound.
    """

    title = (
        "Elastic-net logistic path of 50 strengths, dense 5,000 × 2,000, each ≤ 1e-6"
    )
    tolerance = 1e-6

    def problem(self, *, quick):
        rng = np.random.default_rng(5)
        n, d = (500, 200) if quick else (5_000, 2_000)
        X = np.asfortranarray(correlated(n, d, 0.5, rng))
        w = np.zeros(d)
        w[rng.choice(d, d // 20, replace=False)] = rng.standard_normal(d // 20) * 0.5
        y = signs_of(X @ w, rng)
        top = 0.5 * np.abs(X.T @ y).max() / (n * RATIO)
        problem = SimpleNamespace(
            X=X, y=y, alphas=np.geomspace(top, LAST * top, STRENGTHS)
        )
        problem.bounds = lower_bounds(problem)
        return problem

    def contenders(self):
        yield Contender("infimum", fit_ours, (1e-2, 3e-3, 1e-3, 3e-4, 1e-4))
        if present("sklearn"):
            yield Contender("scikit-learn (saga)", fit_saga, (1e-4,), limit=90.0)
        if present("skglm"):
            yield Contender("skglm", fit_skglm, (1e-4, 3e-5, 1e-5, 3e-6, 1e-6))

    def excess(self, problem, answer):
        triples = zip(problem.alphas, answer, problem.bounds, strict=True)
        return max(objective(problem, a, w) / bound - 1.0 for a, w, bound in triples)


def objective(problem, alpha, w):
    losses = np.logaddexp(0.0, -problem.y * (problem.X @ w))
    return losses.mean() + alpha * (
        RATIO * np.abs(w).sum() + 0.5 * (1.0 - RATIO) * w @ w
    )


def lower_bounds(problem):
    """Return the dual values of a tightly fitted path, by the formula of the dual."""
    X, y, bounds = problem.X, problem.y, []
    for alpha, w in zip(problem.alphas, fit_ours(problem, 1e-5), strict=True):
        p = 1.0 / (1.0 + np.exp(y * (X @ w)))
        entropy = -(p * np.log(p) + (1.0 - p) * np.log1p(-p)).mean()
        over = np.maximum(np.abs(X.T @ (y * p)) / len(y) - alpha * RATIO, 0.0)
        bounds.append(entropy - over @ over / (2.0 * alpha * (1.0 - RATIO)))
    return bounds


def fit_ours(problem, tol):
    from infimum.models.linear import LogisticRegression, regularization_path

    model = LogisticRegression(
        l1_ratio=RATIO, solver="saga", tol=tol, fit_intercept=False
    )
    strengths = 1.0 / (problem.alphas * len(problem.y))
    path = regularization_path(model, problem.X, problem.y, values=strengths)
    return path.coefs[:, 0]


@quietly
def fit_saga(problem, tol):
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(
        l1_ratio=RATIO,
        solver="saga",
        tol=tol,
        fit_intercept=False,
        max_iter=1_000,
        warm_start=True,
        random_state=0,
    )
    coefs = []
    for alpha in problem.alphas:
        model.set_params(C=1.0 / (alpha * len(problem.y)))
        coefs.append(model.fit(problem.X, problem.y).coef_[0].copy())
    return coefs


@quietly
def fit_skglm(problem, tol):
    from skglm import GeneralizedLinearEstimator
    from skglm.datafits import Logistic
    from skglm.penalties import L1_plus_L2
    from skglm.solvers import ProxNewton

    solver = ProxNewton(tol=tol, fit_intercept=False, warm_start=True)
    model = GeneralizedLinearEstimator(Logistic(), L1_plus_L2(1.0, RATIO), solver)
    coefs = []
    for alpha in problem.alphas:
        model.penalty = L1_plus_L2(alpha, RATIO)
        coefs.append(np.ravel(model.fit(problem.X, problem.y).coef_).copy())
    return coefs


TASK = LogisticPath()
