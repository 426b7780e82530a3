"""Biclustering: rows and columns sorted into a checkerboard."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted
from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.features.columns import is_sparse
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.clustering.centres._centre_model import nearest_labels
from infimum.models.clustering.spectral._two_way import (
    TwoWayModel,
    balance,
    lift,
    log_interactions,
    masks,
    scale,
)
from infimum.parameters import Choice, check_domain, check_parameters, whole
from infimum.typing import Indices, Matrix

__all__ = ["SpectralBiclustering"]

_METHODS = Choice(("bistochastic", "scale", "log"))
BOTH = 2


class SpectralBiclustering(TwoWayModel):
    """A checkerboard in a table: clusters of rows times clusters of columns.

    Where rows and columns are sorted so that the table is nearly constant on each
    field, its singular vectors are nearly constant on each cluster. Those that come
    closest to it are kept, the table is projected on them, and k-means clusters rows
    and columns (Kluger et al., 2003).

    Parameters
    ----------
    n_clusters : int or (int, int), default=3
        Clusters of rows and of columns.
    method : {"bistochastic", "scale", "log"}, default="bistochastic"
        What is done before: rows and columns are scaled to equal sums, by turns until
        both hold, or once; or logarithms lose the means of rows and columns.
    n_components : int, default=6
        Singular vectors that are looked at.
    n_best : int, default=3
        How many of them are kept, at most.
    svd_method, n_svd_vecs, mini_batch, init, n_init, random_state
        As in `SpectralCoclustering`.

    Attributes
    ----------
    rows_, columns_ : ndarray of shape (n_fields, n_rows) and (n_fields, n_columns)
        Rows and columns of each field of the board.
    row_labels_ : ndarray of shape (n_rows,)
    column_labels_ : ndarray of shape (n_columns,)

    Examples
    --------
    >>> X = [[9.0, 9.0, 1.0], [8.0, 9.0, 1.0], [2.0, 2.0, 7.0], [2.0, 1.0, 7.0]]
    >>> model = SpectralBiclustering(2, random_state=0).fit(X)
    >>> same = model.row_labels_[:, None] == model.row_labels_
    >>> same[0].tolist()
    [True, True, False, False]
    >>> bool(model.predict([[8.0, 8.0, 1.0]])[0] == model.row_labels_[0])
    True
    """

    def __init__(
        self,
        n_clusters: Any = 3,
        *,
        method: str = "bistochastic",
        n_components: int = 6,
        n_best: int = 3,
        svd_method: str = "randomized",
        n_svd_vecs: int | None = None,
        mini_batch: bool = False,
        init: Any = "k-means++",
        n_init: int = 10,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.method = method
        self.n_components = n_components
        self.n_best = n_best
        self.svd_method = svd_method
        self.n_svd_vecs = n_svd_vecs
        self.mini_batch = mini_batch
        self.init = init
        self.n_init = n_init
        self.random_state = random_state

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the board; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_columns)
        y : ignored
        """
        X = self._admit(X)
        check_parameters(self)
        down, across = self._counts(X)
        draw = check_random_state(self.random_state)
        seed = int(draw.randint(2**31 - 1))
        # The first vectors tell the sums, which logarithms have lost already.
        first = 0 if self.method == "log" else 1
        count = int(self.n_components) + first
        found = self._triplets(self._prepared(X), count, seed)
        self._ways = self._steps(found.right[:, first:], across, seed)
        left = self._steps(found.left[:, first:], down, seed)
        self._centres, self.row_labels_ = self._cluster(X @ self._ways, down, seed)
        self.column_labels_ = self._cluster(X.T @ left, across, seed)[1]
        self.rows_ = masks(self.row_labels_, np.repeat(np.arange(down), across))
        self.columns_ = masks(self.column_labels_, np.tile(np.arange(across), down))
        return self

    def predict(self, X: Any) -> Indices:
        """Return the cluster of new rows: projected likewise, to the nearest centre.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_columns)
        """
        check_fitted(self)
        placed = np.asarray(self._admit(X, reset=False) @ self._ways)
        if not placed.shape[1]:
            return np.zeros(len(placed), dtype=np.int32)
        return np.asarray(nearest_labels(placed, self._centres)[1])

    def _counts(self, X: Any) -> tuple[int, int]:
        owner, given = "SpectralBiclustering", self.n_clusters
        check_domain(f"{owner}.method", self.method, _METHODS)
        check_domain(f"{owner}.n_components", self.n_components, whole(1))
        check_domain(f"{owner}.n_best", self.n_best, whole(1))
        if self.n_best > self.n_components:
            raise InvalidParameterError(
                f"{owner}.n_best must be at most n_components={self.n_components}, "
                f"got {self.n_best!r}."
            )
        both = given if isinstance(given, tuple | list) else (given, given)
        if len(both) != BOTH:
            raise InvalidParameterError(
                f"{owner}.n_clusters must be a whole number or two, for rows and "
                f"columns, got {given!r}."
            )
        self._check_count("n_clusters", both[0], X.shape[0], "rows")
        self._check_count("n_clusters", both[1], X.shape[1], "columns")
        return int(both[0]), int(both[1])

    def _prepared(self, X: Any) -> Any:
        if self.method != "log":
            lifted = lift("SpectralBiclustering", X, 0.0)[0]
            return scale(lifted)[0] if self.method == "scale" else balance(lifted)
        if is_sparse(X):
            raise IncompatibleError(
                "SpectralBiclustering with method='log' needs a dense table: there is "
                "no logarithm of 0."
            )
        return log_interactions(lift("SpectralBiclustering", X, 1.0)[0])

    def _steps(self, vectors: Matrix, count: int, seed: int) -> Matrix:
        """Return the vectors that come closest to `count` different entries."""
        off = []
        for vector in vectors.T:
            centres, labels = self._cluster(vector[:, None], count, seed)
            off.append(float(np.sum((vector - centres[labels, 0]) ** 2)))
        best = np.argsort(off, kind="stable")[: int(self.n_best)]
        return np.asarray(vectors[:, best])
