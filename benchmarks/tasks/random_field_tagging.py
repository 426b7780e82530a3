"""Labels of 100,000 tokens by a field that is already fitted."""

import numpy as np

from benchmarks.tasks._sequences import tagged_words
from benchmarks.tasks._simple import SimpleTask


def problem(quick):
    import sklearn_crfsuite

    from infimum.models.sequence import CRF

    X, y = tagged_words(200 if quick else 5_000)
    half = X[:200], y[:200]
    return X, y, CRF(tol=1e-4).fit(*half), sklearn_crfsuite.CRF().fit(*half)


def ours(problem, _):
    return problem[2].predict(problem[0])


def theirs(problem, _):
    return problem[3].predict(problem[0])


def judge(problem, answer):
    """Both have almost the same weights: few tokens may differ."""
    other = problem[2].predict(problem[0])
    pairs = [*zip(np.concatenate(answer), np.concatenate(other), strict=True)]
    return 1.0 - np.mean([a == b for a, b in pairs])


TASK = SimpleTask(
    "Tagging 100,000 tokens with a fitted CRF",
    0.01,
    problem,
    judge,
    {"infimum": ours, "python-crfsuite": theirs},
    needs={"python-crfsuite": "sklearn_crfsuite"},
)
