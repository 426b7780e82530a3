"""Fixed bases for real inputs: sines and powers, applied to every column."""

from abc import ABC, abstractmethod
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
from infimum.parameters import check_domain, whole

__all__ = ["PolynomialBasis", "SineBasis"]


class _ColumnBasis(NumericTransformer, ABC):
    """D functions with φₖ(0) = 0 for every column, so that sparse stays sparse."""

    @abstractmethod
    def _order(self) -> int:
        """Return D, checked."""

    @abstractmethod
    def _apply(self, k: int, values: NDArray[Any]) -> NDArray[Any]:
        """Return φₖ of each value."""

    @abstractmethod
    def _label(self, k: int, name: str) -> str:
        """Return the name of φₖ of a column."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Note the number of columns; return self."""
        self._order()
        accept_columns(self, X, reset=True)
        return self

    def transform(self, X: Any) -> Any:
        """Return φ₁ of all columns, then φ₂ of all columns, and so on."""
        check_fitted(self, "n_features_in_")
        X = accept_columns(self, X, reset=False)
        orders = range(1, self._order() + 1)
        if not is_sparse(X):
            return np.hstack([self._apply(k, X) for k in orders])
        blocks = []
        for k in orders:
            block = X.copy()
            block.data = self._apply(k, X.data)
            blocks.append(block)
        return sparse.hstack(blocks, format="csr")

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the formula of each column."""
        check_fitted(self, "n_features_in_")
        names = input_names(self, input_features)
        orders = range(1, self._order() + 1)
        return np.asarray([self._label(k, n) for k in orders for n in names], object)


class SineBasis(_ColumnBasis):
    r"""The first sines: a Fourier basis for functions that vanish at 0 and π.

    .. math:: φ_k(x) = \sin(kx), \quad k = 1, …, D

    Orthogonal on [0, π] and on any whole period. Scale inputs to that range first.

    Parameters
    ----------
    n_functions : int, default=10
        D, the highest frequency.

    Attributes
    ----------
    n_features_in_ : int

    Examples
    --------
    >>> SineBasis(3).fit([[0.0]]).get_feature_names_out()
    array(['sin(1 x0)', 'sin(2 x0)', 'sin(3 x0)'], dtype=object)
    """

    def __init__(self, n_functions: int = 10) -> None:
        self.n_functions = n_functions

    def _order(self) -> int:
        check_domain("SineBasis.n_functions", self.n_functions, whole(1))
        return int(self.n_functions)

    def _apply(self, k: int, values: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(np.sin(values.dtype.type(k) * values))

    def _label(self, k: int, name: str) -> str:
        return f"sin({k} {name})"


class PolynomialBasis(_ColumnBasis):
    r"""The powers of every column, without the constant and without mixed terms.

    .. math:: φ_k(x) = x^k, \quad k = 1, …, D

    The constant belongs to the intercept of the model that follows; products of
    different columns are :class:`~infimum.features.QuadraticMonomials`.

    Parameters
    ----------
    degree : int, default=3
        D, the highest power.

    Attributes
    ----------
    n_features_in_ : int

    Examples
    --------
    >>> PolynomialBasis(3).fit_transform([[2.0], [3.0]])
    array([[ 2.,  4.,  8.],
           [ 3.,  9., 27.]])
    """

    def __init__(self, degree: int = 3) -> None:
        self.degree = degree

    def _order(self) -> int:
        check_domain("PolynomialBasis.degree", self.degree, whole(1))
        return int(self.degree)

    def _apply(self, k: int, values: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(values**k)

    def _label(self, k: int, name: str) -> str:
        return name if k == 1 else f"{name}^{k}"
