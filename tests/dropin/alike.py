"""What the law by export asks of a class of ours and of scikit-learn's own."""

import importlib
import inspect
import re
import tomllib
import warnings
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn import linear_model
from sklearn.base import BaseEstimator, is_classifier

from infimum.dropin.replacement import ROOMS

#: What differs for a reason: rows of docs/dropin.md, and what each of them explains.
DIFFERENCES, VALUES = (
    {
        each["row"]: each["what"]
        for each in tomllib.loads(
            Path(__file__).with_name(name).read_text(encoding="utf-8")
        )["difference"]
    }
    for name in ("differences.toml", "values.toml")
)
#: What makes an estimator quick on a small table.
QUICK = {
    "max_iter": 20, "n_estimators": 3, "n_init": 1, "perplexity": 5.0, "random_state": 0
}  # fmt: skip
_LOGISTIC, _PLAIN = linear_model.LogisticRegression(), linear_model.LinearRegression()
NEEDED = {
    "OneVsRestClassifier": {"estimator": _LOGISTIC},
    "OneVsOneClassifier": {"estimator": _LOGISTIC},
    "SelfTrainingClassifier": {"estimator": _LOGISTIC},
    "StackingClassifier": {"estimators": [("a", _LOGISTIC), ("b", _LOGISTIC)]},
    "VotingClassifier": {"estimators": [("a", _LOGISTIC), ("b", _LOGISTIC)]},
    "StackingRegressor": {"estimators": [("a", _PLAIN), ("b", _PLAIN)]},
    "VotingRegressor": {"estimators": [("a", _PLAIN), ("b", _PLAIN)]},
    "OrthogonalMatchingPursuitCV": {"max_iter": None},
    "SparseCoder": {"dictionary": np.eye(5)},
    "TSNE": {"max_iter": 250},
    "GaussianRandomProjection": {"n_components": 2},
    "SparseRandomProjection": {"n_components": 2},
    **{name: {"n_components": 1} for name in ("CCA", "PLSCanonical", "PLSSVD")},
    "PLSRegression": {"n_components": 1},
}


def classes():
    """Return our classes beside scikit-learn's, by name."""
    found = {}
    for room in ROOMS:
        ours = importlib.import_module(f"infimum.dropin.{room}")
        theirs = importlib.import_module(f"sklearn.{room}")
        for name in ours.__all__:
            kind = getattr(ours, name)
            if inspect.isclass(kind) and issubclass(kind, BaseEstimator):
                found[name] = kind, getattr(theirs, name)
    return found


def made(kind, **other):
    """Return an estimator with few stages, seeded."""
    known = inspect.signature(kind).parameters
    quick = {name: value for name, value in QUICK.items() if name in known}
    if "max_iter" in known and known["max_iter"].default == -1:
        del quick["max_iter"]  # few steps of a support vector machine are no fit
    return kind(**{**quick, **NEEDED.get(kind.__name__, {}), **other})


def table_for(kind, *, size=40, several=False):
    """Return samples and targets that an estimator admits."""
    rng, name = np.random.default_rng(0), kind.__name__
    X = rng.normal(size=(size, 5))
    score = X[:, 0] - X[:, 1] + 0.3 * rng.normal(size=size)
    if name in {"NMF", "MiniBatchNMF", "MultinomialNB", "ComplementNB"} or name in {
        "BernoulliRBM", "CategoricalNB", "SkewedChi2Sampler", "AdditiveChi2Sampler",
    }:  # fmt: skip
        X = np.abs(X)
    X = np.floor(2 * X) if name == "CategoricalNB" else X
    X = (X > 0.5).astype(float) if name == "BernoulliRBM" else X
    X = X[:, :1] if name == "IsotonicRegression" else X
    if is_classifier(made(kind)) or name == "NeighborhoodComponentsAnalysis":
        y = np.digitize(score, [-0.7, 0.7]) if several else (score > 0).astype(int)
        if name == "SelfTrainingClassifier" or name.startswith("Label"):
            y[::4] = -1
        return X, y
    if name.startswith("MultiTask") or name in {"CCA", "PLSSVD", "PLSCanonical"}:
        return X, np.column_stack([score, 0.1 * rng.normal(size=size) - score])
    positive = name in {"PoissonRegressor", "GammaRegressor", "TweedieRegressor"}
    return X, np.exp(0.3 * score) if positive else score


def fitted(kind, X, y, **other):
    """Return a fitted estimator, or what was raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return made(kind, **other).fit(X, y)
        except Exception as error:
            return error


def shown(model):
    """Return the public attributes of a fitted model that end in an underscore."""
    names = {name for name in vars(model) if re.fullmatch("[^_].*_", name)}
    for name in dir(type(model)):
        static = inspect.getattr_static(type(model), name)
        if re.fullmatch("[^_].*_", name) and isinstance(static, property):
            names.add(name)
    found = {}
    for name in sorted(names):
        try:
            found[name] = getattr(model, name)
        except AttributeError:
            continue
    return found


def kind_of(value, *, wide=True):
    """Return what a user can tell of a value: kind, shape, and how wide its numbers."""
    if isinstance(value, np.generic) or value is None or isinstance(value, str):
        told = type(value).__name__
    elif sparse.issparse(value):
        told = f"sparse {value.shape} {value.dtype}"
    elif isinstance(value, np.ndarray):
        told = f"array {value.shape} {value.dtype}"
    elif isinstance(value, bool | int | float | dict):
        told = type(value).__name__
    elif isinstance(value, list | tuple):
        told = f"{type(value).__name__} of {', '.join({kind_of(v) for v in value})}"
    else:
        return "object"
    return told if wide else told.replace("float32", "float64")


def explained(what, known=DIFFERENCES):
    """Return the row that explains a difference, and which of its entries does."""
    for row, entries in known.items():
        for entry in entries:
            if re.fullmatch(re.escape(entry).replace(r"\*", ".*"), what):
                return row, entry
    return None
