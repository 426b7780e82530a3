"""Settings of the estimators in which their fitted state has other attributes."""

from __future__ import annotations

from typing import Any

from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from infimum import kernels
from infimum.models.linear import LogisticRegression, Ridge
from infimum.models.neighbors import KNeighborsClassifier
from infimum.models.probabilistic import GaussianNB

__all__ = ["NEEDED", "SETTINGS"]

CLASSIFIERS = [("bayes", GaussianNB()), ("line", LogisticRegression())]
REGRESSORS = [("soft", Ridge()), ("hard", Ridge(alpha=9.0))]
TEXTS: dict[str, Any] = {"_table": "texts"}
SPARSE: dict[str, Any] = {"_table": "sparse"}
SINGLE: dict[str, Any] = {"_table": "float32"}
GIVEN: dict[str, Any] = {"metric": "precomputed", "_table": "square"}
SEVERAL: dict[str, Any] = {"_table": "several"}

#: What classes cannot be made, or are slow, without.
NEEDED: dict[str, dict[str, Any]] = {
    "GaussianRandomProjection": {"n_components": 2},
    "LocalOutlierFactor": {"n_neighbors": 3, "novelty": True},
    "OneVsOneClassifier": {"estimator": LogisticRegression()},
    "OneVsRestClassifier": {"estimator": LogisticRegression()},
    "SelfTrainingClassifier": {"estimator": LogisticRegression()},
    "SignRandomProjection": {"n_components": 2},
    "SparseCoder": {"dictionary": [[1.0, 0.0, 0.0], [0.6, 0.8, 0.0]]},
    "SparseRandomProjection": {"n_components": 2},
    "SpectralBiclustering": {"n_clusters": 2},
    "StackingClassifier": {"estimators": CLASSIFIERS, "cv": 2},
    "StackingRegressor": {"estimators": REGRESSORS, "cv": 2},
    "SubspaceRandomProjection": {"n_components": 1},
    "VotingClassifier": {"estimators": CLASSIFIERS},
    "VotingRegressor": {"estimators": REGRESSORS},
    "ConformalClassifier": {"estimator": LogisticRegression()},
    "ConformalRegressor": {"estimator": Ridge()},
    "CrossConformalRegressor": {"estimator": Ridge()},
    "BagOfWords": TEXTS,
    "SubstringCounts": TEXTS,
    "HashedText": {**TEXTS, "n_features": 16},
    "WebPageFeatures": TEXTS,
    "BasisPursuit": {"_table": "wide"},
    "IsotonicRegression": {"_table": "one"},
    "SigmoidCalibration": {"_table": "one"},
    "CCA": SEVERAL,
    "PLSCanonical": SEVERAL,
    "PLSSVD": SEVERAL,
    "BasketCounts": {"_table": "baskets"},
    "MotifCounts": TEXTS,
    "ImageVectors": {"_table": "images"},
    "TSNE": {"perplexity": 3.0},
    "SNE": {"perplexity": 3.0},
    "Isomap": {"n_neighbors": 4},
    "LocallyLinearEmbedding": {"n_neighbors": 4},
    "ElasticNetCV": {"alphas": 4, "cv": 2},
    "LassoCV": {"alphas": 4, "cv": 2},
    "MultiTaskElasticNetCV": {"alphas": 4, "cv": 2},
    "MultiTaskLassoCV": {"alphas": 4, "cv": 2},
    "LogisticRegressionCV": {"Cs": 2, "cv": 2},
    "RBFSampler": {"n_components": 4},
    "SkewedChi2Sampler": {"n_components": 4, "skewedness": 9.0},
    "PolynomialCountSketch": {"n_components": 4},
}
COVARIANCES = [
    {"n_components": 2, "covariance_type": c}
    for c in ("full", "tied", "diag", "spherical")
]
KERNELS = [
    {"kernel": "linear"},
    {"kernel": "poly"},
    {"kernel": kernels.Laplacian()},
    SPARSE,
    {"kernel": "precomputed", "_table": "gram"},
]

#: Further settings.
SETTINGS: dict[str, list[dict[str, Any]]] = {
    "NearestNeighbors": [
        *({"algorithm": a} for a in ("brute", "kd_tree", "ball_tree")),
        *({"metric": m} for m in ("manhattan", "cosine", "mahalanobis")),
        *(SPARSE, SINGLE, GIVEN, {"p": 3}, {"metric": "minkowski", "p": 1.5}),
    ],
    "KNeighborsClassifier": [SPARSE, SINGLE, GIVEN, SEVERAL, {"weights": "distance"}],
    "KNeighborsRegressor": [SPARSE, SEVERAL, {"weights": "distance"}],
    "RadiusNeighborsClassifier": [{"radius": 9.0, "outlier_label": "no"}, SEVERAL],
    "LocalOutlierFactor": [SPARSE],
    "ApproximateNeighbors": [{"method": "trees"}, {"method": "forest"}, SINGLE],
    "ParzenWindowClassifier": [{"width": "local"}, {"window": "epanechnikov"}],
    "DecisionTreeClassifier": [SEVERAL, SPARSE, {"max_depth": 1}],
    "DecisionTreeRegressor": [SEVERAL, {"max_depth": 2}],
    "RandomForestClassifier": [SEVERAL, {"oob_score": True, "n_estimators": 20}],
    "RandomForestRegressor": [SEVERAL, {"oob_score": True, "n_estimators": 20}],
    "HistGradientBoostingClassifier": [
        {"categorical_features": [0], "_table": "levels", "min_samples_leaf": 1},
        {"min_samples_leaf": 1},
    ],
    "HistGradientBoostingRegressor": [
        {"categorical_features": [0], "_table": "levels", "min_samples_leaf": 1},
        {"min_samples_leaf": 1},
    ],
    "GradientBoostingClassifier": [{"init": LogisticRegression()}, {"subsample": 0.5}],
    "GradientBoostingRegressor": [{"init": Ridge()}, {"loss": "huber"}],
    "AdaBoostClassifier": [{"estimator": LogisticRegression()}, {"algorithm": "real"}],
    "BaggingClassifier": [
        {"max_features": 0.5},
        {"estimator": KNeighborsClassifier(2)},
        {"bootstrap": False},
    ],
    "ComparisonForestClassifier": [GIVEN],
    "VotingClassifier": [{"voting": "soft"}],
    "StackingRegressor": [{"passthrough": True}],
    "GaussianMixture": COVARIANCES,
    "BayesianGaussianMixture": COVARIANCES,
    "HDBSCAN": [{"min_cluster_size": 2}, {**GIVEN, "min_cluster_size": 2}],
    "DBSCAN": [{"eps": 2.0, "min_samples": 2}, {**GIVEN, "eps": 2.0, "min_samples": 2}],
    "OPTICS": [{"min_samples": 2}, {"cluster_method": "dbscan", "eps": 1.0}],
    "KMeans": [
        {"n_clusters": 2},
        {"n_clusters": 3, **SPARSE},
        {"n_clusters": 2, **SINGLE},
    ],
    "MiniBatchKMeans": [{"n_clusters": 2}],
    "Birch": [{"n_clusters": 2}, {"n_clusters": None, "threshold": 0.1}],
    "SpectralClustering": [
        {"n_clusters": 2},
        {"n_clusters": 2, "affinity": "nearest_neighbors", "n_neighbors": 4},
    ],
    "AgglomerativeClustering": [
        {"linkage": "single"},
        {"metric": "precomputed", "linkage": "average", "_table": "square"},
    ],
    "KernelDensity": [{"kernel": k} for k in ("tophat", "epanechnikov", "linear")]
    + [{"bandwidth": "scott"}],
    "PCA": [{"n_components": 1}, {"whiten": True}, SPARSE],
    "KernelPCA": [{"n_components": 2, "fit_inverse_transform": True}, *KERNELS],
    "Isomap": [{"n_neighbors": 4, "n_landmarks": 5}],
    "SpectralEmbedding": [{"affinity": "rbf"}],
    "TSNE": [{"method": "exact"}, {"init": "random"}],
    "SVC": [*KERNELS, {"probability": True}],
    "SVR": KERNELS,
    "NuSVC": KERNELS[:2],
    "OneClassSVM": KERNELS,
    "KernelRidge": KERNELS,
    "KernelRegressor": KERNELS,
    "KernelLogisticRegression": KERNELS,
    "GaussianProcessRegressor": [
        {"kernel": ConstantKernel() * RBF() + WhiteKernel()},
        {"normalize_y": True},
        SEVERAL,
    ],
    "GaussianProcessClassifier": [{"kernel": kernels.Gaussian(2.0)}],
    "RiskMinimizer": [
        {"loss": "logistic"},
        {"loss": "huber", "penalty": "lasso"},
        {"kernel": "rbf"},
    ],
    "Ridge": [SEVERAL, SPARSE, SINGLE, {"fit_intercept": False}],
    "LinearRegression": [SEVERAL, SPARSE, {"positive": True}],
    "Lasso": [SEVERAL, SPARSE, SINGLE],
    "LogisticRegression": [SPARSE, SINGLE, {"l1_ratio": 1.0}],
    "SGDClassifier": [
        SPARSE,
        {"loss": "log_loss"},
        {"average": True},
        {"penalty": "l1"},
    ],
    "SGDRegressor": [{"average": True}],
    "IsolationForest": [SPARSE, {"max_features": 0.5}],
    "BagOfWords": [{**TEXTS, "weighting": "tfidf"}],
    "Nystroem": [{"n_components": 4}, {"n_components": 4, "kernel": "linear"}],
    "ConformalClassifier": [{"method": "aps"}],
}
