"""Ten steps of Baum and Welch on many short sequences of many symbols."""

import numpy as np

from benchmarks.tasks._sequences import started
from benchmarks.tasks._simple import SimpleTask

STATES, SYMBOLS, LENGTH, STEPS = 30, 1_000, 20, 10


def problem(quick):
    rng = np.random.default_rng(0)
    count = 100 if quick else 5_000
    groups = rng.integers(STATES, size=(count, LENGTH // 4)).repeat(4, axis=1)
    symbols = (groups * 33 + rng.integers(60, size=groups.shape)) % SYMBOLS
    start = {
        "startprob_": np.full(STATES, 1.0 / STATES),
        "transmat_": rng.dirichlet(np.ones(STATES), size=STATES),
        "emissionprob_": rng.dirichlet(np.ones(SYMBOLS), size=STATES),
    }
    given = symbols.reshape(-1, 1), np.full(count, LENGTH), start
    return *given, theirs(given, "log").monitor_.history[-1]


def ours(problem, _):
    from infimum.models.sequence import CategoricalHMM

    model = started(CategoricalHMM, problem[2], n_iter=STEPS, n_features=SYMBOLS)
    return model.fit(problem[0], lengths=problem[1])


def theirs(problem, implementation):
    from hmmlearn.hmm import CategoricalHMM

    settings = {"n_iter": STEPS, "implementation": implementation}
    model = started(CategoricalHMM, problem[2], n_features=SYMBOLS, **settings)
    return model.fit(problem[0], problem[1])


def judge(problem, answer):
    reached = answer.monitor_.history
    return abs(reached[-1] / problem[3] - 1.0) + (len(reached) != STEPS)


TASK = SimpleTask(
    "Baum-Welch, 5,000 sequences of 20, 1,000 symbols, 30 states",
    1e-9,
    problem,
    judge,
    {"infimum": ours, "hmmlearn scaling": theirs},
    {"hmmlearn scaling": ("scaling",)},
    {"hmmlearn scaling": "hmmlearn"},
)
