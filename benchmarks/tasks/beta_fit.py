"""The likeliest beta law of many values."""

import numpy as np

from benchmarks.tasks._simple import SimpleTask


def problem(quick):
    return np.random.default_rng(0).beta(2.0, 5.0, 10_000 if quick else 1_000_000)


def ours(y, _):
    from infimum.distributions import Beta

    found = Beta.fit(y)
    return np.array([found.a, found.b])


def scipys(y, _):
    from scipy import stats

    return np.array(stats.beta.fit(y, floc=0, fscale=1)[:2])


def judge(y, answer):
    """Return how far the two conditions of the maximum are missed."""
    from scipy.special import psi

    wanted = np.array([np.log(y).mean(), np.log1p(-y).mean()])
    return np.abs(psi(answer) - psi(answer.sum()) - wanted).max()


TASK = SimpleTask(
    "Beta law of 1,000,000 values",
    1e-9,
    problem,
    judge,
    {"infimum": ours, "scipy": scipys},
)
