"""What everyday speed is measured on: the classes, their tables, their quality.

Three tables stand for a family at every size: independent columns in C order, columns
that are correlated, in F order, with more noise and three classes, and groups of rows.
"""

import importlib
import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import adjusted_rand_score

from infimum.dropin.replacement import ROOMS
from infimum.typing import Matrix, Vector

__all__ = [
    "FAMILY",
    "QUADRATIC",
    "Table",
    "arguments",
    "draw",
    "pairs",
    "quality",
    "rows_for",
]

FAMILY = ("independent", "correlated", "groups")
#: Whatever grows with the square of the rows, in scikit-learn or here.
QUADRATIC = {
    *("AffinityPropagation", "AgglomerativeClustering", "ClassicalMDS", "DBSCAN"),
    *("FeatureAgglomeration", "GaussianProcessRegressor", "HDBSCAN", "Isomap"),
    *("KernelDensity", "KernelPCA", "KernelRidge", "LabelPropagation"),
    *("LabelSpreading", "LocallyLinearEmbedding", "MDS", "MeanShift", "NuSVC"),
    *("NuSVR", "OneClassSVM", "OPTICS", "QuantileRegressor", "SVC", "SVR"),
    *("RadiusNeighborsClassifier", "RadiusNeighborsRegressor", "SpectralClustering"),
    *("RadiusNeighborsTransformer", "SpectralEmbedding", "TheilSenRegressor", "TSNE"),
    *("NeighborhoodComponentsAnalysis",),
}
#: Whatever grows faster still keeps to this many rows.
CUBIC = {
    "AffinityPropagation": 2000,
    "GaussianProcessClassifier": 300,
    "MDS": 2000,
    # scikit-learn takes half a minute for 300 rows and ten minutes for 2,000.
    "DictionaryLearning": 100,
}
NOT_NEGATIVE = {
    *("AdditiveChi2Sampler", "CategoricalNB", "ComplementNB", "MultinomialNB"),
    *("BernoulliRBM", "GammaRegressor", "PoissonRegressor", "SkewedChi2Sampler"),
    *("SpectralBiclustering", "SpectralCoclustering", "NMF", "MiniBatchNMF"),
}
#: Whatever relates columns to several targets.
SEVERAL = {"CCA", "PLSCanonical", "PLSSVD"}


@dataclass(frozen=True)
class Table:
    """Rows to learn from and rows to be asked about."""

    X: Matrix
    y: Any
    asked: Matrix
    truth: Any


def pairs() -> dict[str, tuple[type, type]]:
    """Return our classes and scikit-learn's, by the name they share."""
    found = {}
    for room in ROOMS:
        ours = importlib.import_module(f"infimum.dropin.{room}")
        theirs = importlib.import_module(f"sklearn.{room}")
        for name in ours.__all__:
            own, peer = getattr(ours, name), getattr(theirs, name, None)
            if name == "SparseCoder":  # its dictionary says how many features there are
                continue
            if inspect.isclass(own) and hasattr(own, "fit") and inspect.isclass(peer):
                found[name] = (own, peer)
    return dict(sorted(found.items()))


def arguments(name: str, kind: type, seed: int) -> dict[str, Any]:
    """Return the defaults: nothing, but for what has none and for the seed."""
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.naive_bayes import GaussianNB

    several = [("bayes", GaussianNB()), ("line", LogisticRegression())]
    measured = [("soft", Ridge()), ("hard", Ridge(alpha=9.0))]
    needed: dict[str, dict[str, Any]] = {
        "GaussianRandomProjection": {"n_components": 2},
        "LocalOutlierFactor": {"novelty": True},
        "OneVsOneClassifier": {"estimator": LogisticRegression()},
        "OneVsRestClassifier": {"estimator": LogisticRegression()},
        "RadiusNeighborsClassifier": {"radius": 30.0},
        "RadiusNeighborsRegressor": {"radius": 30.0},
        "SelfTrainingClassifier": {"estimator": LogisticRegression()},
        "SparseRandomProjection": {"n_components": 2},
        "StackingClassifier": {"estimators": several},
        "StackingRegressor": {"estimators": measured},
        "VotingClassifier": {"estimators": several},
        "VotingRegressor": {"estimators": measured},
    }
    given = dict(needed.get(name, {}))
    if "random_state" in inspect.signature(kind).parameters:
        given["random_state"] = seed
    return given


def rows_for(name: str, rows: int) -> int:
    """Return how many rows a class gets at a size."""
    if name in QUADRATIC or name in CUBIC:
        rows = min(rows, 3000)
    return min(rows, CUBIC.get(name, rows))


def draw(name: str, kind: str, size: tuple[int, int], seed: int) -> Table:
    """Draw a table of the family for a class."""
    rows, columns = size
    rng = np.random.default_rng([seed, rows, FAMILY.index(kind)])
    X = rng.standard_normal((2 * rows, columns))
    noise, classes = 0.5, 2
    if kind == "correlated":
        X, noise, classes = X + 2.0 * rng.standard_normal((2 * rows, 1)), 2.0, 3
    group = rng.integers(0, 4, 2 * rows)
    if kind == "groups":
        X += 3.0 * rng.standard_normal((4, columns))[group]
    weights = rng.standard_normal(columns) / np.sqrt(columns)
    t = X @ weights + np.sin(2.0 * X[:, 0]) + noise * rng.standard_normal(2 * rows)
    if name in NOT_NEGATIVE:
        X, t = np.abs(X), np.abs(t) + 0.1
    if name == "CategoricalNB":
        X = np.floor(X) % 2.0
    if name == "IsotonicRegression":
        X = X[:, :1]
    order = "F" if kind == "correlated" else "C"
    y = targets(name, t, classes)
    X = np.asarray(X, order=order)
    learn, ask = X[:rows].copy(order=order), X[rows:].copy(order=order)
    return Table(learn, y[:rows], ask, y[rows:])


def targets(name: str, t: Vector, classes: int) -> Any:
    """Return the targets for a class: labels, measurements or several of them."""
    if name.startswith("MultiTask") or name in SEVERAL:
        return np.column_stack([t, t[::-1]])
    peer = pairs()[name][1]
    if (
        is_classifier(peer(**arguments(name, peer, 0)))
        or name == "NeighborhoodComponentsAnalysis"
    ):
        return np.digitize(t, np.quantile(t, np.arange(1, classes) / classes))
    return t


def quality(model: Any, table: Table) -> float | None:
    """Return how well a fitted model answers, more is better; None where nothing says.

    Accuracy or R² on the rows to be asked about, minus inertia, minus divergence, or
    the mean log-likelihood.
    """
    if is_classifier(model) or is_regressor(model):
        return float(model.score(table.asked, table.truth))
    for name in ("inertia_", "kl_divergence_"):
        if hasattr(model, name):
            return -float(getattr(model, name))
    if hasattr(model, "weights_") and hasattr(model, "score"):
        return float(model.score(table.asked))
    if len(getattr(model, "labels_", ())) == len(table.y):
        middle = np.digitize(table.y, np.quantile(table.y, [0.25, 0.5, 0.75]))
        return float(adjusted_rand_score(middle, model.labels_))
    return None
