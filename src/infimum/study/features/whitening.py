"""Whitening: axes turned and stretched until the data are round."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from infimum.data.doors import check_fitted, rows
from infimum.parameters import check_domain, nonnegative
from infimum.typing import Matrix, Vector

__all__ = ["Whitener"]


class Whitener(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""Coordinates in which the data have the identity as covariance.

    .. math:: \tilde x = (S + λI)^{-1/2} V^\top (x - \bar x), \qquad
              C = \tfrac1n \sum_i (x_i - \bar x)(x_i - \bar x)^\top = V S V^\top

    Rotate to the principal axes, then stretch those with little variance. Lengths in
    the new coordinates are Mahalanobis distances in the old ones. Directions in which
    the data do not vary are left out.

    Parameters
    ----------
    strength : float, default=0.0
        λ, added to every variance; it limits the stretching.

    Attributes
    ----------
    mean_ : ndarray of shape (n_features,)
    axes_ : ndarray of shape (n_axes, n_features)
        Principal axes as rows, by falling variance.
    variances_ : ndarray of shape (n_axes,)
        The variance along each.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[3.0, 0.0], [-3.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    >>> Whitener().fit_transform(X).round(3)
    array([[ 1.414,  0.   ],
           [-1.414,  0.   ],
           [ 0.   ,  1.414],
           [ 0.   , -1.414]])
    """

    def __init__(self, strength: float = 0.0) -> None:
        self.strength = strength

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the principal axes and the variance along each; return self."""
        check_domain("Whitener.strength", self.strength, nonnegative)
        X = self._accept(X, reset=True).astype(np.float64)
        self.mean_ = X.mean(axis=0)
        _, singular, axes = np.linalg.svd(X - self.mean_, full_matrices=False)
        size = np.abs(X).max(initial=0.0)
        noise = max(X.shape) * np.finfo(np.float64).eps
        # Below the root of the smallest number, variances are 0 as far as can be told.
        tiny = np.finfo(np.float64).tiny ** 0.5 * X.shape[0]
        kept = singular > max(noise * max(singular.max(initial=0.0), size), tiny)
        largest = np.abs(axes).argmax(axis=1)
        # An axis has no direction of its own: the largest entry becomes positive.
        signs = np.where(axes[np.arange(len(axes)), largest] < 0, -1.0, 1.0)
        self.axes_ = (signs[:, None] * axes)[kept]
        self.variances_ = singular[kept] ** 2 / X.shape[0]
        return self

    def transform(self, X: Any) -> Matrix:
        """Return the samples in whitened coordinates."""
        check_fitted(self)
        X = self._accept(X, reset=False)
        scales = np.sqrt(self.variances_ + self.strength)
        whitened = (X - self.mean_) @ (self.axes_ / scales[:, None]).T
        return np.asarray(whitened.astype(X.dtype, copy=False))

    def mahalanobis(self, X: Any) -> Vector:
        r"""Return the squared distance :math:`(x-\bar x)^\top C^{-1} (x-\bar x)`."""
        whitened = np.asarray(self.transform(X), dtype=np.float64)
        return np.asarray(np.einsum("ij,ij->i", whitened, whitened))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return one name per axis."""
        check_fitted(self)
        names = [f"axis{j}" for j in range(len(self.axes_))]
        return np.asarray(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _accept(self, X: Any, *, reset: bool) -> Any:
        return rows(self, X, moderate=True, reset=reset, accept_sparse=False).X
