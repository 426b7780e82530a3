"""Metric scaling by majorisation: 2,000 points, 100 steps from the same start."""

import numpy as np

from benchmarks.peers import quietly
from benchmarks.task import Contender, present

STEPS = 100


class SmacofTask:
    """Judged by the stress, against that of the same steps in plain NumPy."""

    title = "Metric MDS (SMACOF), 2,000 points, 100 steps, same start, equal stress"
    tolerance = 1e-6

    def problem(self, *, quick):
        draw = np.random.default_rng(0)
        n = 300 if quick else 2_000
        X = draw.standard_normal((n, 20))
        squares = np.einsum("ij,ij->i", X, X)
        D = np.sqrt(np.maximum(squares[:, None] + squares - 2.0 * X @ X.T, 0.0))
        D = (D + D.T) / 2.0
        np.fill_diagonal(D, 0.0)
        start = draw.uniform(size=(n, 2))
        return D, start, stress(D, plain_steps(D, start))

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_theirs)

    def excess(self, problem, answer):
        D, _, reference = problem
        return stress(D, answer) / reference - 1.0


def distances(Z):
    squares = np.einsum("ij,ij->i", Z, Z)
    return np.sqrt(np.maximum(squares[:, None] + squares - 2.0 * Z @ Z.T, 0.0))


def stress(D, Z):
    return float(np.sum((distances(Z) - D) ** 2) / 2.0)


def plain_steps(D, Z):
    for _ in range(STEPS):
        far = distances(Z)
        ratio = np.divide(D, far, out=np.zeros_like(D), where=far > 0)
        Z = (ratio.sum(axis=1)[:, None] * Z - ratio @ Z) / len(Z)
    return Z


def fit_ours(problem, _):
    from infimum.models.embedding import MDS

    D, start, _ = problem
    model = MDS(2, metric="precomputed", max_iter=STEPS, eps=0.0)
    return model.fit_transform(D, init=start)


@quietly
def fit_theirs(problem, _):
    from sklearn.manifold import MDS

    D, start, _ = problem
    model = MDS(
        2, metric="precomputed", init="random", n_init=1, max_iter=STEPS, eps=0.0
    )
    return model.fit_transform(D, init=start)


TASK = SmacofTask()
