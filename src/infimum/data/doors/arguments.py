"""The door of functions: arrays that are given without an estimator."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.validation import (
    check_array,
    check_consistent_length,
    check_X_y,
    column_or_1d,
)

from infimum.data.canonical import canonical

__all__ = ["array", "flattened", "same_length", "table", "vector"]


def array(X: Any, *, dtype: Any = np.float64, **how: Any) -> Any:
    """Admit an array of finite numbers as scikit-learn's `check_array` does.

    Compressed matrices that are allowed (``accept_sparse``) come in canonical form.

    Examples
    --------
    >>> array([[1, 2]])
    array([[1., 2.]])
    """
    return check_array(canonical(X), dtype=dtype, **how)


def table(X: Any, y: Any, **how: Any) -> tuple[Any, Any]:
    """Admit samples and targets as scikit-learn's `check_X_y` does."""
    found: tuple[Any, Any] = check_X_y(canonical(X), y, **how)
    return found


def vector(y: Any, *, warn: bool = False) -> NDArray[Any]:
    """Admit one entry for each sample; a single column is taken, with a warning."""
    return np.asarray(column_or_1d(y, warn=warn))


def flattened(y: NDArray[Any]) -> NDArray[Any]:
    """Return a single column as a vector, with a warning; all else as it is."""
    if y.ndim > 1 and y.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change "
            "the shape of y to (n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=4,
        )
        return y[:, 0]
    return y


def same_length(*arrays: Any) -> None:
    """Raise unless all have the same number of samples; None has none."""
    check_consistent_length(*arrays)
