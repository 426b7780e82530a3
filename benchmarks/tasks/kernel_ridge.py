"""Kernel ridge regression with a Gaussian kernel: one linear system of all pairs."""

import numpy as np

from benchmarks.task import Contender, present

ALPHA, GAMMA = 1.0, 0.02


class KernelRidge:
    """Squared error plus ``ALPHA`` times the squared norm of the function."""

    title = "Kernel ridge, Gaussian, 10,000 × 50"
    tolerance = 1e-8

    def problem(self, *, quick):
        return sample(500 if quick else 10_000)

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_sklearn)

    def excess(self, problem, answer):
        """Return the relative excess over a bound from the answer's own residuals.

        With f = Kc and r = y - f, the dual of the problem at the residuals is
        (2 yᵀr - rᵀr) - rᵀKr/ALPHA, below which no function can go.
        """
        X, y = problem
        squares = (X**2).sum(axis=1)
        K = np.exp(-GAMMA * (squares[:, None] + squares - 2.0 * X @ X.T))
        c = answer.dual_coef_
        f = K @ c
        r = y - f
        value = r @ r + ALPHA * (c @ f)
        bound = 2.0 * (y @ r) - r @ r - r @ (K @ r) / ALPHA
        return value / bound - 1.0


def sample(n, d=50):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    return X, np.sin(X[:, 0]) + 0.5 * X[:, 1] * X[:, 2] + rng.standard_normal(n)


def fit_ours(problem, _):
    from infimum.models.kernel import KernelRidge

    return KernelRidge(ALPHA, kernel="rbf", gamma=GAMMA).fit(*problem)


def fit_sklearn(problem, _):
    from sklearn.kernel_ridge import KernelRidge

    return KernelRidge(alpha=ALPHA, kernel="rbf", gamma=GAMMA).fit(*problem)


TASK = KernelRidge()
