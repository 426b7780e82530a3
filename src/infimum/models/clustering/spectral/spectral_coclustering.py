"""Co-clustering: each cluster has rows and columns of its own."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted
from infimum.features.columns import is_sparse
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.clustering.centres._centre_model import nearest_labels
from infimum.models.clustering.spectral._two_way import TwoWayModel, lift, masks, scale
from infimum.parameters import check_parameters
from infimum.typing import Indices

__all__ = ["SpectralCoclustering"]


class SpectralCoclustering(TwoWayModel):
    r"""Rows and columns that belong together: blocks along a diagonal.

    Rows and columns are vertices of a graph, and an entry of the table is the weight of
    the edge between its row and its column. The normalised cut of that graph into k
    parts is relaxed by singular vectors of :math:`D_1^{-1/2} X D_2^{-1/2}`, where
    :math:`D_1` and :math:`D_2` are sums of rows and columns, and k-means reads off the
    parts (Dhillon, 2001).

    Parameters
    ----------
    n_clusters : int, default=3
    svd_method : {"randomized", "arpack"}, default="randomized"
    n_svd_vecs : int, optional
        Both are accepted for compatibility: vectors come from a full decomposition of
        small tables and from block Krylov for large ones.
    mini_batch : bool, default=False
        Whether to use `MiniBatchKMeans`.
    init, n_init, random_state
        As in `KMeans`.

    Attributes
    ----------
    rows_ : ndarray of shape (n_clusters, n_rows)
        Who belongs to each cluster; `columns_` likewise.
    columns_ : ndarray of shape (n_clusters, n_columns)
    row_labels_ : ndarray of shape (n_rows,)
    column_labels_ : ndarray of shape (n_columns,)

    Examples
    --------
    >>> X = [[5.0, 4.0, 0.0], [4.0, 5.0, 0.1], [0.0, 0.2, 6.0]]
    >>> model = SpectralCoclustering(2, random_state=0).fit(X)
    >>> bool((model.row_labels_ == model.column_labels_).all())
    True
    >>> bool(model.predict([[9.0, 7.0, 0.0]])[0] == model.row_labels_[0])
    True
    """

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        svd_method: str = "randomized",
        n_svd_vecs: int | None = None,
        mini_batch: bool = False,
        init: Any = "k-means++",
        n_init: int = 10,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.svd_method = svd_method
        self.n_svd_vecs = n_svd_vecs
        self.mini_batch = mini_batch
        self.init = init
        self.n_init = n_init
        self.random_state = random_state

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the blocks; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_columns)
            If there are negative entries, the least of them is subtracted from all.
        y : ignored
        """
        X = self._admit(X)
        check_parameters(self)
        self._check_count("n_clusters", self.n_clusters, X.shape[0], "rows")
        draw = check_random_state(self.random_state)
        seeds = draw.randint(2**31 - 1, size=2)
        lifted, self._added = lift("SpectralCoclustering", X, 0.0)
        scaled, rows, columns = scale(lifted)
        k = int(self.n_clusters)
        found = self._triplets(scaled, 1 + int(np.ceil(np.log2(k))), int(seeds[0]))
        # The first vectors are the roots of the sums, whatever the clusters are.
        left, right = found.left[:, 1:], found.right[:, 1:]
        points = np.vstack([rows[:, None] * left, columns[:, None] * right])
        self._centres, labels = self._cluster(points, k, int(seeds[1]))
        self._ways = columns[:, None] * (right / found.values[1:])
        self.row_labels_ = labels[: X.shape[0]]
        self.column_labels_ = labels[X.shape[0] :]
        self.rows_ = masks(self.row_labels_, np.arange(k))
        self.columns_ = masks(self.column_labels_, np.arange(k))
        return self

    def predict(self, X: Any) -> Indices:
        """Return the cluster of new rows, by the equation that singular vectors obey.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_columns)
        """
        check_fitted(self)
        X = self._admit(X, reset=False)
        if self._added:
            X = (X.toarray() if is_sparse(X) else X) + self._added
        sums = np.asarray(X.sum(axis=1)).ravel()
        placed = np.asarray(X @ self._ways)
        placed /= np.where(sums > 0.0, sums, 1.0)[:, None]
        if not placed.shape[1]:
            return np.zeros(len(placed), dtype=np.int32)
        return np.asarray(nearest_labels(placed, self._centres)[1])
