"""Declared states of learners on streams: weights, and what they remember."""

from __future__ import annotations

from typing import Any

from infimum.errors import DataError
from infimum.fitted import State

__all__ = ["STATES"]


def _check_classes(model: Any) -> None:
    rows, classes = len(model.mistakes_), len(model.classes_)
    if rows != (classes if classes > 2 else 1) or classes < 2:  # noqa: PLR2004
        owner = type(model).__name__
        raise DataError(f"{owner}: {classes} classes cannot have {rows} scores.")


def _check_totals(model: Any) -> None:
    """Raise DataError unless a multiclass perceptron remembers what it adds up."""
    blank = model._blank(model.n_features_in_)
    shapes = {name: part.shape for name, part in blank.items()}
    if shapes != {name: part.shape for name, part in model.memory_.items()}:
        raise DataError("MulticlassPerceptron.memory_ must hold its sums.")


def _check_supports(model: Any) -> None:
    for rows, coef in zip(model.supports_, model.dual_coef_, strict=True):
        if rows.shape[0] != len(coef):
            raise DataError("BudgetPerceptron needs a coefficient for each support.")


_LEARNER = State(
    {
        "n_features_in_": "size features",
        "n_iter_": "count",
        "memory_": "dict of float[*, *] / float[*]",
    }
)
_SCORES = State(
    {
        "classes_": "label[classes]",
        "coef_": "float[scores, features]",
        "intercept_": "float[scores]",
        "t_": "number",
        "mistakes_": "int[scores]",
        "incurred_": "float[scores]",
    },
    base=_LEARNER,
    also=_check_classes,
)
_NUMBER = State(
    {
        "coef_": "float[features]",
        "intercept_": "float[1]",
        "t_": "number",
        "mistakes_": "int[1]",
        "incurred_": "float[1]",
    },
    base=_LEARNER,
)

STATES = {
    "BudgetPerceptron": State(
        {
            "n_features_in_": "size features",
            "classes_": "label[classes]",
            "n_iter_": "count",
            "supports_": "list[scores] of finite[*, features] / sparse[*, features]",
            "dual_coef_": "list[scores] of float[*]",
            "mistakes_": "int[scores]",
            "harm_": "float[scores]",
        },
        also=(_check_classes, _check_supports),
    ),
    "MulticlassPerceptron": State(
        {
            "classes_": "label[classes]",
            "mistakes_": "count",
            "coef_": "float[classes, features]",
            "intercept_": "float[classes]",
        },
        base=_LEARNER,
        also=_check_totals,
    ),
    "PassiveAggressiveClassifier": _SCORES,
    "Perceptron": _SCORES,
    "SGDClassifier": _SCORES,
    "PassiveAggressiveRegressor": _NUMBER,
    "SGDRegressor": _NUMBER,
    "SGDOneClassSVM": State(
        {
            "coef_": "float[features]",
            "t_": "number",
            "incurred_": "float[1]",
            "offset_": "float[1]",
        },
        base=_LEARNER,
    ),
}
