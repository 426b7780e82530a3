"""Truncated singular value decomposition: PCA that does not move the data."""

from typing import Any, ClassVar, Self

import numpy as np
from scipy import linalg
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state
from sklearn.utils.extmath import svd_flip
from sklearn.utils.sparsefuncs import mean_variance_axis

from infimum.data.doors import check_fitted, refuse_tiny, rows, samples
from infimum.features.columns import is_sparse
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.embedding.axes.pca import TINY
from infimum.models.leading_eigenpairs import leading_eigenpairs
from infimum.parameters import (
    Choice,
    Domains,
    check_domain,
    check_parameters,
    nonnegative,
    whole,
)
from infimum.typing import Matrix, Vector

__all__ = ["TruncatedSVD"]

_SOLVERS = Choice(("arpack", "randomized"))
#: Up to this share of all axes an iteration is cheaper than the whole decomposition.
FEW = 0.2


class TruncatedSVD(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    r"""The linear subspace nearest to the data, which are not centred.

    .. math:: X ≈ U_k Σ_k V_k^\top, \qquad z = V_k^\top x

    Of all matrices of rank k this is the nearest. Without a mean to subtract, sparse
    data such as counts of words stay sparse if at most a fifth of all components is
    asked for (there it is called latent semantic analysis); for more of them a dense
    copy is decomposed.

    Parameters
    ----------
    n_components : int, default=2
        At most the number of features.
    algorithm : {'arpack', 'randomized'}, default='randomized'
        Both stand for block Krylov, which stops at its residual, or for the whole
        decomposition where more than a fifth of all components is asked for.
    n_iter, n_oversamples, power_iteration_normalizer
        Accepted for compatibility: the residual decides when to stop.
    random_state : int, RandomState or None, default=None
    tol : float, default=0.0
        Relative residual at which block Krylov stops; 0 stands for 1e-12.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
    explained_variance_, explained_variance_ratio_, singular_values_ : ndarray
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[3.0, 0.0], [0.0, 2.0], [3.0, 0.0]])
    >>> TruncatedSVD(1).fit(X).singular_values_.round(6)
    array([4.242641])
    """

    _domains: ClassVar[Domains] = {
        "n_iter": whole(0),
        "algorithm": _SOLVERS,
        "tol": nonnegative,
    }

    def __init__(
        self,
        n_components: int = 2,
        *,
        algorithm: str = "randomized",
        n_iter: int = 5,
        n_oversamples: int = 10,
        power_iteration_normalizer: str = "auto",
        random_state: Any = None,
        tol: float = 0.0,
    ) -> None:
        self.n_components = n_components
        self.algorithm = algorithm
        self.n_iter = n_iter
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state
        self.tol = tol

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the axes; return self."""
        self.fit_transform(X)
        return self

    @whole_or_not_at_all
    def fit_transform(self, X: Any, y: Any = None) -> Matrix:
        """Find the axes and return the coordinates of the same samples."""
        check_parameters(self)
        X = rows(self, X, moderate=True, ensure_min_features=2).X
        check_domain(
            "TruncatedSVD.n_components", self.n_components, whole(1, X.shape[1])
        )
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        count = min(int(self.n_components), *X.shape)
        squares, axes = _leading_axes(X, count, float(self.tol) or 1e-12, seed)
        if squares.sum() < TINY:
            refuse_tiny(self, X)
        _, axes = svd_flip(None, axes, u_based_decision=False)
        self.components_ = np.ascontiguousarray(axes, dtype=X.dtype)
        scores = np.asarray(X @ self.components_.T)
        spread = scores.var(axis=0)
        total = float(_variances(X).sum())
        self.singular_values_ = np.sqrt(squares).astype(X.dtype)
        self.explained_variance_ = spread
        share = spread / total if total > 0 else np.zeros_like(spread)
        self.explained_variance_ratio_ = share.astype(X.dtype)
        self._n_features_out = count
        return scores

    def transform(self, X: Any) -> Matrix:
        """Return the coordinates of samples along the axes."""
        X = samples(self, X)
        return np.asarray(X @ self.components_.T)

    def inverse_transform(self, X: Any) -> Matrix:
        """Return the points of the subspace with these coordinates."""
        check_fitted(self)
        return np.asarray(np.asarray(X) @ self.components_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _leading_axes(X: Any, count: int, tol: float, seed: int) -> tuple[Vector, Matrix]:
    """Return squared singular values and right singular vectors, as rows."""
    if count > FEW * min(X.shape):
        dense = X.toarray() if is_sparse(X) else X
        _, singular, axes = linalg.svd(dense, full_matrices=False)
        return singular[:count] ** 2, axes[:count]
    tall = X.shape[0] >= X.shape[1]

    def gram(V: Matrix) -> Matrix:
        V = V.astype(X.dtype, copy=False)
        return np.asarray(X.T @ (X @ V) if tall else X @ (X.T @ V), dtype=np.float64)

    least = max(tol, 30 * float(np.finfo(X.dtype).eps))
    found = leading_eigenpairs(gram, min(X.shape), count, tol=least, random_state=seed)
    vectors = found.vectors
    if not tall:
        vectors = linalg.qr(np.asarray(X.T @ vectors), mode="economic")[0]
    return np.maximum(found.values, 0.0), vectors.T


def _variances(X: Any) -> Vector:
    if is_sparse(X):
        return np.asarray(mean_variance_axis(X, axis=0)[1])
    return np.asarray(X.var(axis=0))
