"""Random Fourier features: the Gaussian kernel made finite by random waves."""

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted, rows
from infimum.features._kernel_error import KernelError, measure_error
from infimum.features.columns import is_sparse
from infimum.kernels import Gaussian
from infimum.parameters import Domains, check_domain, check_parameters, positive, whole
from infimum.typing import Matrix

__all__ = ["RBFSampler"]


class RBFSampler(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""Random waves whose inner products approximate the Gaussian kernel.

    .. math:: Φ_j(x) = \sqrt{2/D} \cos(⟨w_j, x⟩ + b_j), \qquad
              w_j \sim N(0, 2γI), \; b_j \sim U(0, 2π)

    The mean of :math:`⟨Φ(x), Φ(z)⟩` is :math:`e^{-γ\|x - z\|^2}` exactly, and its
    standard deviation falls like :math:`1/\sqrt D`. The waves do not depend on the
    data.

    Parameters
    ----------
    gamma : float or "scale", default=1.0
        γ; "scale" is 1 / (number of features × variance of X).
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
    >>> sampler = RBFSampler(gamma=0.5, n_components=2000, random_state=0)
    >>> Z = sampler.fit_transform(np.array([[0.0], [1.0]]))
    >>> bool(abs(Z[0] @ Z[1] - np.exp(-0.5)) < 0.05)
    True
    """

    _domains: ClassVar[Domains] = {
        "n_components": whole(1),
    }

    def __init__(
        self,
        *,
        gamma: float | str = 1.0,
        n_components: int = 100,
        random_state: Any = None,
    ) -> None:
        self.gamma = gamma
        self.n_components = n_components
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw the waves; return self."""
        check_parameters(self)
        if self.gamma != "scale":
            check_domain("RBFSampler.gamma", self.gamma, positive)
        X = self._accept(X, reset=True)
        draw = check_random_state(self.random_state)
        count = int(self.n_components)
        self._gamma = _scale(X) if self.gamma == "scale" else float(self.gamma)
        weights = draw.normal(size=(X.shape[1], count)) * np.sqrt(2.0 * self._gamma)
        self.random_weights_ = weights.astype(X.dtype)
        self.random_offset_ = draw.uniform(0, 2 * np.pi, size=count).astype(X.dtype)
        self._n_features_out = count
        return self

    def transform(self, X: Any) -> Matrix:
        """Return the value of each wave at each sample."""
        check_fitted(self)
        X = self._accept(X, reset=False)
        waves = X @ self.random_weights_.astype(X.dtype, copy=False)
        waves = np.asarray(waves)
        waves += self.random_offset_.astype(X.dtype, copy=False)
        np.cos(waves, out=waves)
        waves *= np.sqrt(2.0 / int(self.n_components))
        return waves

    def error(self, X: Any) -> KernelError:
        """Return how far the inner products of the waves are from the kernel."""
        check_fitted(self)
        samples = self._accept(X, reset=False)
        kernel = Gaussian.from_gamma(self._gamma)
        return measure_error(kernel, samples, self.transform(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _accept(self, X: Any, *, reset: bool) -> Any:
        return rows(self, X, moderate=True, accept_sparse="csr", reset=reset).X


def _scale(X: Any) -> float:
    mean = float(X.mean())
    squares = float(X.multiply(X).mean()) if is_sparse(X) else float(np.mean(X * X))
    variance = squares - mean**2 if is_sparse(X) else float(X.var())
    return 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0
