"""Ordinary least squares, of any rank."""

from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, optimize, sparse
from scipy.sparse.linalg import LinearOperator, lsqr
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    validate_data,
)

from infimum.parameters import check_domain, nonnegative
from infimum.typing import Matrix, Vector

__all__ = ["LinearRegression"]

#: A Gram matrix is trusted while its smallest eigenvalue stands this far above noise.
_TRUST = 1e4
_TALL = 4
_LARGEST_GRAM = 2_000


class LinearRegression(MultiOutputMixin, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    r"""The linear function with the smallest squared error.

    .. math:: \min_{w, b} \sum_i s_i\, (y_i - ⟨w, x_i⟩ - b)^2

    If the columns are independent the solution is unique,
    :math:`w = (X^⊤X)^{-1} X^⊤y`. Otherwise many weights predict the training points
    equally well, and the shortest is returned, :math:`w = (X^⊤X)^+ X^⊤y`; other
    points may then be predicted very differently by another solution. With more
    columns than points the training error is zero and says nothing: regularise.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether to learn b.
    copy_X : bool, default=True
        Kept for compatibility; `X` is never overwritten.
    tol : float, default=1e-6
        Singular values below `tol` times the largest count as zero; tolerance of the
        iteration for large sparse matrices.
    n_jobs : int or None, default=None
        Kept for compatibility; the linear algebra uses all cores.
    positive : bool, default=False
        Whether to allow only weights of at least 0 (dense data).

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    intercept_ : float or ndarray of shape (n_targets,)
    rank_ : int
        Rank of the centred matrix; absent for sparse data solved by iteration and
        with ``positive=True``.
    singular_ : ndarray
        Singular values of the centred, weighted matrix; absent like `rank_`.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]])
    >>> model = LinearRegression().fit(X, [2.0, 4.0, 8.0])
    >>> model.rank_, model.coef_.round(6)
    (1, array([1., 1.]))
    """

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        tol: float = 1e-6,
        n_jobs: int | None = None,
        positive: bool = False,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.tol = tol
        self.n_jobs = n_jobs
        self.positive = positive

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the weights; return self."""
        check_domain("LinearRegression.tol", self.tol, nonnegative)
        X, y = validate_data(
            self,
            X,
            y,
            accept_sparse=False if self.positive else "csr",
            dtype=[np.float64, np.float32],
            y_numeric=True,
            multi_output=True,
        )
        targets = np.asarray(y, dtype=X.dtype).reshape(X.shape[0], -1)
        weights = self._weights(sample_weight, X)
        system = _center(X, targets, weights, fit_intercept=self.fit_intercept)
        answer = self._solve(system)
        for name in ("rank_", "singular_"):
            self.__dict__.pop(name, None)
        if answer.singular is not None:
            self.rank_, self.singular_ = answer.rank, answer.singular
        W = answer.weights.T.astype(X.dtype, copy=False)
        b = system.target_mean - W @ system.mean
        self.coef_ = W if y.ndim > 1 else W[0]
        self.intercept_ = 0.0 if not self.fit_intercept else b if y.ndim > 1 else b[0]
        return self

    def predict(self, X: Any) -> Vector | Matrix:
        """Return ⟨w, x⟩ + b for each sample."""
        check_is_fitted(self)
        X = validate_data(
            self,
            X,
            accept_sparse="csr",
            dtype=[np.float64, np.float32],
            reset=False,
        )
        return np.asarray(X @ self.coef_.T + self.intercept_)

    def _weights(self, sample_weight: Any, X: Any) -> Vector | None:
        if sample_weight is None:
            return None
        return np.asarray(
            _check_sample_weight(
                sample_weight, X, dtype=X.dtype, ensure_non_negative=True
            )
        )

    def _solve(self, system: "_System") -> "_Answer":
        if self.positive:
            return _Answer(_nonnegative(system.matrix, system.targets))
        d = system.shape[1]
        wide = d > _LARGEST_GRAM if system.is_sparse else _TALL * d > system.shape[0]
        answer = None if wide else _by_gram(system, self.tol)
        if answer is not None:
            return answer
        if system.is_sparse:
            return _Answer(_by_iteration(system, self.tol))
        weights, _, rank, singular = linalg.lstsq(
            system.matrix, system.targets, cond=self.tol
        )
        return _Answer(weights, rank, singular)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self.positive
        return tags


class _Answer(NamedTuple):
    weights: Matrix
    rank: int = 0
    singular: Vector | None = None


class _System(NamedTuple):
    """The least-squares system after centring and weighting, never filled if sparse."""

    shape: tuple[int, int]
    is_sparse: bool
    matrix: Any
    forward: Callable[[Any], Any]
    adjoint: Callable[[Any], Any]
    gram: Callable[[], tuple[Matrix, float]]
    targets: Matrix
    mean: Vector
    target_mean: Vector


def _center(
    X: Any, targets: Matrix, weights: Vector | None, *, fit_intercept: bool
) -> _System:
    n, d = X.shape
    mean, target_mean = np.zeros(d, X.dtype), np.zeros(targets.shape[1], X.dtype)
    if fit_intercept:
        share = np.full(n, 1 / n) if weights is None else weights / weights.sum()
        mean = np.asarray(X.T @ share.astype(np.float64)).astype(X.dtype)
        target_mean = (share @ targets).astype(X.dtype)
    root = np.ones((n, 1), X.dtype) if weights is None else np.sqrt(weights)[:, None]
    Y = root * (targets - target_mean)
    if sparse.issparse(X):
        return _sparse_system(X, root, Y, mean, target_mean)
    A = X - mean
    A *= root

    def gram() -> tuple[Matrix, float]:
        product = A.T @ A
        return product, float(product.diagonal().max(initial=0.0))

    return _System(
        (n, d), False, A, A.__matmul__, A.T.__matmul__, gram, Y, mean, target_mean
    )


def _sparse_system(
    X: Any, root: Matrix, Y: Matrix, mean: Vector, target_mean: Vector
) -> _System:
    def forward(W: Any) -> Any:
        return root * (X @ W - mean @ W)

    def adjoint(R: Any) -> Any:
        scaled = root * R
        return X.T @ scaled - np.outer(mean, scaled.sum(axis=0))

    def gram() -> tuple[Matrix, float]:
        weighted = X.multiply(root).tocsr()
        raw = np.asarray((weighted.T @ weighted).todense())
        largest = float(raw.diagonal().max(initial=0.0))
        # Σ s (x - m)(x - m)ᵀ = Σ s x xᵀ - (Σ s) m mᵀ, if m is the weighted mean.
        return raw - (root**2).sum() * np.outer(mean, mean), largest

    return _System(X.shape, True, None, forward, adjoint, gram, Y, mean, target_mean)


def _by_gram(system: _System, tol: float) -> _Answer | None:
    """Solve the normal equations and refine; None if the rank is in doubt.

    Squaring the matrix squares its condition number, so the first answer may hold
    half the digits only. Each refinement multiplies the error by about 1/_TRUST.
    """
    gram, largest = system.gram()
    spectrum, vectors = linalg.eigh(gram, check_finite=False)
    noise = _TRUST * np.finfo(gram.dtype).eps * max(largest, spectrum[-1])
    if not spectrum[0] > max(noise, tol**2 * spectrum[-1]):
        return None
    weights = np.zeros((len(gram), system.targets.shape[1]), gram.dtype)
    residual = system.targets
    for _ in range(6):
        step = vectors @ ((vectors.T @ system.adjoint(residual)) / spectrum[:, None])
        weights += step
        if np.abs(step).max() <= np.finfo(gram.dtype).eps * np.abs(weights).max():
            break
        residual = system.targets - system.forward(weights)
    return _Answer(weights, len(gram), np.sqrt(spectrum[::-1]))


def _by_iteration(system: _System, tol: float) -> Matrix:
    """Run LSQR from zero: its iterates stay in the row space, so the norm is least.

    A direction whose singular value is `tol` times the largest weighs `tol` squared
    in the quantity that LSQR watches.
    """
    accuracy = max(tol**2, float(np.finfo(np.float64).eps))
    operator = LinearOperator(
        shape=system.shape,
        matvec=lambda w: system.forward(np.reshape(w, (-1, 1))).ravel(),
        rmatvec=lambda r: system.adjoint(np.reshape(r, (-1, 1))).ravel(),
        dtype=system.targets.dtype,
    )
    return np.column_stack(
        [lsqr(operator, y, atol=accuracy, btol=accuracy)[0] for y in system.targets.T]
    )


def _nonnegative(A: Matrix, Y: Matrix) -> Matrix:
    d = A.shape[1]
    if A.shape[0] > 2 * d:
        # ‖Aw - y‖² and ‖Rw - Qᵀy‖² differ by a constant.
        joint: Any = np.linalg.qr(np.hstack([A, Y]), mode="r")
        A, Y = joint[:, :d], joint[:, d:]
    columns: list[NDArray[Any]] = [
        optimize.nnls(A.astype(np.float64), y.astype(np.float64))[0] for y in Y.T
    ]
    return np.column_stack(columns)
