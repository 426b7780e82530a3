"""A feature map: any list of functions, read as one function into ℝᴰ."""

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from infimum.data.doors import check_fitted
from infimum.errors import DataError, InvalidParameterError
from infimum.typing import Matrix

__all__ = ["FeatureMap"]


class FeatureMap(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""Objects of any kind described by a fixed list of numbers, one per function.

    .. math:: Φ(x) = (Φ_1(x), …, Φ_D(x))

    The functions are chosen before the data are seen, so nothing is learnt in ``fit``.
    Followed by a linear model this is a basis expansion
    :math:`f(x) = \sum_i w_i Φ_i(x)`; two maps are joined with ``+``, and
    ``kernel`` gives the inner products :math:`⟨Φ(x), Φ(z)⟩`.

    Parameters
    ----------
    functions : sequence of callables
        Each maps one object to one number; with ``vectorized=True``, the whole
        collection to one number per object.
    names : sequence of str or None, default=None
        Names of the features; None takes the names of the functions.
    vectorized : bool, default=False
        Whether a function is called once with the whole collection.

    Attributes
    ----------
    n_features_out_ : int

    Examples
    --------
    >>> words = FeatureMap([len, lambda word: word.count("a")], names=["size", "a"])
    >>> words.fit_transform(["banana", "plum"])
    array([[6., 3.],
           [4., 0.]])
    """

    def __init__(
        self,
        functions: Sequence[Callable[[Any], Any]],
        *,
        names: Sequence[str] | None = None,
        vectorized: bool = False,
    ) -> None:
        self.functions = functions
        self.names = names
        self.vectorized = vectorized

    def fit(self, X: Any = None, y: Any = None) -> Self:
        """Check the functions and their names; the data are not looked at."""
        if not self.functions:
            raise InvalidParameterError(
                "FeatureMap.functions must hold at least one function, got none."
            )
        if self.names is not None and len(self.names) != len(self.functions):
            raise InvalidParameterError(
                f"FeatureMap.names must have one name per function "
                f"({len(self.functions)}), got {len(self.names)}."
            )
        self.n_features_out_ = len(self.functions)
        return self

    def transform(self, X: Any) -> Matrix:
        """Return the matrix Φ with one row per object and one column per function."""
        check_fitted(self)
        return np.column_stack([self._column(f, X) for f in self.functions])

    def kernel(self, A: Any, B: Any = None) -> Matrix:
        """Return the inner products ⟨Φ(a), Φ(b)⟩ of two collections of objects."""
        left = self.fit().transform(A)
        right = left if B is None else self.transform(B)
        return np.asarray(left @ right.T)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the name of each function."""
        given = self.names if self.names is not None else map(_name, self.functions)
        return np.asarray(list(given), dtype=object)

    def __add__(self, other: "FeatureMap") -> "FeatureMap":
        """Return the map x ↦ (Φ(x), Ψ(x))."""
        return FeatureMap(
            [*self._single(), *other._single()],
            names=[*self.get_feature_names_out(), *other.get_feature_names_out()],
        )

    def _single(self) -> list[Callable[[Any], Any]]:
        if not self.vectorized:
            return list(self.functions)
        return [_one_by_one(function) for function in self.functions]

    def _column(self, function: Callable[[Any], Any], X: Any) -> Matrix:
        values = function(X) if self.vectorized else [function(x) for x in X]
        column = np.asarray(values, dtype=np.float64)
        if column.shape != (len(X),):
            raise DataError(
                f"FeatureMap: {_name(function)} must give one number per object "
                f"(shape ({len(X)},)), got shape {column.shape}."
            )
        return column

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.no_validation = True
        return tags


def _name(function: Callable[[Any], Any]) -> str:
    return str(getattr(function, "__name__", repr(function)))


def _one_by_one(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def single(x: Any) -> Any:
        return np.asarray(function(np.asarray([x])))[0]

    single.__name__ = _name(function)
    return single
