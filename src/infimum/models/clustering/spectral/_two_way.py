"""Scaling and singular vectors for clustering rows and columns at once."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from sklearn.base import BaseEstimator, BiclusterMixin

from infimum.data.doors import rows
from infimum.errors import DataError
from infimum.features.columns import is_sparse
from infimum.models.clustering.centres.k_means import KMeans
from infimum.models.clustering.centres.mini_batch_k_means import MiniBatchKMeans
from infimum.models.leading_eigenpairs import leading_eigenpairs
from infimum.parameters import Choice, Domains, check_domain, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "Triplets",
    "TwoWayModel",
    "balance",
    "lift",
    "log_interactions",
    "masks",
    "scale",
]

_METHODS = Choice(("randomized", "arpack"))
#: Up to so many rows or columns all singular vectors cost no more than a few.
DIRECT = 300
#: A singular value below this share of the largest may be nothing but rounding.
NOISE = 1e-13
#: Rounds of balancing, and the change at which they end.
ROUNDS, STILL = 1000, 1e-5


class Triplets(NamedTuple):
    """The largest singular values and their vectors, one in each column."""

    left: Matrix
    values: Vector
    right: Matrix


def lift(owner: str, X: Any, least: float) -> tuple[Any, float]:
    """Return a table without entries below `least`, and what was added to it."""
    low = float(X.min())
    if low >= least:
        return X, 0.0
    if is_sparse(X):
        raise DataError(
            f"{owner} reads sparse tables without negative entries, got {low:.3g}."
        )
    return X + (least - low), least - low


def scale(X: Any) -> tuple[Any, Vector, Vector]:
    """Return D₁^-½ X D₂^-½ for sums of rows D₁ and of columns D₂, and both factors."""
    rows = _inverse_roots(np.asarray(X.sum(axis=1)).ravel())
    columns = _inverse_roots(np.asarray(X.sum(axis=0)).ravel())
    if is_sparse(X):
        scaled = sparse.diags_array(rows) @ X @ sparse.diags_array(columns)
        return sparse.csr_array(scaled), rows, columns
    return rows[:, None] * X * columns, rows, columns


def balance(X: Any) -> Any:
    """Return a table scaled so often that all rows have one sum, all columns one."""
    for _ in range(ROUNDS):
        before, X = X, scale(X)[0]
        change = X - before
        entries = change.data if is_sparse(change) else change
        if float(np.sum(entries**2)) < STILL**2:
            break
    return X


def log_interactions(X: Matrix) -> Matrix:
    """Return logarithms less the means of their rows and columns."""
    logs = np.log(X)
    rows = logs.mean(axis=1, keepdims=True)
    return np.asarray(logs - rows - logs.mean(axis=0) + logs.mean())


def _inverse_roots(sums: Vector) -> Vector:
    roots = np.sqrt(sums)
    return np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > 0.0)


class TwoWayModel(BiclusterMixin, BaseEstimator):  # type: ignore[misc]
    """A clustering of rows and of columns by singular vectors and k-means."""

    _domains: ClassVar[Domains] = {
        "svd_method": _METHODS,
        "n_init": whole(1),
    }

    n_clusters: Any
    svd_method: str
    n_svd_vecs: int | None
    mini_batch: bool
    init: Any
    n_init: int
    random_state: Any

    def _admit(self, X: Any, *, reset: bool = True) -> Any:
        return rows(
            self, X, moderate=True, reset=reset, accept_sparse="csr", dtype=np.float64
        ).X

    def _check_count(self, name: str, count: Any, most: int, of: str) -> None:
        owner = type(self).__name__
        check_domain(f"{owner}.{name}", count, whole(1))
        if count > most:
            raise DataError(
                f"{owner} needs as many {of} as clusters of them, got {most} for "
                f"{name}={count}."
            )

    def _triplets(self, A: Any, count: int, seed: int) -> Triplets:
        """Return the largest singular triplets, as many as asked for and there are.

        Vectors whose value is nothing but rounding are any, and are left out.
        """
        count = min(count, *A.shape)
        if min(A.shape) <= DIRECT:
            dense = A.toarray() if is_sparse(A) else A
            left, values, right = linalg.svd(dense, full_matrices=False)
            return _evident(Triplets(left, values, right.T), count, NOISE)
        tall = A.shape[0] >= A.shape[1]
        thin = A if tall else A.T
        found = leading_eigenpairs(
            lambda V: np.asarray(thin.T @ (thin @ V)), min(A.shape), count,
            random_state=seed,
        )  # fmt: skip
        values = np.sqrt(np.maximum(found.values, 0.0))
        other = np.asarray(thin @ found.vectors)
        other = np.divide(other, values, out=np.zeros_like(other), where=values > 0.0)
        ends = (other, found.vectors) if tall else (found.vectors, other)
        # Values are roots of what was found, and so is their rounding.
        return _evident(Triplets(ends[0], values, ends[1]), count, NOISE**0.5)

    def _cluster(self, points: Matrix, count: int, seed: int) -> tuple[Matrix, Indices]:
        """Return centres and labels of points by k-means."""
        if not points.shape[1]:
            return np.zeros((count, 0)), np.zeros(len(points), dtype=np.int32)
        rule: Any = MiniBatchKMeans if self.mini_batch else KMeans
        init = np.array(self.init) if isinstance(self.init, np.ndarray) else self.init
        settings = {"init": init, "n_init": self.n_init, "random_state": seed}
        model = rule(count, **settings).fit(np.ascontiguousarray(points))
        return model.cluster_centers_, np.asarray(model.labels_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _evident(found: Triplets, count: int, noise: float) -> Triplets:
    """Return the first triplets, without those that noise may have made."""
    known = int(np.sum(found.values > noise * found.values[:1]))
    some = slice(min(count, known))
    return Triplets(found.left[:, some], found.values[some], found.right[:, some])


def masks(labels: Indices, names: Indices) -> NDArray[np.bool_]:
    """Return a row for each name: who has it as a label."""
    return np.asarray(labels[None, :] == names[:, None])
