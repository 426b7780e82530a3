"""The likeliest states of a long sequence, under the same model."""

import numpy as np

from benchmarks.tasks._sequences import normal_chain, started
from benchmarks.tasks._simple import SimpleTask


def problem(quick):
    table, start = normal_chain(2_000 if quick else 100_000)
    return table, start, theirs((table, start), None)[0]


def ours(problem, _):
    from infimum.models.sequence import GaussianHMM

    return started(GaussianHMM, problem[1]).decode(problem[0])


def theirs(problem, _):
    from hmmlearn.hmm import GaussianHMM

    model = started(GaussianHMM, problem[1])
    model.n_features = problem[0].shape[1]
    return model.decode(problem[0])


def judge(problem, answer):
    """Compare the probability that was reached, and that of the states given."""
    from scipy.stats import norm

    table, start, best = problem
    score, states = answer
    scales = np.sqrt(start["covars_"])[states]
    logs = norm.logpdf(table, start["means_"][states], scales).sum()
    logs += np.log(start["startprob_"][states[0]])
    logs += np.log(start["transmat_"][states[:-1], states[1:]]).sum()
    return max(abs(score / best - 1.0), abs(logs / best - 1.0))


TASK = SimpleTask(
    "Viterbi, 100,000 steps, 8 states, 5 columns",
    1e-9,
    problem,
    judge,
    {"infimum": ours, "hmmlearn": theirs},
    needs={"hmmlearn": "hmmlearn"},
)
