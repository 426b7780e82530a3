"""Weight, mean and scatter of each class, from batches that add up to the whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from infimum.compiled.threads import PARTS, in_parts, one_blas_thread
from infimum.data.short_products import products_of
from infimum.models.probabilistic._counts import sum_by_class
from infimum.typing import Indices, Matrix, Vector

__all__ = ["ClassMoments", "class_moments", "shrunk", "shrunk_by_ledoit_wolf"]

#: So many numbers are centred at a time, and so many rows at least.
BLOCK = 1 << 16
FEWEST = 512


@dataclass(frozen=True, eq=False)
class ClassMoments:
    """Sums over rows from which covariances of classes follow.

    ``scatters[k]`` is the sum of the outer products of the rows of class k around their
    mean; where the scatters are pooled there is one for all classes.
    """

    counts: Vector
    means: Matrix
    scatters: NDArray[np.float64]

    @property
    def total(self) -> float:
        """The weight of all rows."""
        return float(self.counts.sum())

    def merged(self, other: ClassMoments) -> ClassMoments:
        """Return the moments of the rows of both."""
        counts = self.counts + other.counts
        share = np.divide(other.counts, np.where(counts > 0, counts, 1.0))
        shift = np.where(
            other.counts[:, None] > 0,
            np.where(self.counts[:, None] > 0, other.means - self.means, other.means),
            0.0,
        )
        start = np.where(self.counts[:, None] > 0, self.means, 0.0)
        means = start + np.where(self.counts > 0, share, 1.0)[:, None] * shift
        between = (self.counts * share)[:, None] * shift
        if len(self.scatters) == 1:
            moved = (shift.T @ between)[None]
        else:
            moved = shift[:, :, None] * between[:, None, :]
        return ClassMoments(counts, means, self.scatters + other.scatters + moved)

    def covariance(self, priors: Vector) -> Matrix:
        """Return the mean over classes, by these priors, of their covariances."""
        if len(self.scatters) == 1:
            return np.asarray(self.scatters[0] / self.total)
        return np.tensordot(priors / self.counts, self.scatters, axes=1)

    def total_covariance(self) -> Matrix:
        """Return the covariance of all rows, whatever their class."""
        centre = self.counts @ self.means / self.total
        apart = self.means - centre
        between = apart.T @ (self.counts[:, None] * apart)
        return np.asarray((self.scatters.sum(axis=0) + between) / self.total)


def class_moments(
    X: Any, codes: Indices, weights: Vector, count: int, *, pooled: bool
) -> ClassMoments:
    """Return the moments of rows; sparse ones are not filled."""
    counts: Vector = np.bincount(codes, weights, count).astype(float)
    safe = np.where(counts > 0, counts, 1.0)[:, None]
    means = sum_by_class(X, codes, weights, count) / safe
    scatters = np.zeros((1 if pooled else count, X.shape[1], X.shape[1]))
    for group in range(len(scatters)):
        mine: Any = slice(None) if pooled else np.flatnonzero(codes == group)
        if hasattr(X, "indptr"):
            rows: Any = X.tocsr()[mine]
            squares = rows.T @ sparse.diags_array(weights[mine]) @ rows
            members = slice(None) if pooled else slice(group, group + 1)
            taken = means[members].T @ (counts[members, None] * means[members])
            scatters[group] = squares.toarray() - taken
        else:
            scatters[group] = _scatter(X, mine, (means, codes, weights))
    return ClassMoments(counts, means, scatters)


def _scatter(
    X: Any, mine: Indices | slice, known: tuple[Matrix, Indices, Vector]
) -> Matrix:
    """Return the sum of the outer products of centred rows.

    The parts that the cores share are fixed, of a block each at least, and take an
    eighth of X together at most.
    """
    n = len(known[1]) if isinstance(mine, slice) else len(mine)
    size = X.shape[1]
    parts = min(PARTS, n // (8 * size), n * size // BLOCK)
    if parts <= 1:
        with products_of(min(n, _block(size)) * size * size):
            return _scatter_of_part(X, mine, known, slice(0, n))

    def work(part: slice) -> Matrix:
        return _scatter_of_part(X, mine, known, part)

    with one_blas_thread():
        return np.asarray(sum(in_parts(n, work, parts)))


def _scatter_of_part(
    X: Any, mine: Indices | slice, known: tuple[Matrix, Indices, Vector], part: slice
) -> Matrix:
    """Return the scatter of consecutive rows, in blocks that stay in the cache."""
    means, codes, weights = known
    size = X.shape[1]
    many = min(_block(size), max(part.stop - part.start, 1))
    space, added = np.empty((many, size)), np.empty((size, size))
    scatter = np.zeros((size, size))
    for start in range(part.start, part.stop, many):
        place = slice(start, min(start + many, part.stop))
        block: Any = place if isinstance(mine, slice) else mine[place]
        apart = space[: place.stop - place.start]
        means.take(codes[block], axis=0, out=apart, mode="clip")
        np.subtract(X[block], apart, out=apart)
        shares = weights[block]
        if not (shares == 1.0).all():
            apart *= np.sqrt(shares)[:, None]
        scatter += np.matmul(apart.T, apart, out=added)
    return scatter


def _block(size: int) -> int:
    """Return how many rows are centred at a time."""
    return max(FEWEST, BLOCK // size)


def shrunk(covariance: Matrix, share: float) -> Matrix:
    """Move a covariance by a share towards the multiple of I with its trace."""
    size = len(covariance)
    level = np.trace(covariance) / size
    return np.asarray((1.0 - share) * covariance + share * level * np.eye(size))


def shrunk_by_ledoit_wolf(X: Any, weights: Vector) -> Matrix:
    """Return the covariance of rows, shrunk in units of the deviations.

    The share is Ledoit and Wolf's estimate of the one with the least expected squared
    error (Journal of Multivariate Analysis 88, 2004).
    """
    rows = np.asarray(X.toarray() if hasattr(X, "indptr") else X, dtype=np.float64)
    shares = weights / weights.sum()
    rows = rows - shares @ rows
    units = np.sqrt(shares @ rows**2)
    units[units == 0] = 1.0
    rows = rows / units
    covariance = rows.T @ (shares[:, None] * rows)
    size = len(covariance)
    squares = float((covariance**2).sum())
    level = float(np.trace(covariance)) / size
    fourth = float(shares @ (rows**2).sum(axis=1) ** 2)
    noise = (fourth - squares) / (weights.sum() * size)
    distance = squares / size - level**2
    share = min(noise, distance) / distance if distance > 0 else 0.0
    return shrunk(covariance, max(share, 0.0)) * np.outer(units, units)
