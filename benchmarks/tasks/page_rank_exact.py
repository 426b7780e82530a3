"""PageRank to all the digits that there are."""

from functools import cache

import numpy as np

from benchmarks.tasks import page_rank
from benchmarks.tasks._simple import SimpleTask


def problem(quick):
    W, _ = page_rank.TASK.problem(quick=quick)
    return W, page_rank.power(W, 1e-14)


def ours(problem, tol):
    from infimum.models.graph import pagerank

    return pagerank(problem[0], page_rank.ALPHA, tol=tol).scores


@cache
def _graph(n, edges):
    import igraph

    pairs = np.frombuffer(edges, dtype=np.int32).reshape(-1, 2)
    return igraph.Graph(n=n, edges=pairs, directed=True)


def igraphs(problem, _):
    """Ask a graph that is made once: the making is not timed."""
    edges = problem[0].tocoo()
    pairs = np.column_stack(edges.coords).astype(np.int32)
    graph, weights = _graph(edges.shape[0], pairs.tobytes()), edges.data.tolist()
    return np.array(graph.pagerank(damping=page_rank.ALPHA, weights=weights))


def judge(problem, answer):
    return np.abs(answer - problem[1]).sum()


TASK = SimpleTask(
    "PageRank, 100,000 vertices, 1,000,000 edges, L1 error 1e-12",
    1e-12,
    problem,
    judge,
    {"infimum": ours, "igraph": igraphs},
    {"infimum": (1e-12,)},
    {"igraph": "igraph"},
)
