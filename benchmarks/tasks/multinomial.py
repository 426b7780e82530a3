"""Multinomial logistic regression on pixels: ten classes, 784 features."""

import numpy as np
from scipy.special import logsumexp, softmax, xlogy

from benchmarks.peers import quietly
from benchmarks.task import Contender, present

CLASSES = 10


class Multinomial:
    """Softmax loss plus half the squared norm over ``C``, without intercept.

    The pixels are a rectified mixture of 40 shared strokes with noise, between 0 and 1.
    """

    tolerance = 1e-6

    def __init__(self, C):
        self.C = C
        size = "dense 60,000 × 784, 10 classes"
        self.title = f"Multinomial logistic (C = {C:g}), {size}, excess ≤ 1e-6"

    def problem(self, *, quick):
        rng = np.random.default_rng(7)
        n, d = (2_000, 50) if quick else (60_000, 784)
        y = rng.integers(0, CLASSES, n)
        strokes = rng.standard_normal((40, d))
        latent = 0.5 * rng.standard_normal((CLASSES, 40))[y]
        latent += rng.standard_normal((n, 40))
        X = latent @ strokes / 6.0 + 0.5 * rng.standard_normal((n, d))
        X = np.clip(X, 0.0, 3.0) / 3.0
        return X, y, self.C, lower_bound(X, y, self.C)

    def contenders(self):
        yield Contender("infimum", fit_ours, (1e-1, 3e-2, 1e-2, 3e-3, 1e-3))
        ladder = (1e-3, 1e-4, 3e-5, 1e-5, 3e-6)
        if present("sklearn"):
            yield Contender("scikit-learn (lbfgs)", fit_lbfgs, ladder)
            yield Contender(
                "scikit-learn (newton-cg)", fit_newton_cg, ladder, limit=45.0
            )
        if present("sklearnex"):
            yield Contender("sklearnex (lbfgs)", fit_sklearnex, (1e2, 10.0, *ladder))

    def excess(self, problem, answer):
        X, y, C, least = problem
        return objective(X, y, C, answer.coef_) / least - 1.0


def objective(X, y, C, coef):
    scores = X @ coef.T
    losses = logsumexp(scores, axis=1) - scores[np.arange(len(y)), y]
    return C * losses.sum() + 0.5 * (coef**2).sum()


def lower_bound(X, y, C):
    """Return the dual value of a tightly fitted model, by the formula of the dual."""
    p = softmax(X @ fit_ours((X, y, C), 1e-5).coef_.T, axis=1)
    entropy = -xlogy(p, p).sum()
    p[np.arange(len(y)), y] -= 1.0
    return C * entropy - 0.5 * ((C * X.T @ p) ** 2).sum()


def fit_ours(problem, tol):
    from infimum import LogisticRegression

    X, y, C, *_ = problem
    return LogisticRegression(C=C, tol=tol, fit_intercept=False).fit(X, y)


def sklearn_fit(problem, tol, solver):
    from sklearn.linear_model import LogisticRegression

    X, y, C, _ = problem
    return LogisticRegression(
        C=C, tol=tol, solver=solver, fit_intercept=False, max_iter=1_000
    ).fit(X, y)


@quietly
def fit_lbfgs(problem, tol):
    return sklearn_fit(problem, tol, "lbfgs")


@quietly
def fit_newton_cg(problem, tol):
    return sklearn_fit(problem, tol, "newton-cg")


@quietly
def fit_sklearnex(problem, tol):
    from sklearnex.linear_model import LogisticRegression

    X, y, C, _ = problem
    return LogisticRegression(C=C, tol=tol, fit_intercept=False, max_iter=1_000).fit(
        X, y
    )


TASK = Multinomial(0.01)
