"""Gradient boosting of a tall table, judged by its ROC area on rows not seen."""

import numpy as np

from benchmarks.peers import quietly
from benchmarks.task import Contender, present

ROUNDS, LEAVES, RATE = 100, 31, 0.1


class BoostingTask:
    """All libraries make 100 trees of 31 leaves; seeds move the area by about 0.002."""

    title = "Gradient boosting, 500,000 × 28, 100 trees of 31 leaves, equal ROC area"
    tolerance = 2e-3

    def problem(self, *, quick):
        from sklearn.datasets import make_classification

        n, unseen = (20_000, 10_000) if quick else (500_000, 50_000)
        X, y = make_classification(
            n + unseen, 28, n_informative=16, n_redundant=2, n_clusters_per_class=8,
            flip_y=0.05, class_sep=0.8, random_state=11,
        )  # fmt: skip
        X, y, fresh, truth = X[:n].copy(), y[:n], X[n:].copy(), y[n:]
        return X, y, fresh, truth, []

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_theirs)
        if present("lightgbm"):
            yield Contender("LightGBM", fit_lightgbm)
            yield Contender("LightGBM (quantised)", fit_quantised)
        if present("xgboost"):
            yield Contender("XGBoost", fit_xgboost)

    def excess(self, problem, model):
        """Return how far the area lies below scikit-learn's, which is fitted once."""
        from sklearn.metrics import roc_auc_score

        _, _, fresh, truth, known = problem
        if not known:
            reference = fit_theirs(problem, None)
            known.append(roc_auc_score(truth, reference.predict_proba(fresh)[:, 1]))
        return known[0] - roc_auc_score(truth, model.predict_proba(fresh)[:, 1])


def fit_ours(problem, _):
    from infimum.models.ensembles import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=ROUNDS, max_leaf_nodes=LEAVES, learning_rate=RATE,
        early_stopping=False, random_state=0,
    ).fit(problem[0], problem[1])  # fmt: skip


@quietly
def fit_theirs(problem, _):
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=ROUNDS, max_leaf_nodes=LEAVES, learning_rate=RATE,
        early_stopping=False, random_state=0,
    ).fit(problem[0], problem[1])  # fmt: skip


@quietly
def fit_lightgbm(problem, _):
    return lightgbm(problem)


@quietly
def fit_quantised(problem, _):
    return lightgbm(problem, use_quantized_grad=True)


def lightgbm(problem, **more):
    from lightgbm import LGBMClassifier

    return LGBMClassifier(
        n_estimators=ROUNDS, num_leaves=LEAVES, learning_rate=RATE, verbose=-1,
        n_jobs=2, **more,
    ).fit(problem[0], problem[1])  # fmt: skip


@quietly
def fit_xgboost(problem, _):
    from xgboost import XGBClassifier

    return XGBClassifier(
        n_estimators=ROUNDS, max_leaves=LEAVES, max_depth=0, grow_policy="lossguide",
        tree_method="hist", learning_rate=RATE, max_bin=255, n_jobs=2,
    ).fit(problem[0], problem[1].astype(np.int64))  # fmt: skip


TASK = BoostingTask()
