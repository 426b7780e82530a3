"""Linear discriminant analysis of a tall dense table of ten classes."""

import numpy as np

from benchmarks.task import Contender, present


class Discriminants:
    """The same rule as scikit-learn's, judged by the largest difference of scores."""

    title = "Linear discriminant analysis, 100,000 × 100, 10 classes"
    tolerance = 1e-6

    def problem(self, *, quick):
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

        rng = np.random.default_rng(0)
        n, d = (3_000, 20) if quick else (100_000, 100)
        y = rng.integers(0, 10, n)
        mixed = rng.standard_normal((n, d)) @ rng.standard_normal((d, d))
        X = mixed + rng.standard_normal((10, d))[y]
        return X, y, LinearDiscriminantAnalysis().fit(X, y).decision_function(X[:1000])

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_sklearn)
            yield Contender("scikit-learn (lsqr)", fit_lsqr)

    def excess(self, problem, answer):
        X, _, wanted = problem
        apart = answer.decision_function(X[:1000]) - wanted
        return np.ptp(apart, axis=1).max() / np.abs(wanted).max()


def fit_ours(problem, _):
    from infimum.dropin.discriminant_analysis import LinearDiscriminantAnalysis

    return LinearDiscriminantAnalysis().fit(*problem[:2])


def fit_sklearn(problem, _):
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return LinearDiscriminantAnalysis().fit(*problem[:2])


def fit_lsqr(problem, _):
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return LinearDiscriminantAnalysis(solver="lsqr").fit(*problem[:2])


TASK = Discriminants()
