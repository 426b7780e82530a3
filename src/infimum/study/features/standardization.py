"""Standardisation: every column centred and brought to the same size."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from infimum.data.doors import check_fitted
from infimum.errors import DataError
from infimum.features.columns import (
    NumericTransformer,
    accept_columns,
    input_names,
    is_sparse,
)
from infimum.parameters import Choice, check_domain

__all__ = ["Standardizer"]

_SCALES = Choice(("norm", "variance"))


class Standardizer(NumericTransformer):
    r"""Columns with mean 0 and length 1, or with mean 0 and variance 1.

    .. math:: \tilde Φ_{ji} = (Φ_{ji} - \bar Φ_i) / s_i

    where :math:`s_i` is the length :math:`\sqrt{\sum_j (Φ_{ji} - \bar Φ_i)^2}` or,
    shorter by the factor :math:`\sqrt n`, the standard deviation. Penalised models
    weigh a feature by its unit; after standardisation the unit no longer matters.
    Means and sizes of the training points are kept and applied to every later point.

    Parameters
    ----------
    scale : {"norm", "variance"}, default="norm"
        What becomes 1: the Euclidean length of each centred column, or its variance.
    with_mean : bool, default=True
        Whether to centre. Sparse matrices must not be centred (they would fill up).

    Attributes
    ----------
    mean_ : ndarray of shape (n_features,) or None
    scale_ : ndarray of shape (n_features,)
        Divisor of each column; 1 for a column that does not vary.
    n_features_in_ : int

    Examples
    --------
    >>> Standardizer().fit_transform([[0.0], [3.0], [6.0]]).round(4).ravel()
    array([-0.7071,  0.    ,  0.7071])
    """

    def __init__(self, scale: str = "norm", *, with_mean: bool = True) -> None:
        self.scale = scale
        self.with_mean = with_mean

    def fit(self, X: Any, y: Any = None) -> Self:
        """Measure the mean and the size of every column; return self."""
        check_domain("Standardizer.scale", self.scale, _SCALES)
        X = self._accept(X, reset=True)
        n = X.shape[0]
        self.mean_ = _means(X) if self.with_mean else None
        length = _lengths(X, self.mean_)
        # The mean of n equal numbers is off by rounding: that is not variation.
        noise = 10 * np.finfo(X.dtype).eps * np.sqrt(n) * np.abs(_means(X))
        constant = length <= (noise if self.with_mean else 0.0)
        size = length if self.scale == "norm" else length / np.sqrt(n)
        self.scale_ = np.where(constant, 1.0, size)
        return self

    def transform(self, X: Any) -> Any:
        """Return the columns minus their training means, over their training sizes."""
        check_fitted(self, "scale_")
        X = self._accept(X, reset=False)
        scale = self.scale_.astype(X.dtype)
        if is_sparse(X):
            scaled = X.copy()
            scaled.data = X.data / scale[X.indices]
            return scaled
        return (X if self.mean_ is None else X - self.mean_.astype(X.dtype)) / scale

    def inverse_transform(self, X: Any) -> Any:
        """Return the columns in their own units."""
        check_fitted(self, "scale_")
        X = self._accept(X, reset=False)
        scale = self.scale_.astype(X.dtype)
        if is_sparse(X):
            restored = X.copy()
            restored.data = X.data * scale[X.indices]
            return restored
        return X * scale + (0 if self.mean_ is None else self.mean_.astype(X.dtype))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the input columns."""
        check_fitted(self, "scale_")
        return input_names(self, input_features)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self.with_mean
        return tags

    def _accept(self, X: Any, *, reset: bool) -> Any:
        X = accept_columns(self, X, reset=reset)
        if is_sparse(X) and self.with_mean:
            raise DataError(
                "Standardizer cannot centre a sparse matrix without filling it: "
                "pass with_mean=False."
            )
        return X


def _means(X: Any) -> NDArray[np.float64]:
    return np.asarray(X.mean(axis=0, dtype=np.float64)).ravel()


def _lengths(X: Any, mean: NDArray[np.float64] | None) -> NDArray[np.float64]:
    if is_sparse(X):
        squares = np.bincount(
            X.indices, X.data.astype(np.float64) ** 2, minlength=X.shape[1]
        )
        return np.asarray(np.sqrt(squares))
    centred = X.astype(np.float64) - (0.0 if mean is None else mean)
    return np.asarray(np.sqrt(np.einsum("ij,ij->j", centred, centred)))
