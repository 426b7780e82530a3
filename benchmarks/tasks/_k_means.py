"""What the tasks of k-means share: contenders from one start, judged by labels."""

from types import SimpleNamespace

import numpy as np

from benchmarks.peers import quietly
from benchmarks.task import Contender, present

__all__ = ["KMeansTask", "train_faiss"]


#: On noise every rounding to float32 leads to other labels in the end, and faiss cannot
#: have the same: an objective so much above that of plain Lloyd, relatively, counts.
ROUNDING = 1e-3


class KMeansTask:
    """Judged by the share of samples whose label is not that of plain Lloyd.

    An answer is labels, or centres: then the objective is judged.
    """

    title = ""
    tolerance = 0.0
    iterations = 20
    stop = 0.0
    faiss_iterations = (20,)

    def data(self, quick):
        """Return the table and the number of clusters."""
        raise NotImplementedError

    def problem(self, *, quick):
        X, k = self.data(quick)
        draw = np.random.default_rng(1)
        start = X[draw.choice(len(X), k, replace=False)]
        problem = SimpleNamespace(X=X, start=start, task=self)
        problem.labels = fit_lloyd(problem, None)
        means = [X[problem.labels == label].mean(axis=0) for label in range(k)]
        problem.objective = objective(X, np.array(means))
        return problem

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn (lloyd)", fit_lloyd)
            yield Contender("scikit-learn (elkan)", fit_elkan)
        if present("sklearnex"):
            yield Contender("sklearnex", fit_sklearnex)
        if present("faiss"):
            yield Contender("faiss", self.fit_faiss, self.faiss_iterations)

    def fit_faiss(self, problem, iterations):
        """Return the centres after so many iterations."""
        return train_faiss(problem, iterations)[0].centroids.astype(np.float64)

    def excess(self, problem, answer):
        if answer.ndim == 1:
            return float(np.mean(answer != problem.labels))
        above = objective(problem.X, answer) / problem.objective - 1.0
        return max(0.0, above) if above > ROUNDING else 0.0


def objective(X, centres):
    """Return the mean squared distance to the nearest centre, in blocks."""
    total, norms = 0.0, np.sum(centres**2, axis=1)
    for rows in np.array_split(X, max(1, len(X) // 10_000)):
        far = norms - 2.0 * (rows @ centres.T)
        total += float(np.sum(rows**2) + far.min(axis=1).sum())
    return total / len(X)


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


def train_faiss(problem, iterations):
    """Return the trained model and the rows; nothing is drawn, all rows are used."""
    import faiss

    (k, d), everything = problem.start.shape, len(problem.X)
    model = faiss.Kmeans(
        d, k, niter=iterations, nredo=1,
        min_points_per_centroid=1, max_points_per_centroid=everything,
    )  # fmt: skip
    rows = problem.X.astype(np.float32)
    model.train(rows, init_centroids=problem.start.astype(np.float32))
    return model, rows
