"""Value and subgradient of the ROC area's hinge on a million scores."""

import numpy as np

from benchmarks.tasks._simple import SimpleTask


def problem(quick):
    rng = np.random.default_rng(0)
    m = 10_000 if quick else 1_000_000
    y = np.where(rng.random(m) < 0.3, 1.0, -1.0)
    return y, y + 2.0 * rng.standard_normal(m)


def ours(problem, _):
    from infimum.losses import RocArea

    return RocArea().evaluate(*problem)


def sort(problem, _):
    return np.argsort(problem[1])


def judge(problem, answer):
    """Check the value by one sort of each side; a sort alone is right as it is."""
    if isinstance(answer, np.ndarray) and answer.dtype.kind == "i":
        return float((np.diff(problem[1][answer]) < 0.0).any())
    y, f = problem
    up, down = np.sort(f[y > 0]), np.sort(f[y < 0])
    sums = np.concatenate([[0.0], np.cumsum(down[::-1])])
    above = len(down) - np.searchsorted(down, up - 1.0, side="right")
    total = float((sums[above] + above * (1.0 - up)).sum())
    return abs(answer[0] / (total / (len(up) * len(down))) - 1.0)


TASK = SimpleTask(
    "ROC area hinge of 1,000,000 scores, against np.argsort",
    1e-9,
    problem,
    judge,
    {"infimum": ours, "numpy argsort": sort},
)
