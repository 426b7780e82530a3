"""Nearest neighbours nearly: queries to an index that is there, at equal recall."""

from types import SimpleNamespace

import numpy as np

from benchmarks.task import Contender, present

COUNT = 10


class ApproximateNeighborsTask:
    """Indices are built before, with 16 links for each sample; queries are timed.

    The excess is the share of true neighbours that were missed, on some queries.
    """

    title = "Approximate 10-NN, 100,000 × 100 in 500 clusters, 10,000 queries, built"
    tolerance = 0.05

    def problem(self, *, quick):
        draw = np.random.default_rng(0)
        n, d, queries, groups = (4_000, 20, 300, 20) if quick else SIZES
        centres = draw.standard_normal((groups, d))

        def cloud(count):
            noise = draw.standard_normal((count, d))
            return centres[draw.integers(0, groups, count)] + noise

        X, Q = cloud(n), cloud(queries)
        made = {"graph": _ours(X), "exact": _exact(X)}
        if present("hnswlib"):
            made["hnswlib"] = _hnswlib(X)
        rows = np.arange(0, queries, max(1, queries // 300))
        truth = made["exact"].kneighbors(Q[rows], return_distance=False)
        return SimpleNamespace(Q=Q, rows=rows, truth=truth, **made)

    def contenders(self):
        yield Contender("infimum", _walk, WIDTHS)
        yield Contender("infimum, exact", _compare)
        if present("hnswlib"):
            yield Contender("hnswlib", _ask_hnswlib, WIDTHS)

    def excess(self, problem, names):
        """Return the share of neighbours missed."""
        pairs = zip(names[problem.rows], problem.truth, strict=True)
        hits = [len(set(found) & set(true)) for found, true in pairs]
        return 1.0 - float(np.mean(hits)) / COUNT


#: Samples, features, queries, clusters.
SIZES = 100_000, 100, 10_000, 500
#: How many samples a walk keeps in sight.
WIDTHS = (20, 50, 100, 200)


def _ours(X):
    from infimum.models.neighbors import ApproximateNeighbors

    return ApproximateNeighbors(n_neighbors=COUNT, random_state=0).fit(X)


def _exact(X):
    from infimum.models.neighbors import NearestNeighbors

    return NearestNeighbors(n_neighbors=COUNT, algorithm="brute").fit(X)


def _hnswlib(X):
    import hnswlib

    index = hnswlib.Index(space="l2", dim=X.shape[1])
    index.init_index(max_elements=len(X), ef_construction=100, M=16, random_seed=0)
    index.add_items(X.astype(np.float32))
    return index


def _walk(problem, wide):
    problem.graph.set_params(breadth=wide)
    return problem.graph.kneighbors(problem.Q, return_distance=False)


def _compare(problem, _):
    return problem.exact.kneighbors(problem.Q, return_distance=False)


def _ask_hnswlib(problem, wide):
    problem.hnswlib.set_ef(wide)
    return problem.hnswlib.knn_query(problem.Q.astype(np.float32), COUNT)[0]


TASK = ApproximateNeighborsTask()
