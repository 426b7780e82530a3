"""How samples enter a tree or a forest: ranks of features, and an aim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from infimum.compiled.trees.tree_parts import Ranks
from infimum.data.doors import Rows, class_weighted, read, samples, weighed
from infimum.data.doors.arguments import flattened
from infimum.data.doors.labels import coded_columns
from infimum.data.doors.tables import moderate_targets
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
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


@dataclass(frozen=True)
class Admitted:
    """Rows that trees can be grown on: samples, ranks, aim and weights."""

    X: Any
    table: Ranks
    aim: Aim
    weight: Vector
    class_weight: Vector | None


def accept_rows(model: Any, X: Any) -> Any:
    """Admit new samples for a fitted tree or forest; numbers may be missing."""
    return samples(model, X, missing=True)


def _table(model: Any, X: Any, aim: Aim) -> Ranks:
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
    _refuse_sparse(owner, y)
    X, y = read(model, X, y, several=True, missing=True)
    model.classes_, codes = coded_columns(np.asarray(y))
    alone = not isinstance(model.classes_, list)
    sizes = tuple(map(len, [model.classes_] if alone else model.classes_))
    model.n_outputs_ = len(sizes)
    model.n_classes_ = sizes[0] if alone else list(sizes)
    aim = aim_at_classes(codes, sizes, model.criterion)
    weight = Rows(X, weights=weighed(sample_weight, X)).shares()
    class_weight = _class_weight(model, codes[:, 0] if alone else codes, weight)
    return Admitted(X, _table(model, X, aim), aim, weight, class_weight)


def _refuse_sparse(owner: str, y: Any) -> None:
    if sparse.issparse(y):
        raise IncompatibleError(f"{owner} takes dense targets: pass y.toarray().")


def _class_weight(model: Any, codes: Indices, weight: Vector) -> Vector | None:
    """Return what `class_weight` makes of each weight, as a factor."""
    wanted = model.class_weight
    of_draws = isinstance(wanted, str) and wanted == "balanced_subsample"
    if wanted is None or (of_draws and hasattr(model, "bootstrap")):
        return None
    owner = type(model).__name__
    found = class_weighted(owner, wanted, model.classes_, codes, weight)
    assert found is not None
    return np.divide(found, weight, out=np.zeros(len(weight)), where=weight > 0)


def admit_numbers(model: Any, X: Any, y: Any, sample_weight: Any) -> Admitted:
    """Admit samples with real targets."""
    owner = type(model).__name__
    criterion = model.criterion
    check_domain(f"{owner}.criterion", criterion, Choice(tuple(NUMBER_CRITERIA)))
    check_domain(f"{owner}.quantile", model.quantile, opened(0.0, 1.0))
    _refuse_sparse(owner, y)
    X, y = read(model, X, y, several=True, missing=True)
    targets = moderate_targets(model, flattened(np.asarray(y)))
    targets = targets.reshape(len(targets), -1)
    model.n_outputs_ = targets.shape[1]
    if not np.isfinite(targets).all():
        raise DataError(f"{owner}: y contains NaN or infinity.")
    if criterion == "poisson" and (targets.min() < 0 or targets.sum() <= 0):
        raise DataError(
            f"{owner}: the criterion 'poisson' needs targets of 0 or more that are not "
            "all 0."
        )
    if NUMBER_CRITERIA[criterion] < 0 and targets.shape[1] > 1:
        raise InvalidParameterError(
            f"{owner}.criterion={criterion!r} predicts one target, got "
            f"{targets.shape[1]} outputs."
        )
    weight = Rows(X, weights=weighed(sample_weight, X)).shares()
    aim = aim_at_numbers(targets, criterion, model.quantile)
    return Admitted(X, _table(model, X, aim), aim, weight, None)
