"""Scores of a Gaussian SVC with many support vectors for many new rows."""

from importlib import import_module

import numpy as np

from benchmarks.task import Contender, present

LIBRARIES = {
    "infimum": "infimum.models.kernel",
    "scikit-learn": "sklearn.svm",
    "sklearnex": "sklearnex.svm",
}


class PredictTask:
    """Labels without rhyme or reason make a support vector of every sample.

    Each library fits its own machine beforehand; only the scores are timed, and they
    are checked against the machine's own coefficients on some of the rows.
    """

    title = "SVC scores, 5,000 support vectors × 100,000 rows, error ≤ 1e-6"
    tolerance = 1e-6

    def problem(self, *, quick):
        rng = np.random.default_rng(7)
        known, n = (500, 2_000) if quick else (5_000, 100_000)
        X, y = rng.standard_normal((known, 20)), np.where(rng.random(known) < 0.5, 1, 0)
        machines = {
            name: import_module(LIBRARIES[name]).SVC(gamma=0.05).fit(X, y)
            for name in self._present()
        }
        return machines, rng.standard_normal((n, 20))

    def contenders(self):
        for name in self._present():
            yield Contender(name, self._scorer(name))

    def excess(self, problem, answer):
        machines, X = problem
        name, scores = answer
        machine, rows = machines[name], X[:: max(1, len(X) // 200)]
        known = machine.support_vectors_
        distances = np.square(rows[:, None, :] - known[None, :, :]).sum(axis=2)
        right = np.exp(-0.05 * distances) @ np.ravel(machine.dual_coef_)
        right += machine.intercept_[0]
        wrong = scores[:: max(1, len(X) // 200)] - right
        return float(np.abs(wrong).max() / np.abs(right).max())

    @staticmethod
    def _present():
        return [
            name for name, module in LIBRARIES.items() if present(module.split(".")[0])
        ]

    @staticmethod
    def _scorer(name):
        return lambda problem, _: (name, problem[0][name].decision_function(problem[1]))


TASK = PredictTask()
