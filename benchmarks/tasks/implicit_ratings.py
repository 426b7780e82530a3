"""Implicit feedback by alternating least squares, at an equal objective."""

import numpy as np
from scipy import sparse

from benchmarks.task import Contender, present

RANK, PENALTY, ALPHA = 10, 4.0, 4.0


class ImplicitRatings:
    """Judged by Σ over all cells of c(p - xy)² + λ(‖X‖² + ‖Y‖²), above long sweeps."""

    title = "Implicit ALS, 5,000 × 2,000, 100,000 entries, rank 10, equal objective"
    tolerance = 2e-3

    def problem(self, *, quick):
        rng = np.random.default_rng(0)
        n, m, count = (300, 200, 6_000) if quick else (5_000, 2_000, 100_000)
        U, V = rng.gamma(0.5, 1.0, (n, 5)), rng.gamma(0.5, 1.0, (m, 5))
        rate = U @ V.T
        cells = rng.choice(n * m, count, replace=False, p=rate.ravel() / rate.sum())
        i, j = np.divmod(cells, m)
        counts = 1.0 + rng.poisson(rate[i, j])
        seen = sparse.csr_array((counts, (i, j)), shape=(n, m))
        return seen, objective(seen, fit_ours((seen,), 60))

    def contenders(self):
        yield Contender("infimum", fit_ours, (4, 6, 8, 10, 15, 20, 30, 40))
        if present("implicit"):
            yield Contender("implicit", fit_implicit, (5, 10, 15, 20, 30, 40, 60))

    def excess(self, problem, answer):
        return float(objective(problem[0], answer) / problem[1] - 1.0)


def objective(seen, answer):
    """Return the objective of factors, over all cells."""
    U, V = (np.asarray(part, dtype=float) for part in answer)
    i = np.repeat(np.arange(seen.shape[0]), np.diff(seen.indptr))
    said = np.sum(U[i] * V[seen.indices], axis=1)
    lost = np.sum((1.0 + ALPHA * seen.data) * (1.0 - said) ** 2 - said**2)
    unseen = np.sum((U.T @ U) * (V.T @ V))
    return float(lost + unseen + PENALTY * (np.sum(U**2) + np.sum(V**2)))


def fit_ours(problem, sweeps):
    from infimum.models.recommend import FactorRecommender

    model = FactorRecommender(
        RANK,
        strength=PENALTY / problem[0].nnz,
        implicit=True,
        alpha=ALPHA,
        max_iter=sweeps,
        tol=0.0,
    ).fit(problem[0])
    return model.user_factors_, model.item_factors_


def fit_implicit(problem, sweeps):
    from implicit.als import AlternatingLeastSquares

    seen = sparse.csr_matrix(problem[0])
    seen.data = 1.0 + ALPHA * seen.data
    model = AlternatingLeastSquares(
        factors=RANK,
        regularization=PENALTY,
        alpha=1.0,
        iterations=sweeps,
        num_threads=2,
        random_state=0,
    )
    model.fit(seen, show_progress=False)
    return model.user_factors, model.item_factors


TASK = ImplicitRatings()
