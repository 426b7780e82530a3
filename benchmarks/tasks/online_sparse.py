"""Logistic regression in one pass over a sparse stream, beside the stream learners."""

import numpy as np

from benchmarks.designs import popular_words, signs_of
from benchmarks.tasks._streams import StreamTask


class SparseStream(StreamTask):
    """Rows like texts of 60 words, of a vocabulary with rare words."""

    title = "Logistic steps, one pass, sparse 100,000 × 2,000, 60 a row"

    tolerance = 0.05

    def problem(self, *, quick):
        rng = np.random.default_rng(0)
        n, d = (4_000, 50) if quick else (100_000, 2_000)
        X = popular_words(n, d, 20 if quick else 60, rng)
        scores = X @ (8.0 * rng.standard_normal(d))
        return self.made(X, scores, signs_of(scores, rng))


TASK = SparseStream()
