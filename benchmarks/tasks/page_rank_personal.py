"""A hundred personalised PageRanks of one graph."""

import numpy as np
import scipy.sparse as sp

from benchmarks.tasks import page_rank
from benchmarks.tasks._simple import SimpleTask

ALPHA = page_rank.ALPHA


def problem(quick):
    W, _ = page_rank.TASK.problem(quick=quick)
    count = 9 if quick else 100
    jumps = np.zeros((count, W.shape[0]))
    rng = np.random.default_rng(1)
    jumps[np.arange(count), rng.integers(0, W.shape[0], count)] = 1.0
    return W, jumps, loops((W, jumps[:: count // 4]), 1e-12)


def ours(problem, tol):
    from infimum.models.graph import pagerank

    return pagerank(problem[0], ALPHA, problem[1], tol=tol).scores


def loops(problem, tol):
    """Go on by power steps of one law after the other."""
    W, jumps = problem[:2]
    degrees = W.sum(axis=1)
    free = np.divide(1.0, degrees, out=np.zeros(len(degrees)), where=degrees > 0)
    steps, stuck = sp.csr_array((sp.diags_array(free) @ W).T), degrees == 0
    out = np.empty_like(jumps)
    for row, v in zip(out, jumps, strict=True):
        x, off = v, np.inf
        while off * ALPHA / (1 - ALPHA) > tol:
            new = ALPHA * (steps @ x + x[stuck].sum() * v) + (1 - ALPHA) * v
            x, off = new, np.abs(new - x).sum()
        row[:] = x
    return out


def judge(problem, answer):
    some = answer[:: len(answer) // 4]
    return np.abs(some - problem[2]).sum(axis=1).max()


TASK = SimpleTask(
    "100 personalised PageRanks, 100,000 vertices, L1 error 1e-6",
    1e-6,
    problem,
    judge,
    {"infimum": ours, "scipy loops": loops},
    {"infimum": (1e-6,), "scipy loops": (1e-6, 1e-7)},
)
