"""Ten steps of Baum and Welch from the same start, to the same likelihood."""

from benchmarks.tasks._sequences import normal_chain, started
from benchmarks.tasks._simple import SimpleTask

STEPS = 10


def problem(quick):
    table, start = normal_chain(2_000 if quick else 100_000)
    return table, start, theirs((table, start), "log").monitor_.history[-1]


def ours(problem, _):
    from infimum.models.sequence import GaussianHMM

    return started(GaussianHMM, problem[1], n_iter=STEPS).fit(problem[0])


def theirs(problem, implementation):
    from hmmlearn.hmm import GaussianHMM

    settings = {"n_iter": STEPS, "implementation": implementation}
    model = started(GaussianHMM, problem[1], **settings)
    model.n_features = problem[0].shape[1]
    return model.fit(problem[0])


def judge(problem, answer):
    reached = answer.monitor_.history
    return abs(reached[-1] / problem[2] - 1.0) + (len(reached) != STEPS)


TASK = SimpleTask(
    "Baum-Welch, 100,000 steps, 8 states, 5 columns, 10 iterations",
    1e-9,
    problem,
    judge,
    {"infimum": ours, "hmmlearn scaling": theirs, "hmmlearn log": theirs},
    {"hmmlearn scaling": ("scaling",), "hmmlearn log": ("log",)},
    {"hmmlearn scaling": "hmmlearn", "hmmlearn log": "hmmlearn"},
)
