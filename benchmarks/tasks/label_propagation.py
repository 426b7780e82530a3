"""Label propagation over all pairs of samples, with Gaussian weights."""

import numpy as np

from benchmarks.task import Contender, present


class Propagation:
    """The same labels as scikit-learn's, judged by the largest difference of a share.

    Scikit-learn keeps all weights: 3.2 GB.
    """

    title = "Label propagation, rbf, 20,000 × 20, 10 classes, 200 labels"
    tolerance = 1e-6

    def problem(self, *, quick):
        from sklearn.datasets import make_blobs
        from sklearn.preprocessing import StandardScaler

        n = 2_000 if quick else 20_000
        X, y = make_blobs(n, 20, centers=10, cluster_std=4.0, random_state=0)
        y = np.where(np.arange(n) < n // 100, y, -1)
        X = StandardScaler().fit_transform(X)
        return X, y, fit_sklearn((X, y), None)

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_sklearn)

    def excess(self, problem, answer):
        return float(np.abs(answer - problem[2]).max())


def fit_ours(problem, _):
    from infimum.dropin.semi_supervised import LabelPropagation

    return LabelPropagation().fit(*problem[:2]).label_distributions_


def fit_sklearn(problem, _):
    from sklearn.semi_supervised import LabelPropagation

    return LabelPropagation().fit(*problem[:2]).label_distributions_


TASK = Propagation()
