"""Probabilities of one row from a forest of 100 trees."""

from importlib import import_module

import numpy as np

from benchmarks.task import Contender, present

LIBRARIES = {"infimum": "infimum.models.ensembles", "scikit-learn": "sklearn.ensemble"}
CALLS = 100


class OneRowTask:
    """Each library asks its own model, fitted beforehand, row after row.

    The answers are checked against those for all rows at once.
    """

    title = f"Forest of 100 trees, probabilities of one row, {CALLS} times"
    tolerance = 1e-12

    def problem(self, *, quick):
        rng = np.random.default_rng(7)
        X = rng.standard_normal((2_000, 20))
        y = X[:, 0] * X[:, 1] + X[:, 2] > 0.3 * rng.standard_normal(len(X))
        models = {
            name: import_module(LIBRARIES[name])
            .RandomForestClassifier(100, random_state=0)
            .fit(X, y)
            for name in self._present()
        }
        return models, X[: 20 if quick else CALLS]

    def contenders(self):
        for name in self._present():
            yield Contender(name, self._asker(name))

    def excess(self, problem, answer):
        models, X = problem
        name, shares = answer
        return float(
            np.abs(np.concatenate(shares) - models[name].predict_proba(X)).max()
        )

    @staticmethod
    def _present():
        return [n for n, module in LIBRARIES.items() if present(module.split(".")[0])]

    @staticmethod
    def _asker(name):
        def ask(problem, _):
            model, X = problem[0][name], problem[1]
            return name, [model.predict_proba(X[i : i + 1]) for i in range(len(X))]

        return ask


TASK = OneRowTask()
