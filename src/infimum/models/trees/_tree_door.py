"""How samples enter a tree or a forest: ranks of features, and an aim."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import DataConversionWarning

from infimum.compiled.tree_parts import Table
from infimum.data.doors import check_fitted
from infimum.data.validation import (
    accept,
    accept_weights,
    check_labels,
    moderate_targets,
)
from infimum.errors import DataError, InvalidParameterError
from infimum.models._class_weights import class_weighted
from infimum.models.trees._criteria import (
    CLASS_CRITERIA,
    NUMBER_CRITERIA,
    Aim,
    aim_at_classes,
    aim_at_numbers,
)
from infimum.models.trees._ranked_table import rank_table
from infimum.models.trees._tree_parameters import read_constraints
from infimum.parameters import Choice, check_domain, opened
from infimum.typing import Indices, Vector

__all__ = ["Admitted", "accept_rows", "admit_classes", "admit_numbers"]

DATA: dict[str, Any] = {
    "dtype": [np.float64, np.float32],
    "accept_sparse": ["csr", "csc"],
    "ensure_all_finite": "allow-nan",
}
MANY = 2


@dataclass(frozen=True)
class Admitted:
    """Rows that trees can be grown on: samples, ranks, aim and weights."""

    X: Any
    table: Table
    aim: Aim
    weight: Vector
    class_weight: Vector | None


def accept_rows(model: Any, X: Any) -> Any:
    """Admit new samples for a fitted tree or forest; numbers may be missing."""
    check_fitted(model)
    return accept(model, X, reset=False, **DATA)


def _admit(model: Any, X: Any, y: Any) -> tuple[Any, Any, int]:
    X, y = accept(model, X, y, multi_output=True, **DATA)
    y = np.asarray(y)
    if y.ndim == MANY and y.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change "
            "the shape of y to (n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=5,
        )
    model.n_outputs_ = 1 if y.ndim < MANY else y.shape[1]
    return X, y.reshape(len(y), -1), y.ndim


def _table(model: Any, X: Any, aim: Aim) -> Table:
    names = getattr(model, "feature_names_in_", None)
    categorical, monotone, groups = read_constraints(model, X.shape[1], names)
    many = aim.target.family in (1, 2) or aim.target.formula == 3  # noqa: PLR2004
    if monotone.any() and many:
        raise InvalidParameterError(
            f"{type(model).__name__}.monotonic_cst needs two classes or one number to "
            "tell, and a criterion other than 'poisson'."
        )
    return rank_table(type(model).__name__, X, categorical, monotone, groups)


def admit_classes(model: Any, X: Any, y: Any, sample_weight: Any) -> Admitted:
    """Admit samples with labels; record the classes on the model."""
    owner = type(model).__name__
    check_domain(f"{owner}.criterion", model.criterion, Choice(tuple(CLASS_CRITERIA)))
    X, labels, sides = _admit(model, X, y)
    check_labels(labels if sides == MANY else labels[:, 0])
    found = [np.unique(column, return_inverse=True) for column in labels.T]
    sizes = tuple(len(names) for names, _ in found)
    classes = [names for names, _ in found]
    alone = model.n_outputs_ == 1
    model.classes_ = classes[0] if alone else classes
    model.n_classes_ = sizes[0] if alone else list(sizes)
    codes = np.column_stack([codes for _, codes in found])
    aim = aim_at_classes(codes, sizes, model.criterion)
    weight = accept_weights(sample_weight, X)
    weight = np.ones(len(labels)) if weight is None else weight
    class_weight = _class_weight(model, codes[:, 0] if alone else codes, weight)
    return Admitted(X, _table(model, X, aim), aim, weight, class_weight)


def _class_weight(model: Any, codes: Indices, weight: Vector) -> Vector | None:
    """Return what `class_weight` makes of each weight, as a factor."""
    wanted = model.class_weight
    of_draws = isinstance(wanted, str) and wanted == "balanced_subsample"
    if wanted is None or (of_draws and hasattr(model, "bootstrap")):
        return None
    found = class_weighted(model, codes, weight)
    assert found is not None
    return np.divide(found, weight, out=np.zeros(len(weight)), where=weight > 0)


def admit_numbers(model: Any, X: Any, y: Any, sample_weight: Any) -> Admitted:
    """Admit samples with real targets."""
    owner = type(model).__name__
    criterion = model.criterion
    check_domain(f"{owner}.criterion", criterion, Choice(tuple(NUMBER_CRITERIA)))
    check_domain(f"{owner}.quantile", model.quantile, opened(0.0, 1.0))
    X, y, _ = _admit(model, X, y)
    targets = moderate_targets(model, y)
    if not np.isfinite(targets).all():
        raise DataError(f"{owner}: y contains NaN or infinity.")
    if criterion == "poisson" and (targets.min() < 0 or targets.sum() <= 0):
        raise DataError(
            f"{owner}: the criterion 'poisson' needs targets of 0 or more that are not "
            "all 0."
        )
    if NUMBER_CRITERIA[criterion] < 0 and targets.shape[1] > 1:
        raise InvalidParameterError(
            f"{owner}.criterion={criterion!r} tells one number, got "
            f"{targets.shape[1]} outputs."
        )
    weight = accept_weights(sample_weight, X)
    weight = np.ones(len(targets)) if weight is None else weight
    aim = aim_at_numbers(targets, criterion, model.quantile)
    return Admitted(X, _table(model, X, aim), aim, weight, None)
