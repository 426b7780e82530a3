"""The posterior of a linear model with its evidence."""

import numpy as np

from benchmarks.tasks._simple import SimpleTask


def problem(quick):
    rng = np.random.default_rng(0)
    n, d = (2_000, 20) if quick else (200_000, 100)
    X = rng.standard_normal((n, d))
    return X, X @ rng.standard_normal(d) + rng.standard_normal(n)


def ours(problem, _):
    from infimum.models.probabilistic import BayesianLinearRegression

    return BayesianLinearRegression().fit(*problem).coef_


def sklearns(problem, _):
    from sklearn.linear_model import BayesianRidge

    return BayesianRidge(compute_score=True).fit(*problem).coef_


def judge(problem, answer):
    """Return the distance from least squares, which both priors hardly move."""
    X, y = problem
    plain = np.linalg.lstsq(np.c_[X, np.ones(len(X))], y, rcond=None)[0][:-1]
    return np.abs(answer - plain).max()


TASK = SimpleTask(
    "Linear posterior with evidence, 200,000 × 100",
    1e-2,
    problem,
    judge,
    {"infimum": ours, "scikit-learn": sklearns},
)
