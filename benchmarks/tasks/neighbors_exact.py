"""Exact nearest neighbours in many dimensions."""

import numpy as np

from benchmarks.peers import quietly
from benchmarks.task import Contender, present

COUNT = 10


class ExactNeighborsTask:
    """Judged by the distances to the neighbours named, against those of all samples."""

    title = "Exact 10-NN, 100,000 × 50 float64, 10,000 queries"
    tolerance = 1e-12

    def problem(self, *, quick):
        draw = np.random.default_rng(0)
        n, queries = (5_000, 500) if quick else (100_000, 10_000)
        return draw.standard_normal((n, 50)), draw.standard_normal((queries, 50))

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_theirs)
        if present("sklearnex"):
            yield Contender("sklearnex (float64)", fit_sklearnex)
        if present("faiss"):
            yield Contender("faiss flat (float32)", fit_faiss)

    def excess(self, problem, names):
        """Return the largest relative excess of a distance, on some of the queries."""
        X, Q = problem
        worst = 0.0
        for i in range(0, len(Q), max(1, len(Q) // 200)):
            squares = np.sum((X - Q[i]) ** 2, axis=1)
            best = np.sort(np.partition(squares, COUNT)[:COUNT])
            worst = max(worst, np.max(np.sort(squares[names[i]]) / best - 1.0))
        return float(worst)


def fit_ours(problem, _):
    from infimum.models.neighbors import NearestNeighbors

    X, Q = problem
    return NearestNeighbors(n_neighbors=COUNT).fit(X).kneighbors(Q)[1]


@quietly
def fit_theirs(problem, _):
    from sklearn.neighbors import NearestNeighbors

    X, Q = problem
    return (
        NearestNeighbors(n_neighbors=COUNT, algorithm="brute").fit(X).kneighbors(Q)[1]
    )


@quietly
def fit_sklearnex(problem, _):
    from sklearnex.neighbors import NearestNeighbors

    X, Q = problem
    return (
        NearestNeighbors(n_neighbors=COUNT, algorithm="brute").fit(X).kneighbors(Q)[1]
    )


@quietly
def fit_faiss(problem, _):
    import faiss

    X, Q = problem
    index = faiss.IndexFlatL2(X.shape[1])
    index.add(X.astype(np.float32))
    return index.search(Q.astype(np.float32), COUNT)[1]


TASK = ExactNeighborsTask()
