"""Linear support vector machine with the hinge loss on a wide sparse table."""

import numpy as np

from benchmarks.designs import popular_words, signs_of
from benchmarks.tasks.linear_svc import HingeSVM


def sparse(quick):
    rng = np.random.default_rng(2)
    n, d, entries = (5_000, 2_000, 20) if quick else (100_000, 50_000, 50)
    X = popular_words(n, d, entries, rng)
    w = rng.standard_normal(d) * (rng.random(d) < 0.2) * 8
    return X, signs_of(X @ w, rng)


TASK = HingeSVM(1.0, "CSR 100,000 × 50,000, 0.1 % filled", sparse)
