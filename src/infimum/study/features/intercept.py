"""The intercept as one more feature: a column of ones."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from infimum.data.doors import check_fitted
from infimum.features.columns import (
    NumericTransformer,
    accept_columns,
    input_names,
    is_sparse,
)

__all__ = ["InterceptColumn"]


class InterceptColumn(NumericTransformer):
    r"""A column of ones at the end of the matrix, so that ⟨w, x⟩ + b is linear.

    .. math:: \tilde X = [X, 1], \quad \tilde w = (w, b), \quad
       \tilde X \tilde w = Xw + b

    Without a penalty the two problems have the same solutions. With one, the column
    is penalised like every other: prefer the intercept of the estimator then.

    Attributes
    ----------
    n_features_in_ : int

    Examples
    --------
    >>> InterceptColumn().fit_transform([[2.0], [3.0]])
    array([[2., 1.],
           [3., 1.]])
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Note the number of columns; return self."""
        accept_columns(self, X, reset=True)
        return self

    def transform(self, X: Any) -> Any:
        """Return [X, 1]."""
        check_fitted(self, "n_features_in_")
        X = accept_columns(self, X, reset=False)
        ones: Any = np.ones((X.shape[0], 1), dtype=X.dtype)
        if is_sparse(X):
            return sparse.hstack([X, sparse.csr_array(ones)], format="csr")
        return np.hstack([X, ones])

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the input names followed by "1"."""
        check_fitted(self, "n_features_in_")
        return np.append(input_names(self, input_features), "1").astype(object)
