"""A model whose answers boosting begins with, in the units of its scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from infimum.errors import IncompatibleError
from infimum.losses import Exponential, Loss
from infimum.typing import Matrix, Vector

__all__ = ["constant_first", "first_scores", "fit_first"]

#: Probabilities nearer to 0 or 1 than this have no logarithm to begin with.
SURE = float(np.finfo(np.float32).eps)


def fit_first(owner: str, init: Any, X: Any, y: Any, weights: Vector | None) -> Any:
    """Return a fitted copy of the model to begin with."""
    if isinstance(init, type) or not hasattr(init, "fit"):
        raise IncompatibleError(
            f"{owner}.init must be None, 'zero' or an estimator, got {init!r}."
        )
    if weights is None:
        return clone(init).fit(X, y)
    if not has_fit_parameter(init, "sample_weight"):
        raise IncompatibleError(
            f"{owner}.init must take sample_weight, which {type(init).__name__} "
            "does not."
        )
    return clone(init).fit(X, y, sample_weight=weights)


def first_scores(owner: str, init: Any, X: Any, loss: Any) -> Matrix:
    """Return what a fitted model says of rows, as scores: samples × outputs."""
    if isinstance(loss, Loss) and loss.target != "sign":
        if loss.target != "real":
            raise IncompatibleError(
                f"{owner}.init must be None or 'zero' for {type(loss).__name__}, whose "
                "scores are not in the units of y."
            )
        return np.asarray(init.predict(X), dtype=np.float64).reshape(-1, 1)
    if not hasattr(init, "predict_proba"):
        raise IncompatibleError(
            f"{owner}.init must have predict_proba, which {type(init).__name__} "
            "has not."
        )
    logs = np.log(np.clip(init.predict_proba(X), SURE, 1.0 - SURE))
    if not isinstance(loss, Loss):
        return np.asarray(logs)
    odds = logs[:, [1]] - logs[:, [0]]
    return np.asarray(0.5 * odds if isinstance(loss, Exponential) else odds)


def constant_first(model: Any) -> Any:
    """Return the constant that a fitted model begins with, as scikit-learn's dummy."""
    from sklearn.dummy import DummyClassifier, DummyRegressor

    start = model.trees_.start
    if not hasattr(model, "classes_"):
        middle = model.loss in ("absolute_error", "quantile", "huber")
        dummy = DummyRegressor(strategy="quantile" if middle else "mean")
        dummy.constant_, dummy.n_outputs_ = start.reshape(1, 1), 1
    else:
        dummy = DummyClassifier(strategy="prior")
        odds = start * (2.0 if model.loss == "exponential" else 1.0)
        odds = odds if len(odds) > 1 else np.array([0.0, odds[0]])
        shares = np.exp(odds - odds.max())
        dummy.class_prior_ = shares / shares.sum()
        dummy.classes_, dummy.n_classes_ = model.classes_, len(model.classes_)
        dummy.n_outputs_, dummy._strategy = 1, "prior"
        dummy.sparse_output_ = False
    dummy.n_features_in_ = model.n_features_in_
    return dummy
