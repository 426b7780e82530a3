"""Hard-impute: fill gaps, keep the leading singular vectors, fill again."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, eigsh
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin

from infimum.compiled.factor_rows import entry_products
from infimum.data.doors import check_fitted, samples
from infimum.limits import in_time
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.recommend._completed import (
    filled,
    matrix_of,
    place_of,
)
from infimum.parameters import Domains, check_domain, check_parameters, positive, whole
from infimum.typing import Matrix, Vector

__all__ = ["HardImpute"]


class HardImpute(
    OneToOneFeatureMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """A matrix of a given rank that is near what was seen.

    Fill the gaps with a guess, keep the leading `rank` singular vectors, fill the gaps
    with what they say, and again. The loss on what was seen never rises; the problem
    is not convex, and where it ends is not proved to be best. The filled matrix is a
    sparse one plus one of low rank, and never formed.

    Parameters
    ----------
    rank : int, default=1
    center : bool, default=False
        Whether means of the seen entries of each column are subtracted first.
    tol : float, default=1e-14
        End when the square of a step is below this share of the matrix's.
    max_iter : int, default=1000

    Attributes
    ----------
    row_factors_, column_factors_ : ndarray of shape (n_rows or n_columns, rank)
    singular_values_ : ndarray of shape (rank,)
    column_means_ : ndarray of shape (n_columns,)
    history_ : list of float
        Mean squared error on the seen entries after each step.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> Z = np.outer([1.0, 2.0, 3.0], [2.0, 1.0, 4.0])
    >>> Z[1, 2] = np.nan
    >>> HardImpute(1).fit(Z).transform(Z).round(3)[1]
    array([4., 2., 8.])
    """

    _domains: ClassVar[Domains] = {
        "rank": whole(1),
        "tol": positive,
        "max_iter": whole(1),
    }

    def __init__(
        self,
        rank: int = 1,
        *,
        center: bool = False,
        tol: float = 1e-14,
        max_iter: int = 1000,
    ) -> None:
        self.rank = rank
        self.center = center
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any = None) -> Self:
        """Complete an array with NaN; return self."""
        return self._fit(X, stored=False)

    def fit_entries(self, X: Any) -> Self:
        """Complete a sparse matrix, whose stored entries were seen; return self."""
        return self._fit(X, stored=True)

    @whole_or_not_at_all
    def _fit(self, X: Any, *, stored: bool) -> Self:
        check_parameters(self)
        seen, self.column_means_ = matrix_of(self, X, center=self.center, stored=stored)
        check_domain("HardImpute.rank", self.rank, whole(1, min(seen.shape)))
        rank = int(self.rank)
        U, V = (np.zeros((size, rank)) for size in seen.shape)
        start = np.random.default_rng(0).standard_normal(min(seen.shape))
        self.history_ = []
        for _ in in_time(range(self.max_iter)):
            left = seen.data - entry_products(seen.indptr, seen.indices, U, V)
            R = sparse.csr_array((left, seen.indices, seen.indptr), seen.shape)
            new = _leading(R, U, V, rank, start)
            moved, size = _distance(new, (U, V))
            U, V = new
            said = entry_products(seen.indptr, seen.indices, U, V)
            self.history_.append(float(np.mean((seen.data - said) ** 2)))
            if moved <= self.tol * size:  # before the first step there is nothing
                break
        self.n_iter_ = len(self.history_)
        self.singular_values_ = np.linalg.norm(U, axis=0)
        roots = np.sqrt(np.maximum(self.singular_values_, 1e-300))
        self.row_factors_, self.column_factors_ = U / roots, V * roots
        return self

    def transform(self, X: Any) -> Matrix:
        """Return rows with gaps filled in, by least squares on the columns."""
        X = samples(self, X, missing=True, accept_sparse=False)
        return filled(X, self.column_factors_, self.column_means_, 0.0)

    def predict_entries(self, rows: Any, columns: Any) -> Vector:
        """Return entries of the completed matrix, by their places."""
        check_fitted(self, "row_factors_")
        i = place_of("HardImpute", rows, len(self.row_factors_))
        j = place_of("HardImpute", columns, len(self.column_factors_))
        made = np.einsum("ij,ij->i", self.row_factors_[i], self.column_factors_[j])
        return np.asarray(made + self.column_means_[j])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _leading(
    R: Any, U: Matrix, V: Matrix, rank: int, start: Vector
) -> tuple[Matrix, Matrix]:
    """Return the best rank-r approximation AVᵀ of R + UVᵀ, V orthonormal."""
    n, m = R.shape
    if not R.data.any() and not U.any():  # nothing to start from
        return np.zeros((n, rank)), np.eye(m, rank)
    turned = sparse.csr_array(R.T)

    def image(x: Matrix) -> Matrix:
        return np.asarray(R @ x + U @ (V.T @ x))

    def back(y: Matrix) -> Matrix:
        return np.asarray(turned @ y + V @ (U.T @ y))

    small = min(n, m)
    if rank >= small - 1:
        P, sizes, Qt = np.linalg.svd(image(np.eye(m)), full_matrices=False)
        return P[:, :rank] * sizes[:rank], Qt[:rank].T
    one, two = (image, back) if n >= m else (back, image)
    operator = LinearOperator((small, small), matvec=lambda x: two(one(x)), dtype=float)
    _, vectors = eigsh(operator, rank, v0=start, tol=1e-12)
    if n >= m:
        return one(vectors), vectors
    P, sizes, Qt = np.linalg.svd(one(vectors), full_matrices=False)
    return vectors @ (Qt.T * sizes), P


def _distance(
    new: tuple[Matrix, Matrix], old: tuple[Matrix, Matrix]
) -> tuple[float, float]:
    """Return the squared distance of two products, and the square of the new one."""
    (A, B), (C, D) = new, old
    size = float(np.sum((A.T @ A) * (B.T @ B)))
    before = float(np.sum((C.T @ C) * (D.T @ D)))
    cross = float(np.sum((A.T @ C) * (B.T @ D)))
    return max(size - 2.0 * cross + before, 0.0), size
