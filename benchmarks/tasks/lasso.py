"""One lasso of a strong penalty on wide dense data."""

import numpy as np

from benchmarks.lasso_problems import dense, relative_gap
from benchmarks.peers import quietly
from benchmarks.task import Contender, present

SHARE = 1.0 / 20.0
LADDER = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)


class LassoFit:
    """The strength is a twentieth of the least one that keeps every weight at 0."""

    tolerance = 1e-6

    def __init__(self, size, design):
        self.title = f"Lasso (λmax/20), {size}, gap ≤ 1e-6"
        self.design = design

    def problem(self, *, quick):
        X, y = self.design(quick)
        return X, y, SHARE * np.abs(X.T @ y).max() / len(y)

    def contenders(self):
        yield Contender("infimum", fit_ours, (1e-6, 1e-7))
        if present("sklearn"):
            yield Contender("scikit-learn", fit_sklearn, LADDER)
        if present("celer"):
            yield Contender("celer", fit_celer, LADDER)
        if present("skglm"):
            yield Contender("skglm", fit_skglm, LADDER)

    def excess(self, problem, answer):
        return relative_gap(*problem, np.ravel(answer.coef_))


def fit_ours(problem, tol):
    from infimum import Lasso

    X, y, alpha = problem
    return Lasso(alpha, tol=tol, fit_intercept=False).fit(X, y)


@quietly
def fit_sklearn(problem, tol):
    from sklearn.linear_model import Lasso

    X, y, alpha = problem
    model = Lasso(alpha, tol=tol, fit_intercept=False, max_iter=100_000)
    return model.fit(X, y)


@quietly
def fit_celer(problem, tol):
    from celer import Lasso

    X, y, alpha = problem
    return Lasso(alpha, tol=tol, fit_intercept=False).fit(X, y)


@quietly
def fit_skglm(problem, tol):
    from skglm import Lasso

    X, y, alpha = problem
    return Lasso(alpha, tol=tol, fit_intercept=False).fit(X, y)


TASK = LassoFit("dense 1,000 × 20,000", dense)
