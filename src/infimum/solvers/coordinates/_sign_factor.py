"""The curvature of the coefficients in use, factorised once and kept up to date."""

from __future__ import annotations

import numpy as np
from scipy.linalg import LinAlgError
from scipy.linalg.blas import dtrsm
from scipy.linalg.lapack import dpotrf, dpotrs

from infimum.typing import Indices, Matrix, Vector

__all__ = ["FLAT", "SignFactor"]

#: A curvature below this share of the largest is none.
FLAT = 1e-9
#: Lines that a factor has in store when it grows.
ROOM = 64
#: A factor is recomputed when it is this small, when so many places, and this share of
#: them, have left it, or when it would more than double.
SMALL, FEW_LEFT, SHARE_LEFT = 256, 8, 0.03


class SignFactor:
    """The Cholesky factor of a Gram matrix on places that come and go slowly.

    New places are bordered on. Those that leave stay in the factor, and multipliers
    (a Schur complement) keep them where they are, until they are many. The last line of
    the Gram matrix, the intercept's, always belongs to it and comes first in the
    factor. One factor serves one Gram matrix, which may grow.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin again: the Gram matrix is another one."""
        #: Places in the factor after the intercept, with the ridge prices added there.
        self.places: Indices = np.empty(0, dtype=np.intp)
        self.prices: Vector = np.empty(0)
        #: The factor, in the corner of an identity.
        self.triangle: Matrix = np.empty((0, 0))
        self.largest, self.flat = 0.0, False

    def step(
        self, gram: Matrix, places: Indices, slope: Vector, l2: Vector
    ) -> tuple[Vector | None, bool]:
        """Return the way to the minimum, and whether a direction may lack curvature.

        The quadratic has the curvature of the Gram matrix at `places` (in order), plus
        their ridge prices, and of the intercept; `slope` has the intercept's last.
        """
        from infimum.compiled.threads import one_blas_thread  # late: it loads numba

        with one_blas_thread():  # SciPy's threads would fight NumPy's
            for _ in range(2 if len(self.places) else 1):
                try:
                    left = self._bring_up(gram, places, l2)
                    at = np.append(self._positions(places), 0)
                    return self._solved(at, left, slope), self.flat
                except LinAlgError:  # perhaps because of those that have left
                    self.forget()
        return None, True

    def _bring_up(self, gram: Matrix, places: Indices, l2: Vector) -> Indices:
        """Make the factor hold all places; return the positions of the others."""
        nobody = np.empty(0, dtype=np.intp)
        if len(self.places) < SMALL:
            self._begin(gram, places, l2)
            return nobody
        known, staying = np.isin(places, self.places), np.isin(self.places, places)
        fresh, gone = places[~known], len(staying) - int(staying.sum())
        if self._stale(gone, len(fresh), l2):
            self._begin(gram, places, l2)
            return nobody
        if len(fresh):
            self._border(gram, fresh, l2[fresh])
        return np.flatnonzero(~staying) + 1

    def _stale(self, gone: int, fresh: int, l2: Vector) -> bool:
        size = len(self.places)
        many = gone > max(FEW_LEFT, SHARE_LEFT * size) or fresh > size
        return (
            many
            or (self.flat and gone > 0)
            or not np.array_equal(self.prices, l2[self.places])
        )

    def _begin(self, gram: Matrix, places: Indices, l2: Vector) -> None:
        """Factorise the matrix of these places."""
        from infimum.compiled.products.kernel_blocks import (
            gather_square,  # late: it loads numba
        )

        used, size = np.append(len(gram) - 1, places), len(places) + 1
        matrix = np.empty((size, size))
        gather_square(gram, used, used, matrix, 0, size)
        if matrix[0, 0] == 0.0:  # no intercept
            matrix[0, 0] = 1.0
        spots = np.arange(1, size)
        matrix[spots, spots] += l2[places]
        self.places, self.prices = places, l2[places]
        self.largest = float(np.diag(matrix).max())
        self.triangle = _padded(_factor(matrix.T))
        self._look()

    def _border(self, gram: Matrix, fresh: Indices, prices: Vector) -> None:
        """Add places to the factor."""
        size, count = len(self.places) + 1, len(fresh)
        if size + count > len(self.triangle):
            self.triangle = _padded(self.triangle[:size, :size], count)
        cross = np.zeros((len(self.triangle), count), order="F")
        used = np.append(len(gram) - 1, self.places)
        cross[:size] = gram[np.ix_(fresh, used)].T
        cross = dtrsm(1.0, self.triangle, cross, lower=1, overwrite_b=1)[:size]
        corner = gram[np.ix_(fresh, fresh)] + np.diag(prices)
        self.largest = max(self.largest, float(np.diag(corner).max()))
        inner, new = _factor(corner - cross.T @ cross), slice(size, size + count)
        self.triangle[new, :size], self.triangle[new, new] = cross.T, inner
        self.places = np.append(self.places, fresh)
        self.prices = np.append(self.prices, prices)
        self._look()

    def _look(self) -> None:
        """Find out whether a direction may lack curvature."""
        pivots = np.diag(self.triangle)[: len(self.places) + 1]
        self.flat = float(pivots.min()) ** 2 <= 10 * FLAT * self.largest

    def _positions(self, places: Indices) -> Indices:
        order = np.argsort(self.places)
        return order[np.searchsorted(self.places, places, sorter=order)] + 1

    def _solved(self, at: Indices, left: Indices, slope: Vector) -> Vector:
        right = np.zeros(len(self.triangle))
        right[at] = -slope
        step = dpotrs(self.triangle, right, lower=1)[0]
        if len(left):
            units = np.zeros((len(right), len(left)), order="F")
            units[left, np.arange(len(left))] = 1.0
            answers = dpotrs(self.triangle, units, lower=1, overwrite_b=1)[0]
            pull = dpotrs(_factor(answers[left]), step[left], lower=1)[0]
            step -= answers @ pull
        return np.asarray(step[at])


def _factor(matrix: Matrix) -> Matrix:
    """Return the lower Cholesky factor; what is above its diagonal means nothing."""
    found, wrong = dpotrf(matrix, lower=1, clean=0, overwrite_a=1)
    if wrong:
        raise LinAlgError("the matrix is not positive definite")
    return np.asarray(found)


def _padded(triangle: Matrix, more: int = 0) -> Matrix:
    """Return the factor in the corner of an identity, with room for more lines."""
    size, room = len(triangle), len(triangle) + more + ROOM
    wide = np.zeros((room, room), order="F")
    wide[:size, :size] = triangle
    rest = np.arange(size, room)
    wide[rest, rest] = 1.0
    return wide
