"""The two lasso problems, dense and sparse, and the gap that judges their answers."""

import numpy as np

from benchmarks.designs import correlated, popular_words

__all__ = ["dense", "relative_gap", "sparse"]


def dense(quick):
    """Return a wide correlated table with few true coefficients, columns first."""
    rng = np.random.default_rng(0)
    n, d = (200, 1_000) if quick else (1_000, 20_000)
    X = np.asfortranarray(correlated(n, d, 0.5, rng))
    X -= X.mean(axis=0)
    w = np.zeros(d)
    w[rng.choice(d, d // 200, replace=False)] = rng.standard_normal(d // 200)
    return X, _noisy(X @ w, 3.0, rng)


def sparse(quick):
    """Return a table like texts, in CSC, with few true coefficients."""
    rng = np.random.default_rng(4)
    n, d, entries = (500, 2_000, 20) if quick else (10_000, 100_000, 100)
    X = popular_words(n, d, entries, rng).tocsc()
    w = np.zeros(d)
    w[rng.choice(d, d // 200, replace=False)] = rng.standard_normal(d // 200) * 10
    popular = np.argsort(-np.diff(X.indptr))[: 3 * d // 1_000]
    w[popular] += rng.standard_normal(len(popular)) * 3
    return X, _noisy(X @ w, 2.0, rng)


def _noisy(signal, ratio, rng):
    y = signal + rng.standard_normal(len(signal)) * signal.std() / ratio
    return y - y.mean()


def relative_gap(X, y, alpha, w):
    """Return the duality gap as a share of the objective at zero."""
    n, used = len(y), np.flatnonzero(w)
    residual = y - X[:, used] @ w[used]
    scale = min(1.0, alpha * n / max(np.abs(X.T @ residual).max(), 1e-300))
    primal = residual @ residual / (2 * n) + alpha * np.abs(w).sum()
    dual = (scale * residual @ y - scale**2 * residual @ residual / 2) / n
    return (primal - dual) / (y @ y / (2 * n))
