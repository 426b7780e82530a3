"""Spectral clustering: ten clusters in the neighbourhood graph of 20,000 points."""

import numpy as np

from benchmarks.peers import quietly
from benchmarks.task import Contender, present

CLUSTERS = 10
NEIGHBORS = 10


class SpectralClusteringTask:
    """Judged by the normalised cut: a tenth below that of the planted clusters.

    The cut is taken in the graph both were given, by a formula of this file.
    """

    title = "Spectral clustering, 20,000 × 20, 10 neighbours, 10 clusters, Ncut"
    tolerance = -0.1

    def problem(self, *, quick):
        draw = np.random.default_rng(0)
        n = 2_000 if quick else 20_000
        labels = draw.integers(0, CLUSTERS, n)
        X = 2.0 * draw.standard_normal((CLUSTERS, 20))[labels]
        X += 2.0 * draw.standard_normal((n, 20))
        return X, labels

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn (lobpcg)", fit_lobpcg)
            yield Contender("scikit-learn (arpack)", fit_arpack)

    def excess(self, problem, answer):
        X, planted = problem
        graph = neighbor_graph(X)
        return normalized_cut(graph, answer) / normalized_cut(graph, planted) - 1.0


def neighbor_graph(X):
    from sklearn.neighbors import kneighbors_graph

    near = kneighbors_graph(X, NEIGHBORS, include_self=False)
    return ((near + near.T) / 2).tocoo()


def normalized_cut(graph, labels):
    one, other = labels[graph.row], labels[graph.col]
    volumes = np.bincount(one, graph.data, minlength=CLUSTERS)
    leaving = one != other
    cuts = np.bincount(one[leaving], graph.data[leaving], minlength=CLUSTERS)
    return float(np.sum(cuts / np.maximum(volumes, 1e-300)))


def fit_ours(problem, _):
    from infimum.models.clustering import SpectralClustering

    model = SpectralClustering(
        CLUSTERS, affinity="nearest_neighbors", n_neighbors=NEIGHBORS, random_state=0
    )
    return model.fit(problem[0]).labels_


def _fit_theirs(problem, solver):
    from sklearn.cluster import SpectralClustering

    model = SpectralClustering(
        CLUSTERS,
        affinity="nearest_neighbors",
        n_neighbors=NEIGHBORS,
        eigen_solver=solver,
        random_state=0,
        n_jobs=-1,
    )
    return model.fit(problem[0]).labels_


@quietly
def fit_lobpcg(problem, _):
    return _fit_theirs(problem, "lobpcg")


@quietly
def fit_arpack(problem, _):
    return _fit_theirs(problem, "arpack")


TASK = SpectralClusteringTask()
