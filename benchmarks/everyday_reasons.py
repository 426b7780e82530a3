"""Why a class takes longer than scikit-learn's, where it does: for the page."""

__all__ = ["REASONS"]

_STEPS = (
    "on a few hundred rows the steps of the solver and the proof (a dual point, its "
    "value, the rounding of both) are some hundred calls of NumPy of a microsecond "
    "each; scikit-learn's compiled loop stops after rough steps and proves nothing."
)
_PROOF = (
    "a path ends after a few products with X; the proof of its end takes four more."
)
_PASSES = (
    "a pass over a few hundred rows is shorter than what surrounds it in Python: an "
    "order of the rows, a check of the weights, a cost."
)
_RANKS = (
    "every column is sorted first, as other trees need it and random thresholds do "
    "not; three classes or more take a general loop."
)
_THREADS = (
    "work of a few milliseconds is shared among threads, which wait for a core that a "
    "busy machine does not give at once; alone these reach 1."
)
_SAME = "both do the same products and factorisations; the ratio moves about 1."

REASONS: dict[str, str] = {
    **dict.fromkeys(("LinearSVC", "LinearSVR", "LogisticRegressionCV"), _STEPS),
    **dict.fromkeys(("MultiTaskLasso", "MultiTaskElasticNet", "RidgeCV"), _STEPS),
    **dict.fromkeys(("MultiTaskLassoCV", "SVC", "NuSVC", "NuSVR"), _STEPS),
    **dict.fromkeys(("LassoLars", "Lars", "LassoLarsCV", "LassoLarsIC"), _PROOF),
    **dict.fromkeys(("SGDOneClassSVM", "SGDClassifier", "SGDRegressor"), _PASSES),
    **dict.fromkeys(
        ("PassiveAggressiveClassifier", "PassiveAggressiveRegressor", "Perceptron"),
        _PASSES,
    ),
    **dict.fromkeys(("ExtraTreeClassifier", "ExtraTreeRegressor"), _RANKS),
    **dict.fromkeys(("KNeighborsClassifier", "KNeighborsRegressor"), _THREADS),
    **dict.fromkeys(("KNeighborsTransformer", "NearestNeighbors", "KMeans"), _THREADS),
    **dict.fromkeys(("DBSCAN", "LocalOutlierFactor"), _THREADS),
    **dict.fromkeys(
        ("HistGradientBoostingClassifier", "HistGradientBoostingRegressor"), _THREADS
    ),
    **dict.fromkeys(("ClassicalMDS", "EllipticEnvelope", "MinCovDet"), _SAME),
    **dict.fromkeys(("SpectralClustering", "AffinityPropagation"), _SAME),
    **dict.fromkeys(("GaussianProcessRegressor", "FastICA", "BernoulliRBM"), _SAME),
    **dict.fromkeys(("ARDRegression", "RANSACRegressor", "BisectingKMeans"), _SAME),
}
