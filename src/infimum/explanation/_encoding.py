"""The features a pipeline makes of a table, and the column each one is made of."""

from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from infimum.typing import Indices, Matrix, Vector

__all__ = ["encoded", "last_step", "scale_of", "summed"]


def last_step(model: Any) -> Any:
    """Return the model at the end of a pipeline, or the model itself."""
    return model[-1] if isinstance(model, Pipeline) else model


def encoded(model: Any, X: Any) -> tuple[Matrix, tuple[str, ...], Indices]:
    """Return the features, the columns they are made of, and which is whose."""
    if not isinstance(model, Pipeline):
        matrix = _dense(X)
        names = getattr(X, "columns", None)
        return matrix, _names(names, matrix.shape[1]), np.arange(matrix.shape[1])
    steps = model[:-1]
    matrix = _dense(steps.transform(X))
    first = steps[0]
    if len(steps) == 1 and hasattr(first, "columns_"):
        lengths = [len(column["names"]) for column in first.columns_]
        names = tuple(str(column["column"]) for column in first.columns_)
        return matrix, names, np.repeat(np.arange(len(names)), lengths)
    try:
        labels = steps.get_feature_names_out()
    except (AttributeError, ValueError):
        labels = None
    return matrix, _names(labels, matrix.shape[1]), np.arange(matrix.shape[1])


def summed(parts: Matrix, owners: Indices, width: int) -> Matrix:
    """Return the sums over the features of each column."""
    values = np.zeros((len(parts), width))
    np.add.at(values.T, owners, parts.T)
    return values


def scale_of(predicted: Vector, sums: Vector) -> str:
    """Say what a model's sums are to its predictions: some losses have a link."""
    if np.allclose(sums, predicted):
        return "prediction"
    with np.errstate(over="ignore"):
        powers = np.exp(sums)
    return "log prediction" if np.allclose(powers, predicted) else "score"


def _dense(X: Any) -> Matrix:
    spelled = X.toarray() if hasattr(X, "toarray") else X
    return np.asarray(spelled, dtype=np.float64)


def _names(names: Any, width: int) -> tuple[str, ...]:
    if names is None:
        return tuple(f"x{place}" for place in range(width))
    return tuple(str(name) for name in names)
