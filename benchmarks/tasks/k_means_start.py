"""The k-means++ start for a thousand centres."""

import numpy as np

from benchmarks.peers import quietly
from benchmarks.task import Contender, present


class StartTask:
    """Judged by the sum of squares left, relative to scikit-learn's of another seed."""

    title = "k-means++ start, 200,000 × 50, k = 1,000"
    tolerance = 0.02

    def problem(self, *, quick):
        draw = np.random.default_rng(0)
        n, k = (5_000, 50) if quick else (200_000, 1_000)
        X = draw.standard_normal((n, 50))
        X += draw.standard_normal((k, 50))[draw.integers(0, k, n)]
        problem = X, k, [1.0]
        problem[2][0] = self._left(X, fit_theirs(problem, 1))
        return problem

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_theirs)

    def excess(self, problem, indices):
        return self._left(problem[0], indices) / problem[2][0] - 1.0

    def _left(self, X, indices):
        centres = X[indices]
        norms = np.einsum("ij,ij->i", centres, centres)
        total = 0.0
        for start in range(0, len(X), 4096):
            block = X[start : start + 4096]
            scores = norms - 2.0 * block @ centres.T
            total += float(np.sum(block**2) + scores.min(axis=1).sum())
        return total


def fit_ours(problem, _):
    from infimum.models.clustering import kmeans_plusplus

    return kmeans_plusplus(problem[0], problem[1], random_state=0)[1]


@quietly
def fit_theirs(problem, seed):
    from sklearn.cluster import kmeans_plusplus

    return kmeans_plusplus(problem[0], problem[1], random_state=seed or 0)[1]


TASK = StartTask()
