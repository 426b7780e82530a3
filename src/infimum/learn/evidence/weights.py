"""The weights of a linear model, and how far other rows would have moved them."""

import time
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.learn.evidence.case import Case, TooLateError
from infimum.learn.refit import feature_names
from infimum.learn.steadiness import weight_steadiness

__all__ = ["weights"]

_SHARE, _MOST = 0.25, 60


def weights(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Fit a linear model on other draws of its rows and see how its weights scatter."""
    last = case.model[-1] if hasattr(case.model, "steps") else case.model
    if not hasattr(last, "coef_"):
        raise DataError("The model has no weights.")
    left = _SHARE * (case.deadline - time.perf_counter())
    if left <= 0:
        raise TooLateError
    training = case.training
    X = case.model[:-1].transform(training.rows)
    told = weight_steadiness(
        last,
        X,
        training.y,
        training.weights,
        groups=training.groups,
        seed=case.seed,
        seconds=left,
    )
    if told is None:
        raise TooLateError
    values = np.atleast_2d(np.asarray(last.coef_, dtype=float))
    size = np.abs(values).max(axis=0)
    names = feature_names(case.model)
    shown = [i for i in np.argsort(-size, kind="stable").tolist() if size[i] > 0]
    return {
        "draws": told.draws,
        "features": [
            {
                "feature": names[place],
                "values": values[:, place].tolist(),
                "errors": told.errors[:, place].tolist(),
                "in_use": float(told.in_use[place]),
            }
            for place in shown[:_MOST]
        ],
    }
