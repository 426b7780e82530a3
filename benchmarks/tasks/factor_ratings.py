"""Alternating least squares on explicit ratings, at equal error on unseen ones."""

import numpy as np
from scipy import sparse

from benchmarks.task import Contender, present

RANK, PENALTY = 10, 4.0


class FactorRatings:
    """Judged by the error on held-out ratings above that of long sweeps of the task."""

    title = "ALS, 5,000 × 2,000, 100,000 ratings, rank 10, equal held-out error"
    tolerance = 0.01

    def problem(self, *, quick):
        rng = np.random.default_rng(0)
        n, m, count = (300, 200, 6_000) if quick else (5_000, 2_000, 100_000)
        U, V = rng.standard_normal((n, 5)), rng.standard_normal((m, 5))
        cells = rng.choice(n * m, count + count // 5, replace=False)
        i, j = np.divmod(cells, m)
        z = np.sum(U[i] * V[j], axis=1) + 0.5 * rng.standard_normal(len(cells))
        seen = sparse.csr_array((z[:count], (i[:count], j[:count])), shape=(n, m))
        held = i[count:], j[count:], z[count:]
        problem = (seen, held)
        return (*problem, missed(problem, fit_ours(problem, 40)))

    def contenders(self):
        yield Contender("infimum", fit_ours, (6, 8, 10, 15, 20, 30, 40))
        if present("cmfrec"):
            yield Contender("cmfrec", fit_cmfrec, (5, 10, 15, 20, 30, 40))

    def excess(self, problem, answer):
        return float(missed(problem, answer) / problem[2] - 1.0)


def missed(problem, answer):
    """Return the root mean squared error on the ratings held out."""
    i, j, z = problem[1]
    U, V = answer
    return float(np.sqrt(np.mean((z - np.sum(U[i] * V[j], axis=1)) ** 2)))


def fit_ours(problem, sweeps):
    from infimum.models.recommend import FactorRecommender

    seen = problem[0]
    model = FactorRecommender(
        RANK,
        strength=PENALTY / seen.nnz,
        biases=False,
        center=False,
        max_iter=sweeps,
        tol=0.0,
    ).fit(seen)
    return model.user_factors_, model.item_factors_


def fit_cmfrec(problem, sweeps):
    import cmfrec

    model = cmfrec.CMF(
        k=RANK,
        lambda_=PENALTY,
        niter=sweeps,
        user_bias=False,
        item_bias=False,
        center=False,
        verbose=False,
        nthreads=2,
    ).fit(sparse.coo_matrix(problem[0]))
    return model.A_, model.B_


TASK = FactorRatings()
