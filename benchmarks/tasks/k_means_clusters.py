"""k-means to convergence on data with clusters."""

import numpy as np

from benchmarks.tasks._k_means import KMeansTask, train_faiss


class ClustersTask(KMeansTask):
    """As many blobs as centres, which begin at random samples.

    All contenders return labels and are judged by them: one in three hundred may differ
    from that of plain Lloyd at its end. That is room for faiss, which rounds to float32
    and ends beside it, with 600 other labels of 200,000 and an objective 1e-5 above;
    all others have the same labels. It has no rule to stop by, and gets the fewest
    iterations that lead there; after ten, 3,500 labels are others.
    """

    title = "k-means on clusters, 200,000 × 50, k = 100, to convergence, same labels"
    iterations = 300
    stop = 1e-4
    tolerance = 1 / 300
    faiss_iterations = (10, 20, 30, 35, 40, 60, 100, 300)

    def data(self, quick):
        draw = np.random.default_rng(0)
        n, k = (4_000, 20) if quick else (200_000, 100)
        centres = draw.standard_normal((k, 50))
        return centres[draw.integers(0, k, n)] + 0.6 * draw.standard_normal((n, 50)), k

    def fit_faiss(self, problem, iterations):
        """Return the labels after so many iterations."""
        model, rows = train_faiss(problem, iterations)
        return model.assign(rows)[1]


TASK = ClustersTask()
