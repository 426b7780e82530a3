"""A random forest of full trees, judged by its accuracy on rows not seen."""

import numpy as np

from benchmarks.peers import quietly
from benchmarks.task import Contender, present

TREES = 100


class RandomForestTask:
    """Trees are grown to the end; seeds move the accuracy by about 0.002."""

    title = "Random forest, 100,000 × 20, 100 full trees, equal accuracy"
    tolerance = 5e-3

    def problem(self, *, quick):
        from sklearn.datasets import make_classification

        n, unseen = (4_000, 4_000) if quick else (100_000, 20_000)
        X, y = make_classification(
            n + unseen, 20, n_informative=10, n_redundant=2, n_clusters_per_class=8,
            flip_y=0.05, class_sep=0.8, random_state=10,
        )  # fmt: skip
        return X[:n].copy(), y[:n], X[n:].copy(), y[n:], []

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_theirs)
        if present("sklearnex"):
            yield Contender("sklearnex", fit_sklearnex)
        if present("lightgbm"):
            yield Contender("LightGBM (rf)", fit_lightgbm)
        if present("xgboost"):
            yield Contender("XGBoost (rf)", fit_xgboost)

    def excess(self, problem, model):
        """Return how far the accuracy lies below scikit-learn's, fitted once."""
        _, _, fresh, truth, known = problem
        if not known:
            known.append(np.mean(fit_theirs(problem, None).predict(fresh) == truth))
        return float(known[0] - np.mean(model.predict(fresh) == truth))


def fit_ours(problem, _):
    from infimum.models.ensembles import RandomForestClassifier

    return RandomForestClassifier(TREES, random_state=0).fit(*problem[:2])


@quietly
def fit_theirs(problem, _):
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(TREES, n_jobs=-1, random_state=0).fit(*problem[:2])


@quietly
def fit_sklearnex(problem, _):
    from sklearnex.ensemble import RandomForestClassifier

    return RandomForestClassifier(TREES, n_jobs=-1, random_state=0).fit(*problem[:2])


@quietly
def fit_lightgbm(problem, _):
    from lightgbm import LGBMClassifier

    return LGBMClassifier(
        boosting_type="rf", n_estimators=TREES, num_leaves=8192, min_child_samples=1,
        min_child_weight=0.0, bagging_freq=1, bagging_fraction=0.632,
        feature_fraction_bynode=0.2, random_state=0, verbose=-1,
    ).fit(*problem[:2])  # fmt: skip


@quietly
def fit_xgboost(problem, _):
    from xgboost import XGBRFClassifier

    return XGBRFClassifier(
        n_estimators=TREES, max_depth=16, subsample=0.632, colsample_bynode=0.2,
        min_child_weight=0.0, reg_lambda=0.0, random_state=0,
    ).fit(*problem[:2])  # fmt: skip


TASK = RandomForestTask()
