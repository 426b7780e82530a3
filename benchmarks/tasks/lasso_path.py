"""The lasso path on wide dense data: 100 strengths, each to a proven gap."""

import warnings
from types import SimpleNamespace

import numpy as np

from benchmarks.designs import correlated
from benchmarks.task import Contender, present

STRENGTHS = 100
RATIO = 1e-2


class LassoPath:
    """Every point of the path is judged by its own duality gap."""

    title = "Lasso path of 100 strengths, dense 1,000 × 20,000, every gap ≤ 1e-5"
    tolerance = 1e-5

    def problem(self, *, quick):
        rng = np.random.default_rng(0)
        n, d = (200, 1_000) if quick else (1_000, 20_000)
        X = np.asfortranarray(correlated(n, d, 0.5, rng))
        X -= X.mean(axis=0)
        w = np.zeros(d)
        w[rng.choice(d, d // 200, replace=False)] = rng.standard_normal(d // 200)
        y = X @ w
        y += rng.standard_normal(n) * y.std() / 3
        y -= y.mean()
        top = np.abs(X.T @ y).max() / n
        return X, y, np.geomspace(top, RATIO * top, STRENGTHS)

    def contenders(self):
        yield Contender("infimum", fit_ours, (1e-5, 1e-6))
        if present("sklearn"):
            yield Contender("scikit-learn", fit_sklearn, (1e-4, 1e-5, 1e-6))
        if present("celer"):
            yield Contender("celer", fit_celer, (1e-4, 1e-5, 1e-6))
        if present("skglm"):
            yield Contender("skglm", fit_skglm, (1e-4, 1e-5, 1e-6))

    def excess(self, problem, answer):
        X, y, alphas = problem
        pairs = zip(alphas, answer.coefs.T, strict=True)
        return max(relative_gap(X, y, alpha, w) for alpha, w in pairs)


def relative_gap(X, y, alpha, w):
    """Return the duality gap as a share of the objective at zero."""
    n, used = len(y), np.flatnonzero(w)
    residual = y - X[:, used] @ w[used]
    scale = min(1.0, alpha * n / max(np.abs(X.T @ residual).max(), 1e-300))
    primal = residual @ residual / (2 * n) + alpha * np.abs(w).sum()
    dual = (scale * residual @ y - scale**2 * residual @ residual / 2) / n
    return (primal - dual) / (y @ y / (2 * n))


def fit_ours(problem, tol):
    from infimum.models.linear import Lasso, regularization_path

    X, y, alphas = problem
    model = Lasso(tol=tol, fit_intercept=False)
    path = regularization_path(model, X, y, values=alphas)
    return SimpleNamespace(coefs=path.coefs.T)


def fit_sklearn(problem, tol):
    from sklearn.linear_model import lasso_path

    return _quietly(lasso_path, problem, tol=tol, max_iter=10_000)


def fit_celer(problem, tol):
    from celer import celer_path

    X, y, alphas = problem
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _, coefs, _ = celer_path(X, y, pb="lasso", alphas=alphas, tol=tol)
    return SimpleNamespace(coefs=coefs)


def fit_skglm(problem, tol):
    from skglm import Lasso

    X, y, alphas = problem
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = Lasso(tol=tol, fit_intercept=False)
        coefs = model.path(X, y, alphas)[1]
    return SimpleNamespace(coefs=coefs)


def _quietly(path, problem, **options):
    X, y, alphas = problem
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _, coefs, _ = path(X, y, alphas=alphas, **options)
    return SimpleNamespace(coefs=coefs)


TASK = LassoPath()
