"""Gaussian SVC on a sparse table that looks like text."""

import numpy as np
from scipy import sparse

from benchmarks.tasks._support_vectors import SupportVectorTask, linear_part

__all__ = ["TASK", "SparseSupportVectorTask", "documents"]


def documents(n, d, rng, words=30):
    """Return rows of unit length, about `words` entries each, of two topics.

    Words are drawn by Zipf's law; each topic has every other word, and borrows a
    third of its words from the other.
    """
    ranks = (d // 2) ** rng.random((n, words))
    y = np.where(rng.random(n) < 0.5, 1, -1)
    own = rng.random((n, words)) < 2 / 3
    columns = 2 * (ranks.astype(int) - 1) + np.where(
        own, y[:, None] > 0, y[:, None] < 0
    )
    rows = np.repeat(np.arange(n), words)
    X = sparse.csr_matrix((np.ones(n * words), (rows, columns.ravel())), shape=(n, d))
    X.sum_duplicates()
    lengths = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    return sparse.csr_matrix(sparse.diags(1.0 / lengths) @ X), y


class SparseSupportVectorTask(SupportVectorTask):
    """A Gaussian machine on documents, judged as the dense one."""

    def problem(self, *, quick):
        rng = np.random.default_rng(6)
        n, d = (1_000, 3_000) if quick else self.sizes
        X, y = documents(n, d, rng)
        best = self._ours((X, y, 1.0, None), 1e-5)
        return X, y, 1.0, best.certificate_.primal

    def excess(self, problem, answer):
        X, y, gamma, bound = problem
        coef = answer.dual_coef_
        coef = np.ravel(coef.toarray() if sparse.issparse(coef) else coef)
        rows = X[answer.support_]
        value = linear_part(self.machine, coef, y[answer.support_])
        for start in range(0, len(coef), 1_000):
            some = slice(start, start + 1_000)
            distances = 2.0 - 2.0 * (rows[some] @ rows.T).toarray()
            value -= 0.5 * coef[some] @ (np.exp(-gamma * distances) @ coef)
        return (bound - value) / abs(bound)


TASK = SparseSupportVectorTask(
    "SVC (Gaussian, C = 1), sparse 20,000 × 30,000, excess ≤ 1e-4",
    "SVC",
    (20_000, 30_000),
    C=1.0,
)
