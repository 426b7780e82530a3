"""Signed scores of a two-class model for its second class."""

from typing import Any

import numpy as np

from infimum.typing import Vector

__all__ = ["signed_scores"]


def signed_scores(model: Any, X: Any) -> Vector:
    """Return the score of the second class, positive where it is named.

    A regressor's prediction, a decision function, or a probability less one half.
    """
    if hasattr(model, "decision_function"):
        return np.ravel(model.decision_function(X))
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X))[:, 1] - 0.5
    return np.asarray(model.predict(X), dtype=np.float64) - 0.5
