"""A box-constrained quadratic from one factorisation: which bounds hold, and where."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs, spotrf, spotrs

from infimum.typing import Indices, Matrix, Vector

__all__ = ["ActiveSet"]

#: LAPACK's names for factorising and solving.
_ROUTINES: dict[str, Any] = {"float32": (spotrf, spotrs), "float64": (dpotrf, dpotrs)}
#: Guesses at the bounds that hold; and how many may hold, as a share of the variables.
GUESSES, CROWD = 16, 0.15
#: Columns of the inverse that are kept, as a share of all of them.
KEPT = 2 * CROWD
#: Units of the last place by which a box or a sign may be missed.
ROUNDING = 16.0


class ActiveSet:
    r"""The minimum of a quadratic over a box, groups of variables keeping their sums.

    .. math:: \min_δ \tfrac12 δ^\top K δ + g^\top δ \quad\text{with}\quad
              l \le x + δ \le u,\; \sum_{v \in g} δ_v = 0

    Guess the variables that end at a bound; the others then solve linear equations,
    and the answer says which guesses were wrong: who left the box, and who is held
    back by a bound that it would leave. Pairs of variables creep towards such a
    minimum where K is badly conditioned; here K is factorised once, and a variable
    held at a bound is one more right-hand side.

    Parameters
    ----------
    square : array of shape (n, n)
        K, which is overwritten.
    split : int
        Where the second group of variables begins.

    References
    ----------
    Hintermüller, Ito & Kunisch (2002), SIAM J. Optimization 13.
    """

    def __init__(self, square: Matrix, split: int) -> None:
        self.kind = square.dtype
        factor, self._solve = _ROUTINES[self.kind.name]
        # The matrix is symmetric, and its transpose is in Fortran's order already.
        lower, failed = factor(square.T, lower=1, clean=0, overwrite_a=1)
        self.lower, self.failed = lower, bool(failed)
        groups = np.zeros((len(square), 2))
        groups[:split, 0] = groups[split:, 1] = 1.0
        self.groups = groups[:, groups.any(axis=0)]
        self._columns: dict[int, Vector] = {}

    def minimum(
        self, gradient: Vector, point: Vector, low: Vector, high: Vector
    ) -> Vector | None:
        """Return x + δ; None where the guesses do not come to rest."""
        if self.failed:
            return None
        free = self._inverse(np.column_stack([gradient, self.groups]))
        blur = ROUNDING * float(np.finfo(self.kind).eps)
        level = blur * float(np.abs(gradient).max(initial=0.0))
        sides = (point >= high).astype(int) - (point <= low)
        for _ in range(GUESSES):
            held = np.flatnonzero(sides)
            if len(held) > CROWD * len(point):
                return None
            goals = np.where(sides > 0, high, low)[held]
            found = self._held(free, held, goals - point[held])
            if found is None:
                return None
            step, pressure = found
            moved, slack = point + step, blur * float(np.abs(step).max(initial=0.0))
            guess = (moved > high + slack).astype(int) - (moved < low - slack)
            keeps = pressure * sides[held] <= level
            guess[held] = np.where(keeps, sides[held], 0)
            if (guess == sides).all():
                moved[held] = goals
                return self._feasible(np.clip(moved, low, high), point, low, high)
            sides = guess
        return None

    def _held(
        self, free: Matrix, held: Indices, goals: Vector
    ) -> tuple[Vector, Vector] | None:
        """Return the step that ends at the goals, and how hard these bounds press.

        The step is δ = -K⁻¹(g + Eν - I_h μ): with multipliers ν for the sums and μ for
        the held variables, which the conditions on δ determine.
        """
        inverse, E = self._held_columns(held, len(free)), self.groups
        own, kept = free[:, 0], free[:, 1:]
        system = np.block(
            [[E.T @ kept, -(E.T @ inverse)], [kept[held], -inverse[held]]]
        )
        right = np.concatenate([-(E.T @ own), -own[held] - goals])
        try:
            found = np.linalg.solve(system, right)
        except np.linalg.LinAlgError:  # a whole group is held
            return None
        price, pressure = found[: E.shape[1]], found[E.shape[1] :]
        return -own - kept @ price + inverse @ pressure, pressure

    def _held_columns(self, held: Indices, size: int) -> Matrix:
        """Return the columns of K⁻¹ that belong to some variables."""
        known = self._columns
        fresh = [int(k) for k in held if int(k) not in known]
        if len(known) + len(fresh) > KEPT * size:
            self._columns = {int(k): known[int(k)] for k in held if int(k) in known}
        unit = np.zeros((size, len(fresh)))
        unit[fresh, np.arange(len(fresh))] = 1.0
        for k, column in zip(fresh, self._inverse(unit).T, strict=True):
            self._columns[k] = column
        if not len(held):
            return np.zeros((size, 0))
        return np.column_stack([self._columns[int(k)] for k in held])

    def _inverse(self, columns: Matrix) -> Matrix:
        if not columns.shape[1]:
            return columns
        right = np.asfortranarray(columns, dtype=self.kind)
        found, _ = self._solve(self.lower, right, lower=1, overwrite_b=1)
        return np.asarray(found, dtype=np.float64)

    def _feasible(
        self, moved: Vector, point: Vector, low: Vector, high: Vector
    ) -> Vector:
        """Keep the sums, which differ by rounding only.

        The variable with most room in each group takes it up.
        """
        for group in self.groups.T > 0:
            mine = np.flatnonzero(group)
            room = np.minimum(moved - low, high - moved)[mine]
            moved[mine[np.argmax(room)]] -= (moved - point)[mine].sum()
        return moved
