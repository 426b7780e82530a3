"""Ridge under 100 strengths, each judged by leaving every sample out."""

import numpy as np

from benchmarks.designs import correlated
from benchmarks.task import Contender, present

ALPHAS = np.geomspace(1e-2, 1e6, 100)


class RidgePath:
    """Judged by the left-out error of the strength chosen, from its hat matrix."""

    title = "Ridge path of 100 strengths with leave-one-out, dense 20,000 × 500"
    tolerance = 1e-8

    def problem(self, *, quick):
        rng = np.random.default_rng(0)
        n, d = (1_000, 30) if quick else (20_000, 500)
        X = correlated(n, d, 0.9, rng)
        y = X @ rng.standard_normal(d) * 0.1 + 3.0 * rng.standard_normal(n) + 3.0
        return X, y, min(left_out_error(X, y, alpha) for alpha in ALPHAS[30:70:10])

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_sklearn)

    def excess(self, problem, answer):
        X, y, least = problem
        error = left_out_error(X, y, answer.alpha_)
        centred = X - X.mean(axis=0)
        gradient = centred.T @ (y - y.mean() - centred @ answer.coef_)
        gradient -= answer.alpha_ * answer.coef_
        scale = np.linalg.norm(centred.T @ (y - y.mean()))
        return max(error / least - 1.0, np.linalg.norm(gradient) / scale)


def left_out_error(X, y, alpha):
    """Return the mean squared error of samples left out, from the hat matrix."""
    n, d = X.shape
    centred = X - X.mean(axis=0)
    inverse = np.linalg.inv(centred.T @ centred + alpha * np.eye(d))
    reached = centred @ inverse
    leverage = np.einsum("ij,ij->i", reached, centred) + 1.0 / n
    residual = y - y.mean() - reached @ (centred.T @ (y - y.mean()))
    return np.mean((residual / (1.0 - leverage)) ** 2)


def fit_ours(problem, _):
    from infimum.models.linear import RidgeCV

    return RidgeCV(alphas=ALPHAS).fit(*problem[:2])


def fit_sklearn(problem, _):
    from sklearn.linear_model import RidgeCV

    return RidgeCV(alphas=ALPHAS).fit(*problem[:2])


TASK = RidgePath()
