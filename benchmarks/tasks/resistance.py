"""The effective resistance of all pairs of vertices."""

import numpy as np
import scipy.sparse as sp

from benchmarks.tasks._simple import SimpleTask


def problem(quick):
    rng = np.random.default_rng(0)
    n = 100 if quick else 2_000
    ring = np.arange(n), np.roll(np.arange(n), 1)
    chords = rng.integers(0, n, (2, 4 * n))
    i, j = np.hstack([ring, chords[:, chords[0] != chords[1]]])
    W = sp.csr_array((rng.random(len(i)) + 0.1, (i, j)), shape=(n, n))
    W = sp.csr_array(W + W.T)
    return W, np.linalg.pinv(sp.csgraph.laplacian(W).toarray(), hermitian=True)


def ours(problem, _):
    from infimum.models.graph import resistance

    return resistance(problem[0]).values


def networkxs(problem, _):
    import networkx as nx

    graph = nx.from_scipy_sparse_array(problem[0])
    found = nx.resistance_distance(graph, weight="weight", invert_weight=False)
    n = problem[0].shape[0]
    return np.array([[found[a][b] for b in range(n)] for a in range(n)])


def judge(problem, answer):
    own = np.diag(problem[1])
    return np.abs(own[:, None] + own[None, :] - 2.0 * problem[1] - answer).max()


TASK = SimpleTask(
    "Resistance of all pairs of 2,000 vertices",
    1e-9,
    problem,
    judge,
    {"infimum": ours, "networkx": networkxs},
    {},
    {"networkx": "networkx"},
)
