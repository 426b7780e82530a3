"""Signed scores of a two-class model for its second class, and what else it can do."""

from collections.abc import Callable
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.typing import Vector

__all__ = ["member_has", "refuse_new_labels", "signed_scores"]


def signed_scores(model: Any, X: Any) -> Vector:
    """Return the score of the second class, positive where it is named.

    A regressor's prediction, a decision function, or a probability less one half.
    """
    if hasattr(model, "decision_function"):
        return np.ravel(model.decision_function(X))
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X))[:, 1] - 0.5
    return np.asarray(model.predict(X), dtype=np.float64) - 0.5


def member_has(method: str) -> Callable[[Any], bool]:
    """Return the question whether what a model is made of has a method."""

    def ask(model: Any) -> bool:
        getattr(model.estimator, method)  # its own error says what is missing
        return True

    return ask


def refuse_new_labels(model: Any, y: Any) -> None:
    """Refuse a batch with labels that the first call did not name."""
    found = np.unique(y)
    if not np.isin(found, model.classes_).all():
        raise DataError(
            f"{type(model).__name__}: Mini-batch contains {found} while classes must "
            f"be subset of {model.classes_}"
        )
