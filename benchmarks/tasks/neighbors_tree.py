"""Nearest neighbours in three dimensions, by trees."""

import numpy as np

from benchmarks.task import Contender, present

COUNT = 10


class TreeNeighborsTask:
    """Building and asking are both timed; judged by the distances to the neighbours."""

    title = "k-d tree 10-NN, 500,000 × 3, build and 100,000 queries"
    tolerance = 1e-12

    def problem(self, *, quick):
        draw = np.random.default_rng(0)
        n, queries = (20_000, 2_000) if quick else (500_000, 100_000)
        return draw.random((n, 3)), draw.random((queries, 3))

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_theirs)
        if present("scipy"):
            yield Contender("scipy cKDTree", fit_scipy, (False,))
        if present("pykdtree"):
            yield Contender("pykdtree", fit_pykdtree)

    def excess(self, problem, names):
        """Return the largest relative excess of a distance, on some of the queries."""
        X, Q = problem
        worst = 0.0
        for i in range(0, len(Q), max(1, len(Q) // 100)):
            squares = np.sum((X - Q[i]) ** 2, axis=1)
            best = np.sort(np.partition(squares, COUNT)[:COUNT])
            worst = max(worst, np.max(np.sort(squares[names[i]]) / best - 1.0))
        return float(worst)


def fit_ours(problem, _):
    from infimum.models.neighbors import NearestNeighbors

    X, Q = problem
    model = NearestNeighbors(n_neighbors=COUNT, algorithm="kd_tree")
    return model.fit(X).kneighbors(Q)[1]


def fit_theirs(problem, _):
    from sklearn.neighbors import NearestNeighbors

    X, Q = problem
    model = NearestNeighbors(n_neighbors=COUNT, algorithm="kd_tree", n_jobs=-1)
    return model.fit(X).kneighbors(Q)[1]


def fit_scipy(problem, balanced):
    from scipy.spatial import cKDTree

    X, Q = problem
    tree = cKDTree(X, balanced_tree=balanced, compact_nodes=balanced)
    return tree.query(Q, COUNT, workers=-1)[1]


def fit_pykdtree(problem, _):
    from pykdtree.kdtree import KDTree

    X, Q = problem
    return KDTree(X).query(Q, COUNT)[1]


TASK = TreeNeighborsTask()
