"""The drop-in modules carry scikit-learn's names and our classes."""

import importlib
import inspect

import numpy as np
import pytest
import sklearn.neighbors
from scipy import sparse
from sklearn.base import BaseEstimator

from infimum.dropin import linear_model
from infimum.dropin.replacement import ROOMS as NAMES
from infimum.models import linear, online
from infimum.models.neighbors import BallTree, KDTree, NearestNeighbors

ROOMS = {name: importlib.import_module(f"infimum.dropin.{name}") for name in NAMES}
EXPECTED = {
    "linear_model": {
        "ElasticNet",
        "ElasticNetCV",
        "GammaRegressor",
        "HuberRegressor",
        "Lasso",
        "LassoCV",
        "LinearRegression",
        "LogisticRegression",
        "LogisticRegressionCV",
        "MultiTaskElasticNet",
        "MultiTaskLasso",
        "OrthogonalMatchingPursuit",
        "PassiveAggressiveClassifier",
        "PassiveAggressiveRegressor",
        "Perceptron",
        "PoissonRegressor",
        "QuantileRegressor",
        "Ridge",
        "RidgeCV",
        "RidgeClassifier",
        "RidgeClassifierCV",
        "SGDClassifier",
        "SGDOneClassSVM",
        "SGDRegressor",
        "enet_path",
        "lasso_path",
        "ridge_regression",
    },
    "cluster": {
        "DBSCAN",
        "AgglomerativeClustering",
        "KMeans",
        "SpectralClustering",
        "BisectingKMeans",
        "MiniBatchKMeans",
        "kmeans_plusplus",
    },
    "calibration": {"CalibratedClassifierCV"},
    "covariance": {
        "OAS",
        "EllipticEnvelope",
        "EmpiricalCovariance",
        "GraphicalLasso",
        "GraphicalLassoCV",
        "LedoitWolf",
        "MinCovDet",
        "ShrunkCovariance",
    },
    "cross_decomposition": {"CCA", "PLSSVD", "PLSCanonical", "PLSRegression"},
    "isotonic": {"IsotonicRegression"},
    "decomposition": {
        "NMF",
        "PCA",
        "FactorAnalysis",
        "FastICA",
        "IncrementalPCA",
        "KernelPCA",
        "TruncatedSVD",
    },
    "ensemble": {
        "AdaBoostClassifier",
        "AdaBoostRegressor",
        "BaggingClassifier",
        "BaggingRegressor",
        "ExtraTreesClassifier",
        "ExtraTreesRegressor",
        "RandomForestClassifier",
        "RandomForestRegressor",
        "StackingClassifier",
        "StackingRegressor",
        "VotingClassifier",
        "VotingRegressor",
    },
    "discriminant_analysis": {
        "LinearDiscriminantAnalysis",
        "QuadraticDiscriminantAnalysis",
    },
    "gaussian_process": {"GaussianProcessClassifier", "GaussianProcessRegressor"},
    "kernel_approximation": {
        "AdditiveChi2Sampler",
        "Nystroem",
        "PolynomialCountSketch",
        "RBFSampler",
        "SkewedChi2Sampler",
    },
    "kernel_ridge": {"KernelRidge"},
    "manifold": {
        "MDS",
        "TSNE",
        "ClassicalMDS",
        "Isomap",
        "LocallyLinearEmbedding",
        "SpectralEmbedding",
    },
    "multiclass": {"OneVsOneClassifier", "OneVsRestClassifier"},
    "naive_bayes": {
        "BernoulliNB",
        "CategoricalNB",
        "ComplementNB",
        "GaussianNB",
        "MultinomialNB",
    },
    "mixture": {"GaussianMixture"},
    "neighbors": {
        "BallTree",
        "KDTree",
        "KNeighborsClassifier",
        "KNeighborsRegressor",
        "KNeighborsTransformer",
        "KernelDensity",
        "LocalOutlierFactor",
        "NearestCentroid",
        "NearestNeighbors",
        "NeighborhoodComponentsAnalysis",
        "RadiusNeighborsClassifier",
        "RadiusNeighborsRegressor",
        "RadiusNeighborsTransformer",
        "kneighbors_graph",
        "radius_neighbors_graph",
        "sort_graph_by_row_values",
    },
    "neural_network": {"BernoulliRBM", "MLPClassifier", "MLPRegressor"},
    "random_projection": {
        "GaussianRandomProjection",
        "SparseRandomProjection",
        "johnson_lindenstrauss_min_dim",
    },
    "semi_supervised": {
        "LabelPropagation",
        "LabelSpreading",
        "SelfTrainingClassifier",
    },
    "svm": {
        "LinearSVC",
        "LinearSVR",
        "NuSVC",
        "NuSVR",
        "OneClassSVM",
        "SVC",
        "SVR",
    },
    "tree": {
        "DecisionTreeClassifier",
        "DecisionTreeRegressor",
        "ExtraTreeClassifier",
        "ExtraTreeRegressor",
        "export_graphviz",
        "export_text",
        "plot_tree",
    },
}


def test_every_linear_or_online_class_that_scikit_learn_has_drops_in():
    theirs = importlib.import_module("sklearn.linear_model")
    shared = {*linear.__all__, *online.__all__} & set(theirs.__all__)
    assert shared == set(linear_model.__all__)


@pytest.mark.parametrize("room", ROOMS)
def test_every_name_is_one_of_scikit_learns_and_every_class_ours(room):
    theirs = importlib.import_module(f"sklearn.{room}")
    names = set(ROOMS[room].__all__)
    assert names >= EXPECTED[room]
    for name in names:
        ours = getattr(ROOMS[room], name)
        assert hasattr(theirs, name)
        if name.startswith("VALID_METRICS"):
            continue  # lists of names, compared with those of scikit-learn below
        known = BaseEstimator, BallTree, KDTree
        assert inspect.isfunction(ours) or issubclass(ours, known)
        assert ours.__name__ == name
        homes = ("infimum.models.", "infimum.features.", "infimum.dropin.")
        assert ours.__module__.startswith(homes)
        assert ours is not getattr(theirs, name)


@pytest.mark.filterwarnings("ignore:Data was converted to boolean")
@pytest.mark.parametrize("kind", ["VALID_METRICS", "VALID_METRICS_SPARSE"])
def test_every_distance_that_scikit_learn_lists_is_listed_and_measured(kind):
    ours = getattr(ROOMS["neighbors"], kind)
    theirs = getattr(sklearn.neighbors, kind)
    X = np.random.default_rng(0).uniform(0.1, 0.9, (8, 2))
    for algorithm, names in theirs.items():
        assert set(names) - {"pyfunc"} <= set(ours[algorithm])
        for metric in set(ours[algorithm]) - {"edit_distance", "precomputed"}:
            samples = sparse.csr_array(X) if kind.endswith("SPARSE") else X
            given = {"V": [1.0, 1.0]} if metric == "seuclidean" else None
            search = NearestNeighbors(
                algorithm=algorithm, metric=metric, metric_params=given
            )
            found = search.fit(samples)
            assert found.kneighbors(samples, 1)[0].shape == (8, 1)
