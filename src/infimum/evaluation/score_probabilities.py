"""Probabilities of a classifier that has none: a sigmoid or softmax of its scores."""

from typing import Any

import numpy as np
from scipy.special import expit, softmax

from infimum.typing import Matrix

__all__ = ["calibrated_chances"]


def calibrated_chances(model: Any, rows: Any, told: dict[str, Any]) -> Matrix | None:
    """Return probabilities of all classes, the model's own or those of a sigmoid."""
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(rows), dtype=float)
    if "slope" not in told:
        return None
    scores = np.asarray(model.decision_function(rows), dtype=float)
    raw = told["slope"] * scores + told["shift"]
    if raw.ndim == 1:
        return np.column_stack([expit(-raw), expit(raw)])
    return np.asarray(softmax(raw, axis=1))
