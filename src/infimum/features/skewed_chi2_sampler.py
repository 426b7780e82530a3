"""Skewed χ² features: random waves of logarithms."""

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted, rows
from infimum.errors import DataError
from infimum.features._kernel_error import KernelError, measure_error
from infimum.kernels import SkewedChiSquared
from infimum.parameters import Domains, check_parameters, positive, whole
from infimum.typing import Matrix

__all__ = ["SkewedChi2Sampler"]


class SkewedChi2Sampler(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    r"""Random waves whose inner products approximate the skewed χ² kernel.

    .. math:: Φ_j(x) = \sqrt{2/D} \cos(⟨w_j, \log(x + c)⟩ + b_j)

    The kernel is a product of functions of differences of logarithms, so that the
    waves of `RBFSampler` serve, with frequencies drawn from its spectrum: each entry
    of w has the density sech(πw).

    Parameters
    ----------
    skewedness : float, default=1.0
        c; entries of X must be above -c.
    n_components : int, default=100
        D, the number of waves.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    random_weights_ : ndarray of shape (n_features, n_components)
    random_offset_ : ndarray of shape (n_components,)
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> sampler = SkewedChi2Sampler(n_components=4000, random_state=0)
    >>> Z = sampler.fit_transform(np.array([[0.0], [3.0]]))
    >>> bool(abs(Z[0] @ Z[1] - 0.8) < 0.03)
    True

    References
    ----------
    Li, Ionescu & Sminchisescu (2010), Pattern Recognition (DAGM).
    """

    _domains: ClassVar[Domains] = {
        "skewedness": positive,
        "n_components": whole(1),
    }

    def __init__(
        self,
        *,
        skewedness: float = 1.0,
        n_components: int = 100,
        random_state: Any = None,
    ) -> None:
        self.skewedness = skewedness
        self.n_components = n_components
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw the waves; return self."""
        check_parameters(self)
        X = self._accept(X, reset=True)
        draw = check_random_state(self.random_state)
        count = int(self.n_components)
        quantiles = draw.uniform(size=(X.shape[1], count))
        # The distribution function of the density sech(πw), turned around.
        weights = np.log(np.tan(np.pi / 2 * quantiles)) / np.pi
        self.random_weights_ = weights.astype(X.dtype)
        self.random_offset_ = draw.uniform(0, 2 * np.pi, size=count).astype(X.dtype)
        self._n_features_out = count
        return self

    def transform(self, X: Any) -> Matrix:
        """Return the value of each wave at each sample."""
        check_fitted(self)
        X = self._accept(X, reset=False)
        if X.size and X.min() <= -self.skewedness:
            raise DataError(
                "SkewedChi2Sampler takes entries above minus its skewedness "
                f"({-self.skewedness:g}), the smallest is {X.min():g}."
            )
        logs = np.log(X + X.dtype.type(self.skewedness))
        waves = logs @ self.random_weights_.astype(X.dtype, copy=False)
        waves += self.random_offset_.astype(X.dtype, copy=False)
        np.cos(waves, out=waves)
        waves *= np.sqrt(2.0 / int(self.n_components))
        return np.asarray(waves)

    def error(self, X: Any) -> KernelError:
        """Return how far the inner products of the waves are from the kernel."""
        features = self.transform(X)
        kernel = SkewedChiSquared(float(self.skewedness))
        return measure_error(kernel, self._accept(X, reset=False), features)

    def _accept(self, X: Any, *, reset: bool) -> Any:
        return rows(self, X, moderate=True, reset=reset, accept_sparse=False).X

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
