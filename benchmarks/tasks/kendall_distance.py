"""Kendall's distance of two rankings of a million items."""

import numpy as np

from benchmarks.tasks._simple import SimpleTask


def problem(quick):
    rng = np.random.default_rng(0)
    n = 2_000 if quick else 1_000_000
    return rng.permutation(n), rng.permutation(n)


def ours(problem, _):
    from infimum.models.ranking import kendall_distance

    return kendall_distance(*problem)


def scipys(problem, _):
    from scipy import stats

    return 0.5 * (1.0 - stats.kendalltau(*problem).statistic)


def judge(problem, answer):
    return abs(answer - scipys(problem, None))


TASK = SimpleTask(
    "Kendall's distance of 1,000,000 items",
    1e-12,
    problem,
    judge,
    {"infimum": ours, "scipy": scipys},
)
