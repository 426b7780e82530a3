"""Why a class takes longer than scikit-learn's, where it does: for the page."""

__all__ = ["REASONS"]

_STEPS = (
    "on a few hundred rows the steps of the solver and the proof (a dual point, its "
    "value, the rounding of both) are some hundred calls of NumPy of a microsecond "
    "each; scikit-learn runs one compiled loop."
)
_PAIRS = (
    "pairs are improved to a proved gap, which takes more of them than a tolerance."
)
_CHOICE = "both are closed forms; ours also proves the gap of the fit and of the path."
_PATH = "a path ends after a few products with X; the proof of its end takes four more."
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
    "busy machine does not give at once."
)
_PAIRWISE = (
    "at this radius every pair is near, and each is kept with its distance; "
    "scikit-learn's classifier counts votes without keeping them."
)
_MOVED = (
    "rows are moved near their mean before they are multiplied, so that no shift costs "
    "digits; scikit-learn corrects the product afterwards."
)
_SAME = "both do the same products and factorisations; the ratio moves about 1."

REASONS: dict[str, str] = {
    **dict.fromkeys(("LinearSVC", "LinearSVR", "LogisticRegressionCV"), _STEPS),
    **dict.fromkeys(("MultiTaskLasso", "MultiTaskElasticNet"), _STEPS),
    **dict.fromkeys(("MultiTaskLassoCV", "MultiTaskElasticNetCV"), _STEPS),
    **dict.fromkeys(("OneVsOneClassifier", "OneVsRestClassifier"), _STEPS),
    **dict.fromkeys(("SVC", "NuSVC", "NuSVR"), _PAIRS),
    "RidgeCV": _CHOICE,
    "PCA": _MOVED,
    **dict.fromkeys(("LassoLars", "Lars", "LassoLarsCV", "LassoLarsIC"), _PATH),
    **dict.fromkeys(("SGDOneClassSVM", "SGDClassifier", "SGDRegressor"), _PASSES),
    **dict.fromkeys(
        ("PassiveAggressiveClassifier", "PassiveAggressiveRegressor", "Perceptron"),
        _PASSES,
    ),
    **dict.fromkeys(
        ("RadiusNeighborsClassifier", "RadiusNeighborsRegressor"), _PAIRWISE
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
