"""Logistic regression in one pass over a dense stream, beside the stream learners."""

import numpy as np

from benchmarks.designs import correlated, signs_of
from benchmarks.tasks._streams import StreamTask


class DenseStream(StreamTask):
    """Correlated columns; the labels follow a logistic model."""

    title = "Logistic steps, one pass, dense 100,000 × 100, 2 % of the least error"
    size = (100_000, 100)

    def problem(self, *, quick):
        rng = np.random.default_rng(0)
        n, d = (4_000, 10) if quick else self.size
        X = correlated(n, d, 0.5, rng)
        scores = X @ rng.standard_normal(d)
        return self.made(X, scores, signs_of(scores, rng))


TASK = DenseStream()
