"""t-SNE: a map of 20,000 points in 500 steps."""

import numpy as np

from benchmarks.peers import quietly
from benchmarks.task import Contender, present

STEPS = 500
PERPLEXITY = 30.0


class TSNETask:
    """Judged by the divergence of the map, with all pairs and exact neighbours.

    Everyone takes 250 exaggerated steps and 250 plain ones. `reference` is what
    scikit-learn's trees reach on the full problem; a map may be 1 % worse.
    """

    title = "t-SNE, 20,000 × 50, 500 steps, divergence at most 1 % above scikit-learn's"
    tolerance = 0.01
    reference = 2.924
    quick_reference = 1.0

    def problem(self, *, quick):
        draw = np.random.default_rng(14)
        n = 2_000 if quick else 20_000
        centres = 2.0 * draw.standard_normal((20, 50))
        X = centres[draw.integers(0, 20, n)] + draw.standard_normal((n, 50))
        return X, self.quick_reference if quick else self.reference

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn (Barnes-Hut)", fit_theirs)
        if present("sklearnex"):
            yield Contender("sklearnex", fit_sklearnex)
        if present("openTSNE"):
            yield Contender("openTSNE (FFT, exact neighbours)", fit_open_exact)
            yield Contender("openTSNE (FFT)", fit_open)

    def excess(self, problem, Y):
        X, reference = problem
        return divergence_of(X, np.asarray(Y, dtype=np.float64)) / reference - 1.0


def divergence_of(X, Y):
    """Return the divergence, by scikit-learn's affinities and all pairs of a map."""
    from sklearn.manifold._t_sne import _joint_probabilities_nn
    from sklearn.neighbors import NearestNeighbors

    count = int(3.0 * PERPLEXITY) + 1
    search = NearestNeighbors(n_neighbors=count, algorithm="brute").fit(X)
    graph = search.kneighbors_graph(mode="distance")
    graph.data **= 2
    P = _joint_probabilities_nn(graph, PERPLEXITY, 0).tocoo()
    total = 0.0
    for start in range(0, len(Y), 1000):
        block = Y[start : start + 1000]
        squares = np.sum(block**2, axis=1)[:, None] + np.sum(Y**2, axis=1)
        squares -= 2.0 * block @ Y.T
        total += np.sum(1.0 / (1.0 + np.maximum(squares, 0.0))) - len(block)
    apart = np.sum((Y[P.row] - Y[P.col]) ** 2, axis=1)
    logs = np.log(np.maximum(P.data, np.finfo(float).tiny)) + np.log1p(apart)
    return float(P.data @ logs + P.data.sum() * np.log(total))


def fit_ours(problem, _):
    from infimum.models.embedding import TSNE

    X, _ = problem
    return TSNE(perplexity=PERPLEXITY, max_iter=STEPS, random_state=0).fit_transform(X)


def _fit(TSNE, X):
    model = TSNE(
        perplexity=PERPLEXITY, max_iter=STEPS, random_state=0, init="pca", n_jobs=2
    )
    return model.fit_transform(X)


@quietly
def fit_theirs(problem, _):
    from sklearn.manifold import TSNE

    return _fit(TSNE, problem[0])


@quietly
def fit_sklearnex(problem, _):
    from sklearnex.manifold import TSNE

    return _fit(TSNE, problem[0])


def _fit_open(problem, neighbors):
    from openTSNE import TSNE

    model = TSNE(
        perplexity=PERPLEXITY,
        n_iter=STEPS - 250,
        early_exaggeration_iter=250,
        negative_gradient_method="fft",
        neighbors=neighbors,
        n_jobs=2,
        random_state=0,
    )
    return np.asarray(model.fit(problem[0]))


@quietly
def fit_open_exact(problem, _):
    return _fit_open(problem, "exact")


@quietly
def fit_open(problem, _):
    return _fit_open(problem, "annoy")


TASK = TSNETask()
