"""PageRank of a directed graph, to a proved error of all scores together."""

import numpy as np
import scipy.sparse as sp

from benchmarks.task import Contender, present

ALPHA = 0.85


class PageRanks:
    """The same law, judged by the sum of all errors against one found to 1e-13."""

    title = "PageRank, 100,000 vertices, 1,000,000 edges, L1 error 1e-6"
    tolerance = 1e-6

    def problem(self, *, quick):
        rng = np.random.default_rng(0)
        n, m = (2_000, 20_000) if quick else (100_000, 1_000_000)
        ends = rng.integers(0, n, m), (n * rng.random(m) ** 2).astype(int)
        W = sp.csr_array((np.ones(m), ends), shape=(n, n))
        return W, power(W, 1e-13)

    def contenders(self):
        yield Contender("infimum", fit_ours)
        yield Contender("scipy loop", fit_scipy, (1e-5, 1e-6, 1e-7))
        if present("networkx"):
            yield Contender("networkx", fit_networkx, (1e-6, 1e-7), limit=120.0)
        if present("igraph"):
            yield Contender("igraph", fit_igraph)

    def excess(self, problem, answer):
        return float(np.abs(answer - problem[1]).sum())


def power(W, tol):
    """Return the law by power steps, until ‖x - xG‖₁ α/(1 - α) is at most `tol`."""
    n = W.shape[0]
    degrees = W.sum(axis=1)
    free = np.divide(1.0, degrees, out=np.zeros(n), where=degrees > 0)
    steps, stuck = sp.csr_array((sp.diags_array(free) @ W).T), degrees == 0
    x, off = np.full(n, 1.0 / n), np.inf
    while off * ALPHA / (1 - ALPHA) > tol:
        new = ALPHA * (steps @ x + x[stuck].sum() / n) + (1 - ALPHA) / n
        x, off = new, np.abs(new - x).sum()
    return x


def fit_ours(problem, _):
    from infimum.models.graph import pagerank

    return pagerank(problem[0], ALPHA, tol=1e-6).scores


def fit_scipy(problem, tol):
    return power(problem[0], tol)


def fit_networkx(problem, tol):
    import networkx as nx

    W = problem[0]
    graph = nx.from_scipy_sparse_array(W, create_using=nx.DiGraph)
    found = nx.pagerank(graph, ALPHA, tol=tol * 0.15 / W.shape[0], max_iter=1000)
    return np.array([found[k] for k in range(W.shape[0])])


def fit_igraph(problem, _):
    import igraph

    edges = problem[0].tocoo()
    graph = igraph.Graph(
        n=edges.shape[0], edges=np.column_stack(edges.coords), directed=True
    )
    return np.array(graph.pagerank(damping=ALPHA, weights=edges.data.tolist()))


TASK = PageRanks()
