"""Designs shared by several tasks."""

import numpy as np
from scipy import sparse

__all__ = ["correlated", "popular_words", "signs_of"]


def correlated(n, d, rho, rng):
    """Return Gaussian features of variance 1, each correlated with the last."""
    X = rng.standard_normal((n, d))
    step = np.sqrt(1.0 - rho**2)
    for j in range(1, d):
        X[:, j] = rho * X[:, j - 1] + step * X[:, j]
    return X


def popular_words(n, d, entries, rng):
    """Return sparse rows of length 1, like texts: few columns are used by most rows."""
    popularity = 1.0 / np.arange(1, d + 1) ** 0.7
    drawn = rng.choice(d, size=(n, entries), p=popularity / popularity.sum())
    columns = rng.permutation(d)[drawn]
    values = np.exp(0.5 * rng.standard_normal((n, entries)))
    starts = np.arange(0, n * entries + 1, entries)
    X = sparse.csr_matrix((values.ravel(), columns.ravel(), starts), shape=(n, d))
    X.sum_duplicates()
    X.sort_indices()
    lengths = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    X.data /= np.repeat(lengths, np.diff(X.indptr))
    return X


def signs_of(scores, rng):
    """Draw labels ±1 whose log-odds are `scores`."""
    chance = 1.0 / (1.0 + np.exp(-scores))
    return np.where(rng.random(len(scores)) < chance, 1, -1)
