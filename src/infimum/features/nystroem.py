"""Nyström features: a kernel made finite by a few landmarks."""

import math
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted, rows
from infimum.errors import IncompatibleError
from infimum.features._kernel_error import KernelError, measure_error
from infimum.features._landmarks import choose_by_leverage, choose_by_means
from infimum.features.columns import is_sparse
from infimum.kernels import Kernel, named_kernel
from infimum.kernels.vectors import VectorKernel
from infimum.parameters import (
    Choice,
    Domains,
    Interval,
    check_parameters,
    or_none,
    whole,
)
from infimum.typing import Matrix

__all__ = ["Nystroem"]

_LANDMARKS = Choice(("uniform", "leverage", "k-means"))


class Nystroem(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""Explicit features whose inner products approximate any kernel.

    .. math:: Φ(x) = K_{LL}^{-1/2}\, k(L, x), \qquad
              ⟨Φ(x), Φ(z)⟩ = k(x, L)\,K_{LL}^{+}\,k(L, z) ≈ k(x, z)

    where L are a few landmarks among the samples. A linear model on these features is
    a kernel method whose cost grows with the number of landmarks instead of samples.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        A kernel of `infimum.kernels` (on things of any kind), scikit-learn's name of
        one, a function of two samples, or "precomputed".
    gamma, coef0, degree : float or None, default=None
        Parameters of a named kernel, as in scikit-learn.
    kernel_params : dict or None, default=None
        Further arguments of a kernel that is a function.
    n_components : int, default=100
        How many landmarks; at most as many as there are samples.
    random_state : int, RandomState or None, default=None
    n_jobs : int or None, default=None
        Accepted for compatibility: kernels are computed by BLAS, which has its own
        threads.
    landmarks : {"uniform", "leverage", "k-means"}, default="uniform"
        How they are chosen: any sample alike; the more likely the less the others
        explain it; or the centres of clusters (dense vectors only).

    Attributes
    ----------
    components_ : the landmarks
    component_indices_ : ndarray of shape (n_components,) or None
        Which samples they are; None for centres of clusters.
    normalization_ : ndarray of shape (n_components, n_components)
        :math:`K_{LL}^{-1/2}`, on the directions that exist.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0]])
    >>> Z = Nystroem(gamma=0.5, n_components=3, random_state=0).fit_transform(X)
    >>> (Z @ Z.T).round(3)
    array([[1.   , 0.607, 0.135],
           [0.607, 1.   , 0.607],
           [0.135, 0.607, 1.   ]])
    """

    _domains: ClassVar[Domains] = {
        "n_components": whole(1),
        "degree": or_none(Interval(1, math.inf)),
        "landmarks": _LANDMARKS,
    }

    def __init__(
        self,
        kernel: str | Kernel | Callable[..., float] = "rbf",
        *,
        gamma: float | None = None,
        coef0: float | None = None,
        degree: float | None = None,
        kernel_params: dict[str, Any] | None = None,
        n_components: int = 100,
        random_state: Any = None,
        n_jobs: int | None = None,
        landmarks: str = "uniform",
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.coef0 = coef0
        self.degree = degree
        self.kernel_params = kernel_params
        self.n_components = n_components
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.landmarks = landmarks

    def fit(self, X: Any, y: Any = None) -> Self:
        """Choose the landmarks and whiten their Gram matrix; return self."""
        check_parameters(self)
        self._refuse_unused()
        X = self._accept(X, reset=True)
        self._choose(X)
        if self.kernel_ is None:
            gram = self._compare(self.components_)[:, self.component_indices_]
        else:
            gram = self.kernel_(self.components_)
        values, vectors = np.linalg.eigh(np.asarray(gram, dtype=np.float64))
        size = np.abs(values).max(initial=0.0)
        kept = values > len(values) * np.finfo(np.float64).eps * size
        half = vectors[:, kept] / np.sqrt(values[kept])
        self.normalization_ = (half @ vectors[:, kept].T).astype(gram.dtype)
        self._n_features_out = len(values)
        return self

    def _refuse_unused(self) -> None:
        """Refuse parameters of kernels known by name for one that is not."""
        named = isinstance(self.kernel, str) and self.kernel != "precomputed"
        unused = (self.gamma, self.coef0, self.degree)
        if not named and any(each is not None for each in unused):
            raise IncompatibleError(
                "Don't pass gamma, coef0 or degree to Nystroem if using a callable or "
                "precomputed kernel."
            )

    def transform(self, X: Any) -> Matrix:
        """Return one row of features per sample."""
        check_fitted(self)
        similar = self._compare(self._accept(X, reset=False))
        if self.kernel_ is None:
            similar = similar[:, self.component_indices_]
        return np.asarray(similar @ self.normalization_.T.astype(similar.dtype))

    def error(self, X: Any) -> KernelError:
        """Return how far the inner products of the features are from the kernel."""
        check_fitted(self)
        if self.kernel_ is None:
            raise IncompatibleError(
                "Nystroem cannot compare with a precomputed kernel: compute K - ΦΦᵀ."
            )
        things = self._accept(X, reset=False)
        return measure_error(self.kernel_, things, self.transform(X))

    @property
    def kernel_(self) -> Kernel | None:
        """The kernel in use; None for "precomputed"."""
        if isinstance(self.kernel, str) and self.kernel == "precomputed":
            return None
        given = {"gamma": self.gamma, "coef0": self.coef0, "degree": self.degree}
        if callable(self.kernel) and not isinstance(self.kernel, Kernel):
            given = dict(self.kernel_params or {})
        features = getattr(self, "n_features_in_", 1)
        return named_kernel("Nystroem", self.kernel, features, given)

    def _choose(self, X: Any) -> None:
        draw = check_random_state(self.random_state)
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        count = min(n, int(self.n_components))
        if self.landmarks == "uniform":
            chosen = draw.permutation(n)[:count]
        elif self.kernel_ is None:
            raise IncompatibleError(
                f"Nystroem: landmarks={self.landmarks!r} needs a kernel that can be "
                "computed; a precomputed one allows only 'uniform'."
            )
        elif self.landmarks == "leverage":
            chosen = choose_by_leverage(self.kernel_, X, count, draw)
        else:
            self._choose_centres(X, count, draw)
            return
        self.component_indices_: NDArray[np.intp] | None = np.asarray(chosen)
        picked = X[chosen] if hasattr(X, "shape") else [X[i] for i in chosen]
        self.components_ = picked

    def _choose_centres(self, X: Any, count: int, draw: Any) -> None:
        if not isinstance(X, np.ndarray) or X.dtype.kind != "f":
            raise IncompatibleError(
                "Nystroem: landmarks='k-means' needs dense vectors: means of sparse "
                "rows or of other things are not of their kind."
            )
        self.component_indices_ = None
        self.components_ = choose_by_means(X, count, draw)

    def _compare(self, X: Any) -> Matrix:
        if self.kernel_ is None:
            return np.asarray(X.toarray() if is_sparse(X) else X)
        return self.kernel_(X, self.components_)

    def _accept(self, X: Any, *, reset: bool) -> Any:
        if isinstance(self.kernel, Kernel) and not isinstance(
            self.kernel, VectorKernel
        ):
            return X if hasattr(X, "shape") else list(X)
        return rows(self, X, moderate=True, accept_sparse="csr", reset=reset).X

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.kernel == "precomputed"
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
