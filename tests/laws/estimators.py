"""Every exported estimator, found by import, with a small table that it can learn."""

import importlib
import inspect
import pkgutil
import warnings

import numpy as np
from sklearn.base import BaseEstimator, is_regressor
from sklearn.exceptions import ConvergenceWarning

from infimum import models
from tests.models.needed_settings import NEEDED, reads_tables

FAMILIES = [
    importlib.import_module(f"infimum.models.{family.name}")
    for family in pkgutil.iter_modules(models.__path__)
    if family.ispkg
]
ESTIMATORS = {
    name: getattr(family, name)
    for family in FAMILIES
    for name in family.__all__
    if inspect.isclass(getattr(family, name))
    and issubclass(getattr(family, name), BaseEstimator)
    and reads_tables(getattr(family, name))
}
#: What makes an estimator quick on a small table.
QUICK = {
    "max_iter": 50, "n_estimators": 5, "n_init": 1, "perplexity": 3.0, "random_state": 0
}  # fmt: skip
#: Steps of t-SNE double the last digit of a distance: few of them tell of its input.
OWN = {"OrthogonalMatchingPursuitCV": {"max_iter": None}, "TSNE": {"max_iter": 10}}
VERBS = ("predict", "predict_proba", "decision_function", "transform", "score_samples")


def made(kind, **other):
    """Return an estimator with few stages, seeded."""
    known = inspect.signature(kind).parameters
    needed = {**NEEDED.get(kind.__name__, {}), **OWN.get(kind.__name__, {})}
    quick = {n: v for n, v in QUICK.items() if n in known and n not in needed}
    return kind(**{**quick, **needed, **other})


def fitted(estimator, X, y, **given):
    """Fit an estimator that may stop early."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return estimator.fit(X, y, **given)


def targets_for(estimator, X, rng):
    """Return targets that the estimator admits."""
    score = X[:, 0] - X[:, -1] + 0.3 * rng.standard_normal(len(X))
    if type(estimator).__name__.startswith("MultiTask"):
        return np.column_stack((score, -score))
    if is_regressor(estimator):
        return np.exp(0.3 * score)
    return (score > np.median(score)).astype(int)


def answers(estimator, X):
    """Return all that a fitted estimator says about rows."""
    said = {v: getattr(estimator, v)(X) for v in VERBS if hasattr(estimator, v)}
    for name in ("labels_", "embedding_"):
        if hasattr(estimator, name):
            said[name] = getattr(estimator, name)
    return {
        k: np.asarray(v.toarray() if hasattr(v, "toarray") else v)
        for k, v in said.items()
    }
