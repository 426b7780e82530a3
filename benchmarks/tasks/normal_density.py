"""The log-density of a normal law at many vectors."""

import numpy as np

from benchmarks.tasks._simple import SimpleTask


def problem(quick):
    rng = np.random.default_rng(0)
    A = rng.standard_normal((20, 20))
    X = rng.standard_normal((5_000 if quick else 1_000_000, 20)) @ A.T
    return X, A[0], A @ A.T + np.eye(20)


def ours(problem, _):
    from infimum.distributions import MultivariateNormal

    return MultivariateNormal(*problem[1:]).log_density(problem[0])


def scipys(problem, _):
    from scipy import stats

    return stats.multivariate_normal(*problem[1:]).logpdf(problem[0])


def judge(problem, answer):
    X, mean, covariance = problem
    apart = X[:1000] - mean
    squares = np.einsum("ij,ij->i", apart, np.linalg.solve(covariance, apart.T).T)
    constant = np.linalg.slogdet(2.0 * np.pi * covariance)[1]
    return np.abs(answer[:1000] + 0.5 * (squares + constant)).max()


TASK = SimpleTask(
    "Normal log-density, 1,000,000 × 20",
    1e-9,
    problem,
    judge,
    {"infimum": ours, "scipy": scipys},
)
