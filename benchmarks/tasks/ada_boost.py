"""AdaBoost with a hundred stumps."""

from types import SimpleNamespace

import numpy as np

from benchmarks.designs import signs_of
from benchmarks.peers import quietly
from benchmarks.task import Contender, present

ROUNDS = 100


class AdaBoostTask:
    """Judged by errors on fresh rows, beyond those of the score that drew the labels.

    The score is a sum over features, as those of stumps are.
    """

    title = "AdaBoost, 100 stumps, 50,000 × 20, equal accuracy"
    tolerance = 0.03

    def problem(self, *, quick):
        rng = np.random.default_rng(0)
        n = 2_000 if quick else 50_000
        X = rng.standard_normal((2 * n, 20))
        score = 1.5 * np.sin(1.5 * X[:, :8]).sum(axis=1) * 0.6 + 0.5 * X[:, 8]
        y = signs_of(score, rng)
        return SimpleNamespace(
            X=X[:n], y=y[:n], fresh=X[n:], truth=y[n:], score=score[n:]
        )

    def contenders(self):
        yield Contender("infimum", fit_ours)
        yield Contender("infimum (real)", fit_real)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_sklearn)

    def excess(self, problem, answer):
        found = np.mean(answer.predict(problem.fresh) != problem.truth)
        least = np.mean(np.sign(problem.score) != problem.truth)
        return float(max(0.0, found - least))


def fit_ours(problem, _):
    from infimum.models.ensembles import AdaBoostClassifier

    return AdaBoostClassifier(n_estimators=ROUNDS).fit(problem.X, problem.y)


def fit_real(problem, _):
    from infimum.models.ensembles import AdaBoostClassifier

    model = AdaBoostClassifier(n_estimators=ROUNDS, algorithm="real")
    return model.fit(problem.X, problem.y)


@quietly
def fit_sklearn(problem, _):
    from sklearn.ensemble import AdaBoostClassifier

    return AdaBoostClassifier(n_estimators=ROUNDS).fit(problem.X, problem.y)


TASK = AdaBoostTask()
