"""k-means to convergence on data with clusters."""

import numpy as np

from benchmarks.tasks._k_means import KMeansTask


class ClustersTask(KMeansTask):
    """As many blobs as centres, which begin at random samples."""

    title = "k-means on clusters, 200,000 × 50, k = 100, to convergence, same labels"
    iterations = 300
    stop = 1e-4
    faiss_iterations = (10, 20, 40, 80, 160, 300)

    def data(self, quick):
        draw = np.random.default_rng(0)
        n, k = (4_000, 20) if quick else (200_000, 100)
        centres = draw.standard_normal((k, 50))
        return centres[draw.integers(0, k, n)] + 0.6 * draw.standard_normal((n, 50)), k


TASK = ClustersTask()
