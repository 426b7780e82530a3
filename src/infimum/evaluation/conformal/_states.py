"""Declared states of calibrated models: a model, and the scores of its calibration."""

from __future__ import annotations

from typing import Any

from infimum.errors import DataError
from infimum.fitted import State

__all__ = ["STATES"]


def _check_strata(strata: Any) -> None:
    weights = strata.weights
    if weights is None:
        return
    sizes = {name: len(scores) for name, scores in strata.scores.items()}
    if sizes != {name: len(each) for name, each in weights.items()}:
        raise DataError("Strata.weights must have one for each score.")


def _check_members(model: Any) -> None:
    inner = model.estimator_
    members = [*(inner if isinstance(inner, tuple) else (inner,))]
    members += getattr(model, "estimators_", [])
    asked = ["predict"]
    if hasattr(model, "classes_"):
        proud = hasattr(type(inner), "predict_proba")
        asked += ["predict_proba" if proud else "decision_function"]
    if not all(hasattr(type(member), name) for member in members for name in asked):
        raise DataError(f"{type(model).__name__}: a model in it does not predict.")


_SCORES = {"fitted_here_": "flag", "strata_": "Strata"}

STATES = {
    "Strata": State(
        {
            "scores": "dict of float[*]",
            "grouped": "flag",
            "weights": "none | dict of float[*]",
            "heaviest": "number",
        },
        also=_check_strata,
    ),
    "ConformalClassifier": State(
        {**_SCORES, "estimator_": "estimator", "classes_": "label[*]"},
        also=_check_members,
    ),
    "ConformalRegressor": State(
        {
            **_SCORES,
            "estimator_": "estimator | tuple[2] of estimator",
            "smallest_spread_?": "number",
            "spread_?": "estimator",
        },
        also=_check_members,
    ),
    "CrossConformalRegressor": State(
        {
            "estimator_": "estimator",
            "estimators_": "list[folds] of estimator",
            "folds_": "index[rows] of folds",
            "errors_": "float[rows]",
        },
        also=_check_members,
    ),
}
