"""The parameters of scikit-learn's histogram boosting, checked and put in order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.errors import InvalidParameterError
from infimum.models.ensembles.boosting._gradient_boosting import BoostingPlan
from infimum.models.ensembles.boosting._growth_state import GrowthLimits
from infimum.models.trees._interactions import interaction_sets
from infimum.typing import Mask

__all__ = ["histogram_plan", "monotone_of"]

#: Rows from which early stopping is on unless told otherwise.
MANY = 10_000


def histogram_plan(model: Any, n: int, d: int, categorical: Mask) -> BoostingPlan:
    """Return what a histogram boosting model is asked to do."""
    asked = n > MANY if model.early_stopping == "auto" else model.early_stopping
    limits = GrowthLimits(
        model.max_leaf_nodes,
        model.max_depth,
        model.min_samples_leaf,
        float(model.l2_regularization),
        float(model.max_features),
        monotone=monotone_of(model, d, categorical),
        groups=None if model.interaction_cst is None else _groups(model, d),
    )
    return BoostingPlan(
        limits,
        model.max_iter,
        float(model.learning_rate),
        float(model.subsample),
        model.max_bins,
        model.n_iter_no_change if asked else None,
        model.validation_fraction,
        float(model.tol),
        model.scoring,
    )


def monotone_of(model: Any, d: int, categorical: Mask) -> NDArray[np.int64] | None:
    """Return the direction of each feature, given by position or by name."""
    given, owner = model.monotonic_cst, f"{type(model).__name__}.monotonic_cst"
    if given is None:
        return None
    if isinstance(given, dict):
        names = [str(name) for name in getattr(model, "feature_names_in_", ())]
        unknown = [str(key) for key in given if str(key) not in names]
        if unknown:
            raise InvalidParameterError(f"{owner}: there is no column {unknown[0]!r}.")
        given = [given.get(name, 0) for name in names]
    directions = np.asarray(given)
    if directions.shape != (d,) or not np.isin(directions, [-1, 0, 1]).all():
        raise InvalidParameterError(
            f"{owner} must be -1, 0 or 1 for each of the {d} features, got {given!r}."
        )
    if (directions[categorical] != 0).any():
        raise InvalidParameterError(
            f"{owner} must be 0 for categories, which have no order."
        )
    return directions.astype(np.int64)


def _groups(model: Any, d: int) -> NDArray[np.uint8] | None:
    """Return which features may be met on one path, a line for each group."""
    sets = interaction_sets(model, d)
    if sets is None:
        return None
    return np.array([[j in each for j in range(d)] for each in sets], dtype=np.uint8)
