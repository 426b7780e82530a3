"""Covariances that a share of outliers cannot spoil."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from scipy.stats import chi2
from sklearn.utils import check_random_state

from infimum.data.doors import array
from infimum.data.short_products import products_of
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.covariance.empirical_covariance import (
    EmpiricalCovariance,
    Moments,
    moments,
)
from infimum.parameters import Domains, Interval, check_parameters, or_none
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["MinCovDet", "fast_mcd"]

#: Starts, and those of them that are followed to the end.
STARTS, FINALISTS = 200, 10
#: Steps of every start, and of a finalist.
FIRST_STEPS, LAST_STEPS = 2, 30
#: More rows than this are searched in parts of as many.
PART = 300
#: Numbers that the starts of one turn fill at most.
ENTRIES = 2**18
#: Squared distances beyond this quantile of their law mark outliers.
OUTLYING = 0.025
EPS = float(np.finfo(np.float64).eps)


def fast_mcd(
    X: Any,
    support_fraction: float | None = None,
    cov_computation_method: Any = None,
    random_state: Any = None,
) -> tuple[Vector, Matrix, Mask, Vector]:
    """Find the rows, so many of them, whose covariance has the least determinant.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    support_fraction : float in (0, 1], optional
        The share of the rows; by default the least that cannot be spoilt.
    cov_computation_method : callable, optional
        Accepted for compatibility.
    random_state : int, RandomState or None, default=None

    Returns
    -------
    location, covariance, support, dist
        Mean and covariance of those rows, which they are, and the squared distances of
        all rows.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [0.3], [9.0]]
    >>> fast_mcd(X, random_state=0)[2]
    array([ True,  True,  True,  True, False])
    """
    table = np.asarray(array(X), dtype=np.float64)
    return _search(table, support_fraction, check_random_state(random_state))


def _search(
    X: Matrix, share: float | None, random: np.random.RandomState
) -> tuple[Vector, Matrix, Mask, Vector]:
    n, p = X.shape
    size = min(n, -(-(n + p + 1) // 2)) if share is None else max(1, int(share * n))
    if p == 1:
        chosen = _densest(X[:, 0], size)
    elif size == n:
        chosen = np.arange(n)
    else:
        chosen = _best_rows(X - X.mean(axis=0), size, random)
    mean, covariance = _moments(X[chosen])
    support = np.zeros(n, dtype=bool)
    support[chosen] = True
    return mean, covariance, support, _distances(X, mean, covariance)


def _densest(values: Vector, size: int) -> Indices:
    """Return the shortest run of sorted values; the middle of equally short ones."""
    order = np.argsort(values, kind="stable")
    line = values[order]
    sums = np.concatenate([[0.0], np.cumsum(line)])
    squares = np.concatenate([[0.0], np.cumsum(line**2)])
    first = np.arange(len(line) - size + 1)
    mean = (sums[first + size] - sums[first]) / size
    spread = (squares[first + size] - squares[first]) / size - mean**2
    best = int(np.argmin(spread))
    return np.asarray(order[best : best + size])


def _best_rows(X: Matrix, size: int, random: np.random.RandomState) -> Indices:
    """Return the rows of least determinant that concentration finds.

    Of many rows parts are searched first; what is best there starts the search in all
    of them (Rousseeuw & Van Driessen 1999).
    """
    n = len(X)
    if n <= 2 * PART:
        found = _concentrate(X, _random_starts(X, STARTS, random), size, FIRST_STEPS)
    else:
        parts = np.array_split(random.permutation(n), min(5, n // PART))
        starts = []
        for part in parts:
            some = X[part[: 2 * PART]]
            share = max(some.shape[1] + 1, int(len(some) * size / n))
            few = _random_starts(some, STARTS // len(parts), random)
            best = _concentrate(some, few, share, FIRST_STEPS)
            starts += [(mean, spread) for _, _, mean, spread in best[:FINALISTS]]
        found = _concentrate(X, starts, size, FIRST_STEPS)
    last = [(mean, spread) for _, _, mean, spread in found[:FINALISTS]]
    return _concentrate(X, last, size, LAST_STEPS)[0][1]


def _random_starts(
    X: Matrix, count: int, random: np.random.RandomState
) -> list[tuple[Vector, Matrix]]:
    """Return means and covariances of a few rows each, drawn at random."""
    few = X.shape[1] + 1
    draws = [random.permutation(len(X))[:few] for _ in range(min(count, STARTS))]
    return list(zip(*_all_moments(X, np.array(draws)), strict=True))


def _concentrate(
    X: Matrix, starts: list[Any], size: int, steps: int
) -> list[tuple[float, Indices, Vector, Matrix]]:
    """Take the nearest rows, again and again; return what comes of each start.

    Every step lowers the determinant. The best come first.
    """
    at_once = max(1, ENTRIES // X.size)
    found = []
    with products_of(X.size * X.shape[1]):
        for first in range(0, len(starts), at_once):
            found += _descend(X, starts[first : first + at_once], size, steps)
    return sorted(found, key=lambda each: each[0])


def _descend(
    X: Matrix, starts: list[Any], size: int, steps: int
) -> list[tuple[float, Indices, Vector, Matrix]]:
    """Do the same for some starts, in step, each until it falls no more."""
    means, spreads = (np.array(each) for each in zip(*starts, strict=True))
    values = np.full(len(starts), np.inf)
    rows = np.zeros((len(starts), size), dtype=np.intp)
    going = np.arange(len(starts))
    for _ in range(steps):
        far = _all_distances(X, means[going], spreads[going])
        rows[going] = np.argpartition(far, size - 1, axis=1)[:, :size]
        means[going], spreads[going] = _all_moments(X, rows[going])
        signs, logarithms = np.linalg.slogdet(spreads[going])
        now = np.where(signs > 0, logarithms, -np.inf)
        falling = now < values[going] - 1e-12
        values[going[falling]] = now[falling]
        going = going[falling]
        if not going.size:
            break
    return list(zip(values.tolist(), np.sort(rows), means, spreads, strict=True))


def _all_moments(X: Matrix, rows: Indices) -> tuple[Matrix, Matrix]:
    """Return means and covariances of several choices of rows."""
    centred = X[rows]
    means = centred.mean(axis=1)
    centred -= means[:, None]
    return means, centred.transpose(0, 2, 1) @ centred / rows.shape[1]


def _all_distances(X: Matrix, means: Matrix, spreads: Matrix) -> Matrix:
    """Return the squared distances of all rows by several means and covariances."""
    values, axes = np.linalg.eigh(spreads)
    sizes = np.abs(values)
    clear = sizes > sizes.max(axis=1, keepdims=True) * X.shape[1] * EPS
    roots = np.divide(1.0, np.sqrt(sizes), out=np.zeros_like(sizes), where=clear)
    along = axes * roots[:, None]
    moved = X @ along - (means[:, None] @ along)
    return np.asarray(np.einsum("sij,sij->si", moved, moved))


def _moments(X: Matrix) -> tuple[Vector, Matrix]:
    means, spreads = _all_moments(X, np.arange(len(X))[None])
    return means[0], spreads[0]


def _distances(X: Matrix, mean: Vector, covariance: Matrix) -> Vector:
    none = np.zeros((1, len(mean)))
    return np.asarray(_all_distances(X - mean, none, covariance[None])[0])


def _consistent(features: int, share: float) -> float:
    """Return what the covariance of the nearest normal rows is too small by."""
    inside = chi2(features).ppf(share)
    return float(share / chi2(features + 2).cdf(inside))


class MinCovDet(EmpiricalCovariance):
    """Covariance of the densest part of the rows, which outliers cannot spoil.

    Of all sets of so many rows, that whose covariance has the least determinant is
    taken; it is scaled to be right for normal data, and rows that it does not find
    outlying are then used all.

    Parameters
    ----------
    store_precision : bool, default=True
    assume_centered : bool, default=False
    support_fraction : float in (0, 1] or None, default=None
        The share of the rows; by default the least that cannot be spoilt.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    raw_location_, raw_covariance_, raw_support_
        Before rows that are not outlying are used all.
    location_, covariance_, precision_
    support_ : ndarray of bool, shape (n_samples,)
        Rows that were used.
    dist_ : ndarray of shape (n_samples,)
        Squared distances of the rows.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(50, 2))
    >>> X[:5] += 50.0
    >>> model = MinCovDet(random_state=0).fit(X)
    >>> model.support_[:5].any(), bool(np.abs(model.location_).max() < 1.0)
    (np.False_, True)
    """

    _domains: ClassVar[Domains] = {
        "support_fraction": or_none(Interval(0, 1, open_low=True))
    }

    def __init__(
        self,
        *,
        store_precision: bool = True,
        assume_centered: bool = False,
        support_fraction: float | None = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            store_precision=store_precision, assume_centered=assume_centered
        )
        self.support_fraction = support_fraction
        self.random_state = random_state

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:  # type: ignore[override]
        """Find the rows and their covariance; return self."""
        check_parameters(self)
        found = moments(self, X, None, fewest=2)
        table = found.rows + found.mean
        random = check_random_state(self.random_state)
        mean, spread, support, far = _search(table, self.support_fraction, random)
        if self.assume_centered:
            mean = np.zeros(len(mean))
            spread = table[support].T @ table[support] / support.sum()
            far = _distances(table, mean, spread)
        self.raw_location_, self.raw_covariance_ = mean, spread
        self.raw_support_, self.support_, self.dist_ = support, support, far
        self.correct_covariance(table)
        self.reweight_covariance(table)
        self._keep_found()
        return self

    def _keep_found(self) -> None:
        found = Moments.__new__(Moments)
        found.mean = self.location_
        self._keep(found, self.covariance_)

    def correct_covariance(self, data: Any) -> Matrix:
        """Scale the raw covariance to be right for normal rows (Croux & Haesbroeck).

        Parameters
        ----------
        data : array-like of shape (n_samples, n_features)
            The rows of the fit.
        """
        data = np.asarray(data, dtype=np.float64)
        n, used = len(self.dist_), int(self.support_.sum())
        if used < n and np.allclose(self.raw_covariance_, 0.0):
            raise DataError(
                f"MinCovDet: the covariance of {used} of {n} rows is 0; a larger "
                "support_fraction is needed."
            )
        factor = _consistent(data.shape[1], used / n)
        corrected = self.raw_covariance_ * factor
        self.covariance_, self.dist_ = corrected, self.dist_ / factor
        return corrected

    def reweight_covariance(self, data: Any) -> tuple[Vector, Matrix, Mask]:
        """Use all rows that the corrected covariance does not find outlying.

        Parameters
        ----------
        data : array-like of shape (n_samples, n_features)
            The rows of the fit.
        """
        data = np.asarray(data, dtype=np.float64)
        near = self.dist_ < chi2(data.shape[1]).isf(OUTLYING)
        mean = np.zeros(data.shape[1])
        if not self.assume_centered:
            mean = data[near].mean(axis=0)
        centred = data[near] - mean
        spread = np.asarray(centred.T @ centred / max(int(near.sum()), 1))
        spread *= _consistent(data.shape[1], 1.0 - OUTLYING)
        self.location_, self.covariance_, self.support_ = mean, spread, near
        self.dist_ = _distances(data, mean, spread)
        return mean, spread, near
