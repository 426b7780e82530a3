"""Average linkage of ten thousand points."""

import numpy as np

from benchmarks.task import Contender, present


class LinkageTask:
    """Judged by the heights of the merges, against SciPy's."""

    tolerance = 1e-9

    def __init__(self, method, title):
        self.method, self.title = method, title

    def problem(self, *, quick):
        from scipy.cluster.hierarchy import linkage

        n = 1_000 if quick else 10_000
        X = np.random.default_rng(0).normal(size=(n, 10))
        return X, self.method, linkage(X, self.method)[:, 2]

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("scipy"):
            yield Contender("scipy", fit_scipy)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_scikit_learn)
        if present("fastcluster"):
            yield Contender("fastcluster", fit_fastcluster)

    def excess(self, problem, heights):
        """Return the largest relative difference of a height."""
        best = problem[2]
        return float(np.max(np.abs(np.sort(heights) - best) / best))


def fit_ours(problem, _):
    from infimum.models.clustering import linkage

    return linkage(problem[0], problem[1])[:, 2]


def fit_scipy(problem, _):
    from scipy.cluster.hierarchy import linkage

    return linkage(problem[0], problem[1])[:, 2]


def fit_scikit_learn(problem, _):
    from sklearn.cluster import AgglomerativeClustering

    model = AgglomerativeClustering(
        linkage=problem[1], compute_full_tree=True, compute_distances=True
    )
    return model.fit(problem[0]).distances_


def fit_fastcluster(problem, _):
    from fastcluster import linkage, linkage_vector

    grow = linkage_vector if problem[1] == "ward" else linkage
    return grow(problem[0], problem[1])[:, 2]


TASK = LinkageTask("average", "Average linkage, 10,000 × 10")
