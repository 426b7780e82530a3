"""R̂ and both effective sizes of many parameters, of chains that mix well and badly."""

import numpy as np
from scipy.signal import lfilter

from benchmarks.peers import quietly
from benchmarks.tasks._simple import SimpleTask


def problem(quick):
    rng = np.random.default_rng(0)
    draws, each = (500, 3) if quick else (10_000, 250)
    parts = [
        lfilter([1.0], [1.0, -rho], rng.standard_normal((4, draws, each)), axis=1)
        for rho in (0.0, 0.5, 0.9, 0.98)
    ]
    return np.concatenate(parts, axis=2)


def ours(draws, _):
    from infimum.distributions.sampling import diagnose

    return np.array(diagnose(draws)[:3])


@quietly
def arvizs(draws, _):
    import arviz

    found = arviz.convert_to_dataset({"x": draws})
    sizes = [arviz.ess(found, method=how) for how in ("bulk", "tail")]
    return np.array([each["x"].values for each in (arviz.rhat(found), *sizes)])


def judge(draws, answer):
    """Return the largest relative difference from arviz on a few parameters."""
    few = draws[:, :, :: max(1, draws.shape[2] // 8)]
    theirs = arvizs(few, None)
    return np.abs(answer[:, :: max(1, draws.shape[2] // 8)] / theirs - 1.0).max()


TASK = SimpleTask(
    "R̂ and effective sizes, 4 × 10,000 × 1,000 draws",
    1e-6,
    problem,
    judge,
    {"infimum": ours, "arviz": arvizs},
    needs={"infimum": "arviz", "arviz": "arviz"},
)
