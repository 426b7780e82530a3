"""DBSCAN in three dimensions, with labels that must be the same.

Run as a module with the name of a contender, ``python -m benchmarks.tasks.dbscan
infimum``, it prints the memory that a fit takes beyond the data, in megabytes.
"""

import numpy as np

from benchmarks.task import Contender, present

EPS, ENOUGH = 0.02, 10


class DBSCANTask:
    """Judged by the labels, which must be scikit-learn's."""

    title = "DBSCAN, 500,000 × 3"
    tolerance = 0.0

    def problem(self, *, quick):
        from sklearn.cluster import DBSCAN

        X = blobs(20_000 if quick else 500_000)
        return X, DBSCAN(eps=EPS, min_samples=ENOUGH).fit(X).labels_

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_theirs)

    def excess(self, problem, labels):
        """Return the share of labels that differ."""
        return float(np.mean(labels != problem[1]))


def blobs(n):
    draw = np.random.default_rng(0)
    centres = draw.random((200, 3))
    X = centres[draw.integers(0, 200, n)] + 0.02 * draw.normal(size=(n, 3))
    X[: n // 10] = 1.2 * draw.random((n // 10, 3)) - 0.1
    return X


def fit_ours(problem, _):
    from infimum.models.clustering import DBSCAN

    return DBSCAN(EPS, min_samples=ENOUGH).fit(problem[0]).labels_


def fit_theirs(problem, _):
    from sklearn.cluster import DBSCAN

    return DBSCAN(EPS, min_samples=ENOUGH, n_jobs=-1).fit(problem[0]).labels_


def memory(fit):
    """Return by how many megabytes a fit raises the peak of this process."""
    import resource

    fit((blobs(2_000), None), None)
    problem = (blobs(500_000), None)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    fit(problem, None)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


TASK = DBSCANTask()

if __name__ == "__main__":
    import sys

    print(round(memory(fit_ours if sys.argv[1:] == ["infimum"] else fit_theirs)))
