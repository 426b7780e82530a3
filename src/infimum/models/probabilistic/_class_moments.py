"""Weight, mean and scatter of each class, from batches that add up to the whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from infimum.data.short_products import products_of
from infimum.models.probabilistic._counts import sum_by_class
from infimum.typing import Indices, Matrix, Vector

__all__ = ["ClassMoments", "class_moments", "shrunk", "shrunk_by_ledoit_wolf"]

#: So many rows are centred at a time.
BLOCK = 8192


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
    groups = np.zeros_like(codes) if pooled else codes
    scatters = np.zeros((1 if pooled else count, X.shape[1], X.shape[1]))
    for group in range(len(scatters)):
        mine = np.arange(len(codes)) if pooled else np.flatnonzero(groups == group)
        if hasattr(X, "indptr"):
            rows: Any = X.tocsr()[mine]
            squares = rows.T @ sparse.diags_array(weights[mine]) @ rows
            members = slice(None) if pooled else slice(group, group + 1)
            taken = means[members].T @ (counts[members, None] * means[members])
            scatters[group] = squares.toarray() - taken
        else:
            _add_scatter(scatters[group], X, mine, (means, codes, weights))
    return ClassMoments(counts, means, scatters)


def _add_scatter(
    scatter: Matrix, X: Any, mine: Indices, known: tuple[Matrix, Indices, Vector]
) -> None:
    """Add the outer products of centred rows, a block at a time."""
    means, codes, weights = known
    plain = bool((weights == 1.0).all())
    whole = len(mine) == len(codes)
    for start in range(0, len(mine), BLOCK):
        block: Any = slice(start, start + BLOCK) if whole else mine[start:][:BLOCK]
        apart = X[block] - means[codes[block]]
        if not plain:
            apart *= np.sqrt(weights[block])[:, None]
        with products_of(apart.size * len(scatter)):
            scatter += apart.T @ apart


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
