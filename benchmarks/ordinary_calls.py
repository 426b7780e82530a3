"""Every drop-in class on ordinary input: fit it, then ask it everything it answers.

Ordinary are float64 and float32, C and F order, CSR with 32-bit indices and a pandas
frame; two classes, three classes and measured targets; one small table, two larger.
"""

import importlib
import inspect
import warnings
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp
from sklearn.base import is_classifier

from infimum.dropin.replacement import ROOMS

__all__ = [
    "KINDS",
    "SIZES",
    "answer",
    "classes",
    "features",
    "made",
    "table",
    "targets",
]

KINDS = (
    "float64 C",
    "float64 F",
    "float32 C",
    "float32 F",
    "csr 64",
    "csr 32",
    "frame",
)
SIZES = ((300, 10), (2000, 10), (2000, 20))
_ANSWERS = (
    *("predict", "predict_proba", "decision_function", "transform", "score_samples"),
    *("kneighbors", "radius_neighbors", "apply"),
)


def classes() -> dict[str, type]:
    """Return the drop-in classes by their names."""
    rooms = [importlib.import_module(f"infimum.dropin.{room}") for room in ROOMS]
    return {
        name: getattr(room, name)
        for room in rooms
        for name in room.__all__
        if inspect.isclass(getattr(room, name)) and hasattr(getattr(room, name), "fit")
    }


def made(name: str) -> Any:
    """Return an estimator at its defaults, and with what has none."""
    return classes()[name](**_needed().get(name, {}))


def _needed() -> dict[str, dict[str, Any]]:
    from infimum.models.linear import LogisticRegression, Ridge
    from infimum.models.probabilistic import GaussianNB

    several = [("bayes", GaussianNB()), ("line", LogisticRegression())]
    measured = [("soft", Ridge()), ("hard", Ridge(alpha=9.0))]
    return {
        "GaussianRandomProjection": {"n_components": 2},
        "LocalOutlierFactor": {"novelty": True},
        "OneVsOneClassifier": {"estimator": LogisticRegression()},
        "OneVsRestClassifier": {"estimator": LogisticRegression()},
        "SelfTrainingClassifier": {"estimator": LogisticRegression()},
        "SparseCoder": {"dictionary": np.eye(10)},
        "SparseRandomProjection": {"n_components": 2},
        "StackingClassifier": {"estimators": several},
        "StackingRegressor": {"estimators": measured},
        "VotingClassifier": {"estimators": several},
        "VotingRegressor": {"estimators": measured},
    }


def table(kind: str, size: tuple[int, int]) -> tuple[Any, np.ndarray]:
    """Return features of a kind and measured targets; features are not negative."""
    rng = np.random.default_rng(0)
    X = np.abs(rng.standard_normal(size))
    t = np.abs(X[:, 0] + 0.3 * rng.standard_normal(size[0])) + 0.1
    if kind.startswith("csr"):
        X[X < 1.0] = 0.0
        wide = np.float64 if kind.endswith("64") else np.float32
        return sp.csr_array(X.astype(wide)), t
    if kind == "frame":
        return pd.DataFrame(X).rename(columns="x{}".format), t
    dtype, order = kind.split()
    return np.asarray(X, dtype=dtype, order=order), t


def features(name: str, X: Any) -> Any:
    """Return the columns that a class takes: one for isotonic regression, else all."""
    if name != "IsotonicRegression":
        return X
    return X.iloc[:, :1] if hasattr(X, "iloc") else X[:, :1]


def targets(estimator: Any, t: np.ndarray) -> Iterator[Any]:
    """Yield the targets an estimator is fitted to, one after the other."""
    name = type(estimator).__name__
    if is_classifier(estimator) or name == "NeighborhoodComponentsAnalysis":
        yield (t > np.median(t)).astype(int)
        yield np.digitize(t, np.quantile(t, [0.3, 0.7]))
    elif name.startswith("MultiTask") or name in {"CCA", "PLSCanonical", "PLSSVD"}:
        yield np.column_stack([t, t[::-1]])
    else:
        yield t


def answer(name: str, kind: str, size: tuple[int, int]) -> int:
    """Fit and ask; return how many calls were answered.

    What a class does not take, such as a sparse table, it says in one sentence.
    """
    X, t = table(kind, size)
    X = features(name, X)
    answered = 0
    for y in targets(made(name), t):
        estimator = made(name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with suppress(TypeError, ValueError):
                estimator.fit(X, y)
                answered += 1
                answered += sum(_asked(estimator, each, X) for each in _ANSWERS)
    return answered


def _asked(estimator: Any, method: str, X: Any) -> int:
    with suppress(TypeError, ValueError, AttributeError, NotImplementedError):
        getattr(estimator, method)(X)
        return 1
    return 0
