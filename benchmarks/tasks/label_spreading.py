"""Label spreading over a graph of neighbours, from few labels."""

import numpy as np

from benchmarks.task import Contender, present


class Spreading:
    """The same classes as scikit-learn's, judged by the share that differs."""

    title = "Label spreading, 50,000 × 20, 7 neighbours, 10 classes, 500 labels"
    tolerance = 1e-4

    def problem(self, *, quick):
        from sklearn.datasets import make_blobs
        from sklearn.semi_supervised import LabelSpreading

        n = 2_000 if quick else 50_000
        X, y = make_blobs(n, 20, centers=10, cluster_std=4.0, random_state=0)
        y = np.where(np.arange(n) < 500, y, -1)
        theirs = LabelSpreading(kernel="knn", n_neighbors=7).fit(X, y)
        return X, y, theirs.transduction_

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_sklearn)

    def excess(self, problem, answer):
        return float(np.mean(answer != problem[2]))


def fit_ours(problem, _):
    from infimum.dropin.semi_supervised import LabelSpreading

    return LabelSpreading(kernel="knn", n_neighbors=7).fit(*problem[:2]).transduction_


def fit_sklearn(problem, _):
    from sklearn.semi_supervised import LabelSpreading

    return LabelSpreading(kernel="knn", n_neighbors=7).fit(*problem[:2]).transduction_


TASK = Spreading()
