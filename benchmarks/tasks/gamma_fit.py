"""The likeliest gamma law of many values."""

import numpy as np

from benchmarks.tasks._simple import SimpleTask


def problem(quick):
    return np.random.default_rng(0).gamma(2.5, 1.7, 10_000 if quick else 1_000_000)


def ours(y, _):
    from infimum.distributions import Gamma

    found = Gamma.fit(y)
    return found.shape, found.scale


def scipys(y, _):
    from scipy import stats

    shape, _, scale = stats.gamma.fit(y, floc=0)
    return shape, scale


def judge(y, answer):
    """Return how far the two conditions of the maximum are missed."""
    from scipy.special import psi

    shape, scale = answer
    logs = psi(shape) + np.log(scale) - np.log(y).mean()
    return max(abs(logs), abs(shape * scale / y.mean() - 1.0))


TASK = SimpleTask(
    "Gamma law of 1,000,000 values",
    1e-9,
    problem,
    judge,
    {"infimum": ours, "scipy": scipys},
)
