"""What the tasks of k-means share: contenders from one start, judged by labels."""

from types import SimpleNamespace

import numpy as np

from benchmarks.peers import quietly
from benchmarks.task import Contender, present

__all__ = ["KMeansTask"]


class KMeansTask:
    """Judged by the share of samples whose label is not that of plain Lloyd."""

    title = ""
    tolerance = 0.0
    iterations = 20
    stop = 0.0

    def data(self, quick):
        """Return the table and the number of clusters."""
        raise NotImplementedError

    def problem(self, *, quick):
        X, k = self.data(quick)
        draw = np.random.default_rng(1)
        start = X[draw.choice(len(X), k, replace=False)]
        problem = SimpleNamespace(X=X, start=start, task=self)
        problem.labels = fit_lloyd(problem, None)
        return problem

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn (lloyd)", fit_lloyd)
            yield Contender("scikit-learn (elkan)", fit_elkan)
        if present("sklearnex"):
            yield Contender("sklearnex", fit_sklearnex)

    def excess(self, problem, labels):
        return float(np.mean(labels != problem.labels))


def _fit(model, problem):
    settings = {
        "n_clusters": len(problem.start),
        "init": problem.start,
        "n_init": 1,
        "max_iter": problem.task.iterations,
        "tol": problem.task.stop,
    }
    return model(**settings).fit(problem.X).labels_


def fit_ours(problem, _):
    from infimum.models.clustering import KMeans

    return _fit(KMeans, problem)


@quietly
def fit_lloyd(problem, _):
    from sklearn.cluster import KMeans

    return _fit(KMeans, problem)


@quietly
def fit_elkan(problem, _):
    from functools import partial

    from sklearn.cluster import KMeans

    return _fit(partial(KMeans, algorithm="elkan"), problem)


@quietly
def fit_sklearnex(problem, _):
    from sklearnex.cluster import KMeans

    return _fit(KMeans, problem)
