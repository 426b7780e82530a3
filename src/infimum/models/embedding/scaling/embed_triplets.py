"""Ordinal embedding: points from answers to "is j or k more like i?"."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize

from infimum.errors import DataError
from infimum.models.embedding.scaling._distances import accept_distances
from infimum.parameters import check_domain, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["TripletEmbedding", "draw_triplets", "embed_triplets"]

TRIPLE = 3


@dataclass(frozen=True)
class TripletEmbedding:
    """Points, the share of comparisons they respect, and the loss that is left."""

    points: Matrix
    satisfied: float
    loss: float

    def transform(
        self,
        triplets: Any,
        *,
        n_init: int = 5,
        max_iter: int = 500,
        random_state: int = 0,
    ) -> Matrix:
        """Return where new points break comparisons least; the old points stay.

        Parameters
        ----------
        triplets : array-like of int of shape (n_triplets, 3)
            As in `embed_triplets`; new points are numbered after the old ones.
        n_init, max_iter, random_state
            As in `embed_triplets`; starts are near old points.

        Examples
        --------
        >>> found = embed_triplets([[0, 1, 2], [2, 1, 0], [1, 0, 2]], 1)
        >>> new = found.transform([[3, 1, 2], [3, 2, 0], [1, 3, 0], [2, 3, 1]])
        >>> new.shape
        (1, 1)
        """
        owner = "TripletEmbedding.transform"
        check_domain(f"{owner}: n_init", n_init, whole(1))
        given, old = _accept(triplets, owner), len(self.points)
        count = int(given.max()) + 1 - old
        unknown = np.setdiff1d(np.arange(old, old + count), given)
        if count < 1 or unknown.size:
            raise DataError(
                f"{owner}: the triplets must name each new point, numbered from {old} "
                f"on, and {unknown[0] if unknown.size else old} is not named."
            )

        def lost(flat: Vector) -> tuple[float, Vector]:
            both = np.concatenate((self.points.ravel(), flat))
            loss, slope = _loss(both, given, old + count)
            return loss, slope[self.points.size :]

        draw = np.random.default_rng(random_state)
        size = (count, self.points.shape[1])
        runs = []
        for _ in range(n_init):
            near = self.points[draw.integers(old, size=count)]
            start = (near + 0.1 * draw.standard_normal(size)).ravel()
            runs.append(_descend(lost, start, max_iter))
        return min(runs, key=lambda run: run[0])[1].reshape(size)


def embed_triplets(
    triplets: Any,
    n_components: int = 2,
    *,
    n_points: int | None = None,
    n_init: int = 5,
    max_iter: int = 500,
    random_state: int = 0,
) -> TripletEmbedding:
    r"""Return points such that j is nearer to i than k is, for each triplet (i, j, k).

    .. math:: \min_X \sum_{(i,j,k)} \max(0,\, δ + \|x_i - x_j\| - \|x_i - x_k\|)^2

    (soft ordinal embedding, Terada and von Luxburg, 2014), from several random starts.
    The points are determined up to similarity, and only as far as comparisons go.

    Parameters
    ----------
    triplets : array-like of int of shape (n_triplets, 3)
        Each says that the second is nearer to the first than the third is.
    n_components : int, default=2
    n_points : int, optional
        As many as the triplets name unless given.
    n_init : int, default=5
    max_iter : int, default=500
        Most steps of L-BFGS from each start.
    random_state : int, default=0

    Examples
    --------
    >>> found = embed_triplets([[0, 1, 2], [2, 1, 0], [1, 0, 2]], 1)
    >>> found.satisfied
    1.0
    """
    check_domain("embed_triplets: n_components", n_components, whole(1))
    check_domain("embed_triplets: n_init", n_init, whole(1))
    given = _accept(triplets, "embed_triplets")
    n = int(given.max()) + 1 if n_points is None else int(n_points)
    if given.max() >= n:
        raise DataError(f"embed_triplets: a triplet names {given.max()} of {n} points.")
    draw = np.random.default_rng(random_state)
    runs = []
    for _ in range(n_init):
        start = draw.standard_normal(n * n_components)
        runs.append(_descend(lambda flat: _loss(flat, given, n), start, max_iter))
    loss, flat = min(runs, key=lambda run: run[0])
    points = flat.reshape(n, n_components)
    near, far, _, _ = _sides(points, given)
    points = points - points.mean(axis=0)
    return TripletEmbedding(points, float(np.mean(near < far)), loss)


def draw_triplets(D: Any, count: int, *, random_state: int = 0) -> Indices:
    """Draw comparisons at random and answer them from a matrix of distances.

    Examples
    --------
    >>> draw_triplets([[0, 1, 3], [1, 0, 2], [3, 2, 0]], 2).shape
    (2, 3)
    """
    far = accept_distances("draw_triplets", D)
    if len(far) < TRIPLE:
        raise DataError(f"draw_triplets compares 3 points or more, got {len(far)}.")
    draw = np.random.default_rng(random_state)
    chosen = draw.random((count, len(far))).argpartition(TRIPLE - 1, axis=1)[:, :TRIPLE]
    i, j, k = chosen.T
    swap = far[i, j] > far[i, k]
    return np.column_stack((i, np.where(swap, k, j), np.where(swap, j, k)))


def _accept(triplets: Any, owner: str) -> Indices:
    given = np.asarray(triplets)
    if given.ndim != 2 or given.shape[1] != TRIPLE or not len(given):  # noqa: PLR2004
        raise DataError(
            f"{owner} reads rows of 3 points each, got shape {given.shape}."
        )
    if given.dtype.kind not in "iu" or given.min() < 0:
        raise DataError(f"{owner}: points are numbered from 0 on.")
    return given.astype(np.intp)


def _descend(
    loss: Callable[..., tuple[float, Vector]], start: Vector, max_iter: int
) -> tuple[float, Vector]:
    found = minimize(
        loss, start, method="L-BFGS-B", jac=True, options={"maxiter": max_iter}
    )
    return float(found.fun), np.asarray(found.x)


def _sides(points: Matrix, triplets: Indices) -> tuple[Vector, Vector, Matrix, Matrix]:
    i, j, k = triplets.T
    one, other = points[i] - points[j], points[i] - points[k]
    return np.linalg.norm(one, axis=1), np.linalg.norm(other, axis=1), one, other


def _loss(flat: Vector, triplets: Indices, n: int) -> tuple[float, Vector]:
    points = flat.reshape(n, -1)
    near, far, one, other = _sides(points, triplets)
    short = np.maximum(1.0 + near - far, 0.0)
    pull = (2.0 * short / np.maximum(near, 1e-12))[:, None] * one
    push = (2.0 * short / np.maximum(far, 1e-12))[:, None] * other
    slope = np.zeros_like(points)
    i, j, k = triplets.T
    for place, part in ((i, pull - push), (j, -pull), (k, push)):
        for side in range(points.shape[1]):
            slope[:, side] += np.bincount(place, part[:, side], minlength=n)
    return float(np.sum(short**2)), slope.ravel()
