"""The lasso path on wide dense data: 100 strengths, each to a proven gap."""

import numpy as np

from benchmarks.lasso_problems import dense, relative_gap
from benchmarks.peers import quietly
from benchmarks.task import Contender, present

STRENGTHS = 100
RATIO = 1e-2
LADDER = (1e-4, 1e-5, 1e-6)


class LassoPath:
    """Every library returns one array; each of its points is judged by its gap."""

    tolerance = 1e-5

    def __init__(self, size, design):
        self.title = f"Lasso path of 100 strengths, {size}, every gap ≤ 1e-5"
        self.design = design

    def problem(self, *, quick):
        X, y = self.design(quick)
        top = np.abs(X.T @ y).max() / len(y)
        return X, y, np.geomspace(top, RATIO * top, STRENGTHS)

    def contenders(self):
        yield Contender("infimum", fit_ours, (1e-5, 1e-6))
        if present("sklearn"):
            yield Contender("scikit-learn", fit_sklearn, LADDER)
        if present("celer"):
            yield Contender("celer", fit_celer, LADDER)
        if present("skglm"):
            yield Contender("skglm", fit_skglm, LADDER)

    def excess(self, problem, answer):
        X, y, alphas = problem
        pairs = zip(alphas, answer, strict=True)
        return max(relative_gap(X, y, alpha, w) for alpha, w in pairs)


def fit_ours(problem, tol):
    from infimum.models.linear import lasso_path

    X, y, alphas = problem
    _, coefs, _ = lasso_path(X, y, alphas=alphas, tol=tol)
    return coefs.T


@quietly
def fit_sklearn(problem, tol):
    from sklearn.linear_model import lasso_path

    X, y, alphas = problem
    _, coefs, _ = lasso_path(X, y, alphas=alphas, tol=tol, max_iter=10_000)
    return coefs.T


@quietly
def fit_celer(problem, tol):
    from celer import celer_path

    X, y, alphas = problem
    _, coefs, _ = celer_path(X, y, pb="lasso", alphas=alphas, tol=tol)
    return coefs.T


@quietly
def fit_skglm(problem, tol):
    from skglm import Lasso

    X, y, alphas = problem
    model = Lasso(tol=tol, fit_intercept=False)
    return model.path(X, y, alphas)[1].T


TASK = LassoPath("dense 1,000 × 20,000", dense)
