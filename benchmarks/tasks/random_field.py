"""A conditional random field from dicts, to an excess of 1e-3 of the loss of no model.

The judge has the bound that a fine fit proves, and computes each answer's objective
from the weights that it gives.
"""

import numpy as np

from benchmarks.tasks._sequences import tagged_words
from benchmarks.tasks._simple import SimpleTask

C2 = 1.0


def problem(quick):
    from infimum.models.sequence import CRF

    X, y = tagged_words(200 if quick else 5_000)
    fine = CRF(c2=C2, tol=3e-7).fit(X, y)
    return X, y, fine


def ours(problem, tol):
    from infimum.models.sequence import CRF

    return CRF(c2=C2, tol=tol).fit(*problem[:2])


def theirs(problem, iterations):
    from sklearn_crfsuite import CRF

    return CRF(c2=C2, max_iterations=iterations, epsilon=0.0, delta=0.0).fit(
        *problem[:2]
    )


def judge(problem, answer):
    """Ask the fine model's certificate for the objective of any weights."""
    X, y, fine = problem
    weights = {**answer.state_features_, **answer.transition_features_}
    names = [
        (fine.attributes_[a], fine.classes_[k])
        for a, k in zip(*np.nonzero(fine._states), strict=True)
    ]
    names += [
        (fine.classes_[a], fine.classes_[b])
        for a, b in zip(*np.nonzero(fine._moves), strict=True)
    ]
    best, kept = fine.certificate_.dual, fine.coef_
    fine.coef_ = np.array([weights.get(name, 0.0) for name in names])
    try:
        found = fine.certify(X, y)
    finally:
        fine.coef_ = kept
    return (found.primal - best) / found.scale


COARSE = (3e-2, 1e-2, 3e-3, 1e-3)
PEER = (30, 40, 50, 60, 70, 80, 90, 100, 120, 150, 200)

TASK = SimpleTask(
    "CRF, 5,000 sequences of 20, 10 labels, from dicts, excess 1e-3",
    1e-3,
    problem,
    judge,
    {"infimum": ours, "sklearn-crfsuite": theirs},
    {"infimum": COARSE, "sklearn-crfsuite": PEER},
    {"sklearn-crfsuite": "sklearn_crfsuite"},
)
