"""Isomap: 5,000 points of a curved sheet in 20 dimensions, flattened."""

from types import SimpleNamespace

import numpy as np

from benchmarks.peers import quietly
from benchmarks.task import Contender, present

NEIGHBORS = 10


class IsomapTask:
    """Judged by the residual of the points as eigenvectors of the centred paths."""

    title = "Isomap, 5,000 × 20, 10 neighbours, 2 components, residual ≤ 1e-6"
    tolerance = 1e-6

    def problem(self, *, quick):
        draw = np.random.default_rng(0)
        n = 600 if quick else 5_000
        angle = 1.5 * np.pi * (1 + 2 * draw.uniform(size=n))
        roll = np.column_stack(
            (angle * np.cos(angle), 21 * draw.uniform(size=n), angle * np.sin(angle))
        )
        turn = np.linalg.qr(draw.standard_normal((20, 20)))[0][:3]
        X = roll @ turn + 0.05 * draw.standard_normal((n, 20))
        return X, geodesics(X)

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_theirs, ("auto",))
            yield Contender("scikit-learn (dense, Dijkstra)", fit_theirs, ("dense",))

    def excess(self, problem, answer):
        _, squares = problem
        points = answer.points
        centred = points - points.mean(axis=0)
        moved = -0.5 * (squares @ centred)
        moved -= moved.mean(axis=0)
        values = np.sum(points * moved, axis=0) / np.sum(points**2, axis=0)
        apart = np.linalg.norm(moved - points * values, axis=0)
        return float((apart / np.linalg.norm(points, axis=0)).max() / values.max())


def geodesics(X):
    from scipy.sparse.csgraph import connected_components, shortest_path
    from sklearn.neighbors import kneighbors_graph

    links = kneighbors_graph(X, NEIGHBORS, mode="distance")
    if connected_components(links)[0] > 1:
        raise RuntimeError("the sheet fell apart: contenders would join it differently")
    return shortest_path(links, method="D", directed=False) ** 2


def fit_ours(problem, _):
    from infimum.models.embedding import Isomap

    model = Isomap(n_neighbors=NEIGHBORS).fit(problem[0])
    return SimpleNamespace(points=model.embedding_)


@quietly
def fit_theirs(problem, solver):
    from sklearn.manifold import Isomap

    model = Isomap(
        n_neighbors=NEIGHBORS,
        eigen_solver=solver,
        path_method="D" if solver == "dense" else "auto",
        n_jobs=-1,
    )
    return SimpleNamespace(points=model.fit(problem[0]).embedding_)


TASK = IsomapTask()
