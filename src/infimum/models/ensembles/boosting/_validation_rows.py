"""Rows that a user sets apart to judge the rounds of boosting by."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from infimum.data.doors import same_length, vector, weighed
from infimum.errors import DataError, InvalidParameterError
from infimum.models.ensembles.boosting._boosting_door import admit_more
from infimum.typing import Mask, Vector

__all__ = ["ask_for_validation", "with_validation"]


def ask_for_validation(model: Any, X: Any, y: Any, weights: Any) -> Any:
    """Return the rows that judge as they were given, or None if there are none."""
    owner = type(model).__name__
    if X is None and y is None and weights is None:
        return None
    if X is None or y is None:
        raise DataError(f"{owner}.fit: X_val and y_val are given together or not.")
    if model.early_stopping is False:
        raise InvalidParameterError(
            f"{owner}.early_stopping must be 'auto' or True where X_val and y_val are "
            "given, got False."
        )
    return X, y, weights


def with_validation(
    model: Any, X: Any, y: Vector, weights: Vector | None, given: Any
) -> tuple[Any, Vector, Vector | None, Mask]:
    """Return all rows, those that judge below the others, and which they are."""
    more = admit_more(model, given[0])
    same_length(more, given[1])
    told, mass = model._admit_more_targets(vector(given[1]), weighed(given[2], more))
    table = _below(X, more)
    if weights is not None or mass is not None:
        both = [
            np.ones(rows.shape[0]) if own is None else own
            for rows, own in ((X, weights), (more, mass))
        ]
        weights = np.concatenate(both)
    apart = np.repeat([False, True], [X.shape[0], len(told)])
    return table, np.concatenate([y, told]), weights, apart


def _below(X: Any, more: Any) -> Any:
    """Return a table with other rows below its own, in the way it is kept itself."""
    if hasattr(X, "tocsr"):
        return sparse.vstack([X, sparse.csr_array(more)]).tocsr()
    dense = more.toarray() if hasattr(more, "toarray") else more
    return np.concatenate([X, dense.astype(X.dtype, copy=False)])
