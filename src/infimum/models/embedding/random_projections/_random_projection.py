"""Base of random projections: a matrix drawn once, and products with it."""

import warnings
from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from scipy import linalg
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.exceptions import DataDimensionalityWarning
from sklearn.utils import check_random_state

from infimum.data.doors import array, check_fitted, rows, samples
from infimum.errors import InvalidParameterError
from infimum.models._guarded_fit import forget, whole_or_not_at_all
from infimum.models.embedding.random_projections.johnson_lindenstrauss import (
    johnson_lindenstrauss_min_dim,
)
from infimum.parameters import check_domain, check_parameters, opened, whole
from infimum.typing import Matrix

__all__ = ["RandomProjection"]


class RandomProjection(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
    ABC,
):
    """A linear map whose matrix does not look at the data, only at their number."""

    def __init__(
        self,
        n_components: int | str = "auto",
        *,
        eps: float = 0.1,
        compute_inverse_components: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.eps = eps
        self.compute_inverse_components = compute_inverse_components
        self.random_state = random_state

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw the matrix for samples of this shape; return self."""
        check_parameters(self)
        X = rows(self, X, moderate=True).X
        self.n_components_ = self._dimension(*X.shape)
        draw = check_random_state(self.random_state)
        drawn = self._draw(draw, self.n_components_, X.shape[1])
        self.components_ = drawn.astype(X.dtype, copy=False)
        forget(self, "inverse_components_")
        if self.compute_inverse_components:
            self.inverse_components_ = self._pseudo_inverse()
        self._n_features_out = self.n_components_
        return self

    def transform(self, X: Any) -> Any:
        """Return the projections of samples."""
        X = samples(self, X, moderate=True)
        return self._product(X)

    def inverse_transform(self, X: Any) -> Matrix:
        """Return the shortest points with these projections."""
        check_fitted(self)
        kinds = {"dtype": [np.float64, np.float32], "accept_sparse": ("csr", "csc")}
        X = array(X, **kinds)
        inverse = getattr(self, "inverse_components_", None)
        if inverse is None:
            inverse = self._pseudo_inverse()
        return np.asarray(X @ inverse.T)

    @abstractmethod
    def _draw(self, draw: Any, count: int, features: int) -> Any:
        """Return a random matrix with `count` rows that keeps lengths on average."""

    def _product(self, X: Any) -> Any:
        return np.asarray(X @ self.components_.T)

    def _pseudo_inverse(self) -> Matrix:
        rows: Any = self.components_
        dense = rows.toarray() if hasattr(rows, "toarray") else rows
        return np.asarray(linalg.pinv(dense, check_finite=False))

    def _dimension(self, samples: int, features: int) -> int:
        owner = type(self).__name__
        check_domain(f"{owner}.eps", self.eps, opened(0.0, 1.0))
        if self.n_components != "auto":
            check_domain(f"{owner}.n_components", self.n_components, whole(1))
            count = int(self.n_components)
            if count > features:
                warnings.warn(
                    f"{owner}: {count} components of {features} features do not reduce "
                    "the dimension.",
                    DataDimensionalityWarning,
                    stacklevel=4,
                )
            return count
        count = int(johnson_lindenstrauss_min_dim(samples, eps=self.eps))
        if not 1 <= count <= features:
            raise InvalidParameterError(
                f"{owner}: eps={self.eps} and n_samples={samples} ask for {count} "
                f"components, which must be in [1, {features}], the number of features."
            )
        return count

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
