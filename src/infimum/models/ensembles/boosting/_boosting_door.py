"""How tables enter boosting: missing values are welcome, categories become numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.data.doors import array, check_fitted, read
from infimum.data.doors.reading import describe
from infimum.errors import InvalidParameterError
from infimum.typing import Mask, Vector

__all__ = ["admit_more", "admit_rows", "admit_training", "is_plain"]

TABLE = 2


def is_plain(model: Any, X: Any) -> bool:
    """Tell whether X can be read as it is: an array of floats of the right width."""
    return (
        type(X) is np.ndarray
        and X.ndim == TABLE
        and X.dtype.char in "fd"
        and len(X) > 0
        and X.shape[1] == model.n_features_in_
        and not model._levels
        and not hasattr(model, "feature_names_in_")
    )


def admit_rows(model: Any, X: Any) -> Any:
    """Admit rows for a fitted model, categories replaced by their numbers."""
    if "trees_" not in model.__dict__:  # the full check takes longer than 100 trees
        check_fitted(model)
    return X if is_plain(model, X) else admit_more(model, X)


def admit_more(model: Any, X: Any) -> Any:
    """Admit rows beside those of the training, of the same columns."""
    if not model._levels:
        return read(model, X, missing="unchecked", reset=False)[0]
    X = _as_table(X)
    describe(model, X, reset=False)
    how: Any = {"ensure_all_finite": False, "input_name": "X", "estimator": model}
    return array(_encode(X, model._levels), **how)


def admit_training(
    model: Any, X: Any, y: Any, weights: Any, **named: Any
) -> tuple[Any, Any, Mask]:
    """Admit a training table; record the levels of its categories on the model."""
    if isinstance(getattr(model, "categorical_features", None), list | np.ndarray):
        X = _as_table(X)
    categorical = _which(model, X)
    if not categorical.any():
        model._levels = {}
        X, y = read(model, X, y, missing="unchecked", **named)
        return X, y, np.zeros(X.shape[1], dtype=bool)
    most = getattr(model, "max_bins", 255)
    model._levels = {
        int(j): _levels_of(_column(X, j), weights, most)
        for j in np.flatnonzero(categorical)
    }
    given, names = X, _encode(X, model._levels)
    X, y = read(model, names, y, missing="unchecked", **named)
    describe(model, given)
    return X, y, categorical


def _as_table(X: Any) -> Any:
    return X if hasattr(X, "shape") else np.asarray(X)


def _which(model: Any, X: Any) -> Mask:
    """Return which columns are categorical."""
    asked = getattr(model, "categorical_features", None)
    width = X.shape[1] if hasattr(X, "shape") and len(X.shape) == TABLE else 0
    mask = np.zeros(width, dtype=bool)
    if asked is None or not width:
        return mask
    if isinstance(asked, str):
        if asked != "from_dtype":
            raise InvalidParameterError(
                f"{type(model).__name__}.categorical_features must be 'from_dtype', "
                f"None, or name columns in a list, got {asked!r}."
            )
        kinds = [str(kind) for kind in getattr(X, "dtypes", ())]
        told = [kind.lower().startswith(("categ", "enum")) for kind in kinds]
        return np.array(told, dtype=bool) if told else mask
    return _named(type(model).__name__, np.asarray(asked), X, mask)


def _named(owner: str, asked: NDArray[Any], X: Any, mask: Mask) -> Mask:
    if asked.dtype == bool and asked.shape == mask.shape:
        return asked
    if asked.dtype.kind in "iu" and ((asked >= 0) & (asked < len(mask))).all():
        mask[asked] = True
        return mask
    columns = [str(name) for name in getattr(X, "columns", ())]
    if (
        asked.ndim == 1
        and asked.dtype.kind in "UO"
        and set(map(str, asked)) <= set(columns)
    ):
        mask[[columns.index(str(name)) for name in asked]] = True
        return mask
    if asked.size:
        raise InvalidParameterError(
            f"{owner}.categorical_features must be a mask, positions or names of the "
            f"{len(mask)} columns, got {asked.tolist()!r}."
        )
    return mask


def _column(X: Any, j: Any) -> NDArray[Any]:
    if hasattr(X, "iloc"):
        return np.asarray(X.iloc[:, j])
    if hasattr(X, "get_columns"):
        return np.asarray(X.get_columns()[j].to_numpy())
    if hasattr(X, "tocsc"):
        return np.asarray(X.tocsc()[:, [j]].toarray()).ravel()
    return np.asarray(X)[:, j]


def _known(column: NDArray[Any]) -> Mask:
    if column.dtype.kind == "f":
        return np.asarray(~np.isnan(column))
    if column.dtype == object:
        return np.array([v is not None and v == v for v in column], dtype=bool)  # noqa: PLR0124
    return np.ones(len(column), dtype=bool)


def _levels_of(column: NDArray[Any], weights: Vector | None, most: int) -> Any:
    """Return the levels of a column, in order; the heaviest where there are too many.

    Those left out, like all that come later, are treated as missing.
    """
    known = _known(column)
    if weights is not None:
        known &= weights > 0
    levels, places = np.unique(column[known], return_inverse=True)
    if len(levels) > most:
        mass = None if weights is None else weights[known]
        heavy = np.bincount(places, mass, minlength=len(levels))
        levels = levels[np.sort(np.argsort(-heavy, kind="stable")[:most])]
    return levels


def _encode(X: Any, levels: dict[int, Any]) -> Any:
    """Return the table with numbers for categories; what is unknown is missing."""
    out = np.empty(X.shape)
    for j in range(X.shape[1]):
        column = _column(X, j)
        if j not in levels:
            out[:, j] = column
            continue
        out[:, j] = np.nan
        known = np.flatnonzero(_known(column))
        if len(levels[j]):
            places = np.searchsorted(levels[j], column[known])
            places = np.minimum(places, len(levels[j]) - 1)
            right = levels[j][places] == column[known]
            out[known[right], j] = places[right]
    return out
