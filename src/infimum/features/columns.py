"""Numeric columns in: what every numeric feature transformer asks at its door."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin

from infimum.data.doors import rows
from infimum.errors import DataError

__all__ = ["NumericTransformer", "accept_columns", "input_names", "is_sparse"]


class NumericTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A transformer of numeric columns, dense or sparse, that keeps float32."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def accept_columns(transformer: Any, X: Any, *, reset: bool) -> Any:
    """Admit a finite dense or CSR matrix of float64 or float32."""
    return rows(transformer, X, moderate=True, accept_sparse="csr", reset=reset).X


def is_sparse(X: Any) -> bool:
    """Return whether `X` is a SciPy sparse matrix or array."""
    return bool(sparse.issparse(X))


def input_names(transformer: Any, given: Any) -> NDArray[Any]:
    """Return the names of the input columns: given, remembered or numbered."""
    remembered = getattr(transformer, "feature_names_in_", None)
    if given is None:
        count = range(transformer.n_features_in_)
        own = [f"x{j}" for j in count] if remembered is None else remembered
        return np.asarray(own, dtype=object)
    names = np.asarray(given, dtype=object)
    if remembered is not None and not np.array_equal(remembered, names):
        raise DataError("input_features is not equal to feature_names_in_.")
    if len(names) != transformer.n_features_in_:
        raise DataError(
            "input_features should have length equal to number of features "
            f"({transformer.n_features_in_}), got {len(names)}."
        )
    return names
