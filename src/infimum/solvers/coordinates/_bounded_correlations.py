"""Bounds on the correlations of many columns with a moving residual.

A correlation xᵀ(q∘r) cannot change by more than ‖x‖ times the way that r has gone since
it was last computed. Most columns of a wide table are so far from mattering that this
bound settles them for many steps: they are not read at all. A column with few entries
meets few samples: its correlation cannot change by more than ‖x‖₁ times the longest way
of a single sample either.

A residual that only shrinks takes all correlations along, and needs no bounds: ways are
measured between multiples of residuals, each chosen nearest to the one before.
"""

from __future__ import annotations

import numpy as np

from infimum.data.designs import StandardizedDesign
from infimum.objectives import LinearRisk
from infimum.solvers.coordinates._column_access import column_access
from infimum.solvers.coordinates._sign_factor import SignFactor
from infimum.solvers.coordinates._sparse_evaluation import Place
from infimum.typing import Indices, Matrix, Vector

__all__ = ["BoundedCorrelations"]

#: What rounding may add to a way, relative to it.
ROUNDING = 1e-10
#: How much farther than the mean one sample may go before the bounds take note.
AHEAD = 8.0
#: A way this many times as long as the residual swallows the digits of what is known.
TOO_LONG = 1e5
#: Bytes that are asked for at once when there are many points.
TOGETHER = 8 << 20
#: Lines that a Gram matrix has in store at most.
MOST_ROOM = 500


class BoundedCorrelations:
    """Correlations: exact for the members, bounded for all other columns.

    The members are the columns that are worked on; their Gram matrix, with an empty
    last line for the intercept and room for more, grows with them. Columns are centred
    where the design says so, and the residual of a free intercept has mean 0.
    """

    def __init__(self, risk: LinearRisk, norms: Vector) -> None:
        design, d = risk.design, risk.design.shape[1]
        self.shift: Vector | None = None
        if isinstance(design, StandardizedDesign):
            self.shift, design = design.shift, design.original
        self.access = column_access(design)
        self.shares, self.reach = risk.weights, self._reaches(risk.weights, norms)
        self.known, self.travelled = np.full(d, np.inf), 0.0
        self.residual: Vector = np.zeros(len(risk.y))
        #: What the residual is multiplied by where ways are measured.
        self.gain = 1.0
        self.members: Indices = np.empty(0, dtype=np.intp)
        self._grams: Matrix = np.zeros((1, 1))
        self.factor = SignFactor()
        #: Where the last run ended, and at which corner of the penalty.
        self.place: Place | None = None
        self.corner = 0.0
        self._found: Indices = np.empty(d + 1, dtype=np.intp)
        #: What was last found out about the others, if it still holds.
        self._asked: tuple[float, Indices, Vector] | None = None
        self._blank: Matrix = np.empty((0, d + 1))
        self._given = False

    def _reaches(self, shares: Vector, norms: Vector) -> Vector:
        """Return how far a correlation may go while the residual goes a way of 1.

        By Cauchy and Schwarz a column's ‖·‖₁ is at most its length times the root of
        the shares of the samples it meets.
        """
        means = np.zeros(1) if self.shift is None else np.abs(self.shift)
        met = np.sqrt(self.access.entries * float(shares.max()))
        single = AHEAD * (np.hypot(norms, means) * met + means)
        return np.asarray(np.minimum(norms, single))

    @property
    def gram(self) -> Matrix:
        """The Gram matrix of the members and the intercept; lines may be longer."""
        return self._grams[: len(self.members) + 1]

    def blank_point(self) -> Vector:
        """Return zeros, one for each column and the intercept.

        The many points of a path lie together in large pieces of memory, which take a
        fraction of the time that pieces of their own would take to get.
        """
        size = len(self.known) + 1
        if not len(self._blank):
            many = max(1, TOGETHER // (8 * size)) if self._given else 1
            self._blank = np.zeros((many, size))
        blank, self._blank = self._blank[0], self._blank[1:]
        self._given = True
        return np.asarray(blank)

    def move_to(self, residual: Vector) -> None:
        """Take note that the residual has gone elsewhere.

        One in quite another direction, as that of another target, has a small multiple
        near the last one: beside a long way its correlations would be rounding.
        """
        gain, before = self.gain, self.gain * self.residual
        weighted = self.shares * residual
        common, square = float(weighted @ before), float(weighted @ residual)
        if min(common, square) > 0.0 and np.isfinite(common / square):
            gain = common / square
        moved = gain * residual - before
        way = float(np.sqrt(self.shares @ moved**2))
        longest = max(float(moved.max()), -float(moved.min()))
        travelled = self.travelled + (1.0 + ROUNDING) * max(way, longest / AHEAD)
        if travelled > TOO_LONG * gain * np.sqrt(square):
            self.known[self.known > -np.inf] = np.inf
            gain, travelled = 1.0, 0.0
        # All at once: what an interruption leaves behind must hold, too.
        self.gain, self.travelled, self.residual = gain, travelled, residual
        self.place, self._asked = None, None

    def exact(self, chosen: Indices) -> Vector:
        """Return the correlations of some columns with the residual."""
        weighted = self.shares * self.residual
        out = self.access.correlate(chosen, weighted)
        if self.shift is not None:
            out -= self.shift[chosen] * weighted.sum()
        return out

    def beyond(self, limit: float) -> tuple[Indices, Vector]:
        """Return the columns, other than members, that correlate by more than that."""
        if self._asked is None or self._asked[0] > limit:
            self._asked = (limit, *self._search(limit))
        asked, places, correlation = self._asked
        if asked == limit:
            return places, correlation
        large = np.flatnonzero(np.abs(correlation) > limit)
        return places[large], correlation[large]

    def _search(self, limit: float) -> tuple[Indices, Vector]:
        from infimum.compiled.products.bounded_columns import (
            find_beyond,  # late: it loads numba
        )

        count = find_beyond(
            self.known, self.reach, self.travelled, self.gain * limit, self._found
        )
        doubtful = self._found[:count]
        correlation = self.exact(doubtful)
        sizes = np.abs(correlation)
        self.known[doubtful] = self.gain * sizes - self.reach[doubtful] * self.travelled
        large = np.flatnonzero(sizes > limit)
        return doubtful[large], correlation[large]

    def join(self, chosen: Indices) -> None:
        """Make some columns members."""
        size, total = len(self.members), len(self.members) + len(chosen)
        self.members = np.concatenate([self.members, chosen])
        self.place, self._asked = None, None
        self.known[chosen] = -np.inf
        if total + 1 > len(self._grams):
            room = max(total + 1, min(2 * len(self._grams), total + MOST_ROOM))
            larger = np.zeros((room, room))
            larger[:size, :size] = self._grams[:size, :size]
            self._grams = larger
        grams = self._grams
        left = self.access.join(self.members, size, self.shares, grams)
        if self.shift is not None:
            means = self.shift[self.members]
            grams[left:total, :total] -= np.outer(means[left:], means)
            grams[:left, left:total] -= np.outer(means[:left], means[left:])

    def answered(self, changes: Vector) -> Vector:
        """Return what changed coefficients take from the members' correlations."""
        from infimum.compiled.products.chosen_rows import (
            add_chosen,  # late: it loads numba
        )

        used, total = np.flatnonzero(changes), np.zeros(len(changes))
        add_chosen(self.gram, used, changes[used], total)
        return total

    def retain(self, kept: Indices) -> None:
        """Keep only the members at these places; of the others nothing is known."""
        self.known[self.members] = np.inf
        self.members = self.members[kept]
        self.place, self._asked = None, None
        self.known[self.members] = -np.inf
        self.access.retain(kept)
        self.factor.forget()
        inside = self._grams[np.ix_(kept, kept)]
        self._grams[:] = 0.0
        self._grams[: len(kept), : len(kept)] = inside

    def moved(self, changes: Vector) -> Vector:
        """Return the residual after the members' coefficients have changed."""
        residual = self.residual.copy()
        self.access.subtract(self.members, changes, residual)
        if self.shift is not None:
            residual += self.shift[self.members] @ changes
            residual -= self.shares @ residual
        return residual
