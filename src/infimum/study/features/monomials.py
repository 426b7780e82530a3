"""Products of pairs of columns: the features of the quadratic kernel."""

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
from infimum.parameters import Choice, check_domain

__all__ = ["QuadraticMonomials"]

_PAIRS = Choice(("unordered", "isometric", "ordered"))


class QuadraticMonomials(NumericTransformer):
    r"""All products of two columns, squares included.

    .. math:: Φ(x) = (x_i x_j)_{i ≤ j}, \quad d(d+1)/2 \text{ columns}

    Parameters
    ----------
    pairs : {"unordered", "isometric", "ordered"}, default="unordered"
        Which products become columns. "unordered" has each pair once; "isometric"
        has each pair once and multiplies the mixed ones by √2, "ordered" has
        :math:`d^2` columns: in both the inner product of two images is
        :math:`⟨x, z⟩^2`.

    Attributes
    ----------
    n_features_in_ : int

    Examples
    --------
    >>> QuadraticMonomials().fit_transform([[2.0, 3.0]])
    array([[4., 6., 9.]])
    """

    def __init__(self, pairs: str = "unordered") -> None:
        self.pairs = pairs

    def fit(self, X: Any, y: Any = None) -> Self:
        """Note the number of columns; return self."""
        check_domain("QuadraticMonomials.pairs", self.pairs, _PAIRS)
        accept_columns(self, X, reset=True)
        return self

    def transform(self, X: Any) -> Any:
        """Return the matrix of products, sparse if `X` is sparse."""
        check_fitted(self, "n_features_in_")
        X = accept_columns(self, X, reset=False)
        left, right = self._columns()
        if is_sparse(X):
            return self._sparse_products(X, len(left))
        return X[:, left] * X[:, right] * self._weights(left, right, X.dtype)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the formula of each column."""
        check_fitted(self, "n_features_in_")
        names = input_names(self, input_features)
        pairs = zip(*self._columns(), strict=True)
        formulas = [
            f"{names[i]}^2" if i == j else f"{names[i]} {names[j]}" for i, j in pairs
        ]
        return np.asarray(formulas, dtype=object)

    def _columns(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        d = self.n_features_in_
        if self.pairs == "ordered":
            left, right = np.divmod(np.arange(d * d), d)
        else:
            left, right = np.triu_indices(d)
        return left, right

    def _weights(self, left: Any, right: Any, dtype: Any) -> NDArray[Any]:
        mixed = np.sqrt(2.0) if self.pairs == "isometric" else 1.0
        return np.where(left == right, 1.0, mixed).astype(dtype)

    def _sparse_products(self, X: Any, width: int) -> Any:
        # Every stored entry meets every stored entry of its own row.
        sizes = np.diff(X.indptr)
        rows = np.repeat(np.arange(X.shape[0]), sizes)
        partners = sizes[rows]
        first = np.repeat(np.arange(X.nnz), partners)
        within = np.arange(partners.sum()) - np.repeat(
            np.cumsum(partners) - partners, partners
        )
        second = X.indptr[rows[first]] + within
        i, j = X.indices[first].astype(np.int64), X.indices[second].astype(np.int64)
        if self.pairs != "ordered":
            kept = i <= j
            first, second, i, j = first[kept], second[kept], i[kept], j[kept]
        values = X.data[first] * X.data[second] * self._weights(i, j, X.dtype)
        shape = (X.shape[0], width)
        return sparse.csr_array((values, (rows[first], self._position(i, j))), shape)

    def _position(self, i: Any, j: Any) -> Any:
        d = self.n_features_in_
        # Row i of the upper triangle starts after i rows of d, d-1, … entries.
        return i * d + j if self.pairs == "ordered" else i * d - i * (i + 1) // 2 + j
