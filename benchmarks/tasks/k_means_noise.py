"""k-means on data without clusters, where no bound can skip a sample."""

import numpy as np

from benchmarks.tasks._k_means import KMeansTask


class NoiseTask(KMeansTask):
    """Twenty iterations from one start; float64 throughout."""

    title = "k-means on noise, 200,000 × 50, k = 100, 20 iterations, same labels"

    def data(self, quick):
        n, k = (4_000, 20) if quick else (200_000, 100)
        return np.random.default_rng(0).standard_normal((n, 50)), k


TASK = NoiseTask()
