"""Draws from a thousand categories."""

import numpy as np

from benchmarks.tasks._simple import SimpleTask


def problem(quick):
    shares = np.random.default_rng(0).dirichlet(np.ones(1000))
    return shares, 100_000 if quick else 10_000_000


def ours(problem, _):
    from infimum.distributions.sampling import AliasTable

    return AliasTable(problem[0]).draw(problem[1], random_state=1)


def numpys(problem, _):
    return np.random.default_rng(1).choice(1000, problem[1], p=problem[0])


def judge(problem, answer):
    """Return χ² over its degrees of freedom, above 1.3 a wrong law."""
    shares, n = problem
    counts = np.bincount(answer, minlength=1000)
    return ((counts - n * shares) ** 2 / (n * shares)).sum() / 999


TASK = SimpleTask(
    "10,000,000 draws from 1,000 categories",
    1.3,
    problem,
    judge,
    {"infimum": ours, "NumPy": numpys},
)
