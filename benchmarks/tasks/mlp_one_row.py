"""Probabilities of a network for one row at a time."""

import numpy as np

from benchmarks.task import Contender
from benchmarks.tasks._networks import LIBRARIES, _fit


class OneRowTask:
    """Each library asks its own network, with the same weights, row by row."""

    title = "MLPClassifier.predict_proba, 1,000 rows one at a time"
    tolerance = 1e-9

    def problem(self, *, quick):
        rng = np.random.default_rng(0)
        X = rng.standard_normal((500, 30))
        y = X[:, :3].argmax(axis=1)
        models = {name: _fit(name, X, y, {"random_state": 0}) for name in LIBRARIES}
        rows = rng.standard_normal((100 if quick else 1000, 1, 30))
        return models, rows, models["scikit-learn"].predict_proba(rows[:, 0])

    def contenders(self):
        for name in LIBRARIES:
            yield Contender(name, _asker(name))

    def excess(self, problem, answer):
        return float(np.abs(np.vstack(answer) - problem[2]).max())


def _asker(name):
    return lambda problem, _: [problem[0][name].predict_proba(x) for x in problem[1]]


TASK = OneRowTask()
