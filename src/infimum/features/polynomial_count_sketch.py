"""Polynomial sketch: monomials hashed into a few columns."""

from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted, rows
from infimum.features._kernel_error import KernelError, measure_error
from infimum.features.columns import is_sparse
from infimum.kernels import Polynomial
from infimum.parameters import Domains, check_parameters, nonnegative, positive, whole
from infimum.typing import Matrix

__all__ = ["PolynomialCountSketch"]


class PolynomialCountSketch(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    r"""Tensor sketch: features that approximate the polynomial kernel.

    .. math:: ⟨Φ(x), Φ(z)⟩ ≈ (γ⟨x, z⟩ + c_0)^{\text{degree}}

    Each column of x is thrown into a random bucket with a random sign, once per
    factor; the convolution of these sketches, computed by Fourier transforms, is a
    sketch of all monomials. Its inner products are right in the mean, at the price
    :math:`O(\text{degree}·(d + D \log D))` a sample.

    Parameters
    ----------
    gamma : float, default=1.0
    degree : int, default=2
    coef0 : float, default=0
    n_components : int, default=100
        D, the number of buckets.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    indexHash_ : ndarray of shape (degree, n_features)
        The bucket of each column, with a further column when coef0 > 0.
    bitHash_ : ndarray of shape (degree, n_features)
        Its sign.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> sketch = PolynomialCountSketch(n_components=2048, random_state=0)
    >>> Z = sketch.fit_transform(np.array([[1.0, 2.0], [3.0, 1.0]]))
    >>> bool(abs(Z[0] @ Z[1] - 25.0) < 3.0)
    True
    """

    _domains: ClassVar[Domains] = {
        "gamma": positive,
        "degree": whole(1),
        "coef0": nonnegative,
        "n_components": whole(1),
    }

    def __init__(
        self,
        *,
        gamma: float = 1.0,
        degree: int = 2,
        coef0: float = 0,
        n_components: int = 100,
        random_state: Any = None,
    ) -> None:
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_components = n_components
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw buckets and signs; return self."""
        check_parameters(self)
        X = self._accept(X, reset=True)
        draw = check_random_state(self.random_state)
        shape = (int(self.degree), X.shape[1] + (self.coef0 != 0))
        self.indexHash_ = draw.randint(0, high=int(self.n_components), size=shape)
        self.bitHash_ = draw.choice(a=[-1, 1], size=shape)
        self._n_features_out = int(self.n_components)
        return self

    def transform(self, X: Any) -> Matrix:
        """Return the sketch of each sample."""
        check_fitted(self)
        X = self._accept(X, reset=False)
        kind, size = X.dtype, int(self.n_components)
        rows = self._augment(X)
        waves: Any = 1.0
        for buckets, signs in zip(self.indexHash_, self.bitHash_, strict=True):
            columns = np.arange(rows.shape[1])
            throw = sparse.csr_array(
                (signs.astype(np.float64), (columns, buckets)),
                shape=(rows.shape[1], size),
            )
            sketch = rows @ throw
            dense = sketch.toarray() if is_sparse(sketch) else np.asarray(sketch)
            # Convolution of sketches is multiplication of their transforms.
            waves = waves * np.fft.rfft(dense, axis=1)
        return np.fft.irfft(waves, n=size, axis=1).astype(kind)

    def error(self, X: Any) -> KernelError:
        """Return how far the inner products of the sketches are from the kernel."""
        check_fitted(self)
        samples = self._accept(X, reset=False)
        kernel = Polynomial(self.degree, self.coef0, self.gamma)
        return measure_error(kernel, samples, self.transform(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _augment(self, X: Any) -> Any:
        rows = (np.sqrt(float(self.gamma)) * X).astype(np.float64)
        if self.coef0 == 0:
            return rows
        constant = np.full((X.shape[0], 1), np.sqrt(float(self.coef0)))
        if is_sparse(X):
            return sparse.hstack([rows, sparse.csr_array(constant)], format="csr")
        return np.hstack([rows, constant])

    def _accept(self, X: Any, *, reset: bool) -> Any:
        return rows(self, X, moderate=True, accept_sparse="csr", reset=reset).X
