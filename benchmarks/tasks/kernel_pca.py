"""Kernel PCA: ten Gaussian components of 10,000 points."""

from types import SimpleNamespace

import numpy as np

from benchmarks.peers import quietly
from benchmarks.task import Contender, present

COMPONENTS = 10
LADDER = (1e-3, 1e-5, 1e-6, 0.0)


class KernelPCATask:
    """Judged by the residual of the eigenvectors, relative to the largest value."""

    title = "Kernel PCA (Gaussian), 10,000 × 20, 10 components, residual ≤ 1e-6"
    tolerance = 1e-6

    def problem(self, *, quick):
        draw = np.random.default_rng(0)
        n = 1_000 if quick else 10_000
        X = draw.standard_normal((n, 20))
        X += 2.0 * draw.standard_normal((8, 20))[draw.integers(0, 8, n)]
        return X, 0.02

    def contenders(self):
        yield Contender("infimum", fit_ours, LADDER)
        if present("sklearn"):
            yield Contender("scikit-learn (arpack)", fit_arpack, LADDER)
            yield Contender("scikit-learn (randomized)", fit_randomized, (4, 8, 16))

    def excess(self, problem, answer):
        X, gamma = problem
        squares = np.einsum("ij,ij->i", X, X)
        K = np.exp(-gamma * (squares[:, None] + squares - 2.0 * X @ X.T))
        vectors = answer.vectors
        centred = vectors - vectors.mean(axis=0)
        moved = K @ centred
        moved -= moved.mean(axis=0)
        apart = np.linalg.norm(moved - vectors * answer.values, axis=0)
        return float(apart.max() / answer.values.max())


def fit_ours(problem, tol):
    from infimum.models.embedding import KernelPCA

    X, gamma = problem
    model = KernelPCA(COMPONENTS, kernel="rbf", gamma=gamma, tol=tol, random_state=0)
    model.fit(X)
    return SimpleNamespace(values=model.eigenvalues_, vectors=model.eigenvectors_)


def _fit_theirs(problem, **settings):
    from sklearn.decomposition import KernelPCA

    X, gamma = problem
    model = KernelPCA(
        COMPONENTS, kernel="rbf", gamma=gamma, random_state=0, **settings
    ).fit(X)
    return SimpleNamespace(values=model.eigenvalues_, vectors=model.eigenvectors_)


@quietly
def fit_arpack(problem, tol):
    return _fit_theirs(problem, eigen_solver="arpack", tol=tol)


@quietly
def fit_randomized(problem, power):
    return _fit_theirs(problem, eigen_solver="randomized", iterated_power=power)


TASK = KernelPCATask()
