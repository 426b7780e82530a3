"""Settings of the estimators that cannot be made, or run on small data, without."""

import numpy as np
from sklearn.utils import get_tags

from infimum.models.linear import LogisticRegression, Ridge
from infimum.models.neural import Dense
from infimum.models.probabilistic import GaussianNB

#: Members of committees, which have no default.
CLASSIFIERS = [("bayes", GaussianNB()), ("line", LogisticRegression(tol=1e-9))]
REGRESSORS = [("soft", Ridge()), ("hard", Ridge(alpha=9.0))]
NEEDED = {
    "CCA": {"n_components": 1},
    "PLSCanonical": {"n_components": 1},
    "PLSSVD": {"n_components": 1},
    "FastICA": {"tol": 1e-2},
    "GaussianRandomProjection": {"n_components": 2},
    "LocalOutlierFactor": {"n_neighbors": 3, "novelty": True},
    "MiniBatchNMF": {"fresh_restarts": True, "tol": 1e-2},
    "MLPClassifier": {"tol": 1e-2},
    "MLPRegressor": {"tol": 1e-2},
    "NetworkClassifier": {"layers": (Dense(9, "tanh"),), "tol": 1e-2},
    "NetworkRegressor": {"layers": (Dense(9, "tanh"),), "tol": 1e-2},
    "OneVsOneClassifier": {"estimator": LogisticRegression()},
    "OneVsRestClassifier": {"estimator": LogisticRegression()},
    "QuadraticDiscriminantAnalysis": {"reg_param": 0.5},
    "SignRandomProjection": {"n_components": 2},
    "SparseRandomProjection": {"n_components": 2},
    "SpectralBiclustering": {"n_clusters": 2, "n_best": 1},
    "SparseCoder": {"dictionary": np.eye(2)},
    "SelfTrainingClassifier": {"estimator": LogisticRegression()},
    "StackingClassifier": {"estimators": CLASSIFIERS},
    "StackingRegressor": {"estimators": REGRESSORS},
    "SubspaceRandomProjection": {"n_components": 1},
    "VotingClassifier": {"estimators": CLASSIFIERS},
    "VotingRegressor": {"estimators": REGRESSORS},
}


def reads_tables(kind):
    """Tell whether the samples of an estimator are rows, not whole sequences.

    And of any length: the dictionary of a coder says how many features there are.
    """
    if kind.__name__ == "SparseCoder":
        return False
    made = kind(**NEEDED.get(kind.__name__, {}))
    return get_tags(made).input_tags.two_d_array
