"""What is known of the correlations of many sparse columns with a moving residual.

A correlation xᵀ(q∘r) cannot change by more than ‖x‖ times the way that r has gone since
it was last computed. Most columns of a wide table are so far from mattering that this
bound settles them for many steps: they are not read at all.
"""

from __future__ import annotations

import numpy as np

from infimum.data.designs import SparseDesign, StandardizedDesign
from infimum.objectives import LinearRisk
from infimum.typing import Indices, Matrix, Vector

__all__ = ["BoundedCorrelations"]

#: What rounding may add to a way, relative to it.
ROUNDING = 1e-10
#: So many columns are shared out among the cores, in so many parts; fewer have been
#: read before the other core has woken up.
WORTH_THREADS, PARTS = 30_000, 4


class BoundedCorrelations:
    """Correlations: exact for the members, bounded for all other columns.

    The members are the columns that are worked on; their Gram matrix, with an empty
    last line for the intercept, grows with them. Columns are centred where the design
    says so, and the residual of a free intercept has mean 0.
    """

    def __init__(self, risk: LinearRisk, norms: Vector) -> None:
        design, d = risk.design, risk.design.shape[1]
        self.shift: Vector | None = None
        if isinstance(design, StandardizedDesign):
            self.shift, design = design.shift, design.original
        assert isinstance(design, SparseDesign)
        form = design.by_column
        self.form = form.indptr, form.indices, form.data
        self.shares, self.norms = risk.weights, norms
        self.known, self.travelled = np.full(d, np.inf), 0.0
        self.residual: Vector = np.zeros(len(risk.y))
        self.members: Indices = np.empty(0, dtype=np.intp)
        self.gram: Matrix = np.zeros((1, 1))
        #: Where the last run ended, and at which corner of the penalty.
        self.point: Vector | None = None
        self.w: Vector = np.empty(0)
        self.correlation: Vector = np.empty(0)
        self.corner = 0.0
        self._found: Indices = np.empty(d + 1, dtype=np.intp)

    def move_to(self, residual: Vector) -> None:
        """Take note that the residual has gone elsewhere."""
        way = float(np.sqrt(self.shares @ (residual - self.residual) ** 2))
        self.travelled += (1.0 + ROUNDING) * way
        self.residual, self.point = residual, None

    def exact(self, chosen: Indices) -> Vector:
        """Return the correlations of some columns with the residual."""
        from infimum.compiled import correlate_columns, in_parts  # late: loads numba

        weighted, out = self.shares * self.residual, np.empty(len(chosen))

        def correlate(at: slice) -> None:
            correlate_columns(*self.form, chosen[at], weighted, out[at])

        if len(chosen) < WORTH_THREADS:
            correlate(slice(None))
        else:
            in_parts(len(chosen), correlate, PARTS)
        if self.shift is not None:
            out -= self.shift[chosen] * weighted.sum()
        return out

    def beyond(self, limit: float) -> tuple[Indices, Vector]:
        """Return the columns, other than members, that correlate by more than that."""
        from infimum.compiled import find_beyond  # late: it loads numba

        count = find_beyond(self.known, self.norms, self.travelled, limit, self._found)
        doubtful = self._found[:count]
        correlation = self.exact(doubtful)
        sizes = np.abs(correlation)
        self.known[doubtful] = sizes - self.norms[doubtful] * self.travelled
        large = np.flatnonzero(sizes > limit)
        return doubtful[large], correlation[large]

    def join(self, chosen: Indices) -> None:
        """Make some columns members."""
        from infimum.compiled import join_columns  # late: it loads numba

        size = len(self.members)
        self.members, self.point = np.concatenate([self.members, chosen]), None
        self.known[chosen] = -np.inf
        total = len(self.members)
        gram = np.zeros((total + 1, total + 1))
        gram[:size, :size] = self.gram[:size, :size]
        join_columns(*self.form, self.members, size, self.shares, gram)
        if self.shift is not None:
            means = self.shift[self.members]
            gram[size:total, :total] -= np.outer(means[size:], means)
            gram[:size, size:total] -= np.outer(means[:size], means[size:])
        self.gram = gram

    def retain(self, kept: Indices) -> None:
        """Keep only the members at these places; of the others nothing is known."""
        self.known[self.members] = np.inf
        self.members, self.point = self.members[kept], None
        self.known[self.members] = -np.inf
        inside = np.append(kept, len(self.gram) - 1)
        self.gram = self.gram[np.ix_(inside, inside)]

    def moved(self, changes: Vector) -> Vector:
        """Return the residual after the members' coefficients have changed."""
        from infimum.compiled import subtract_columns  # late: it loads numba

        residual = self.residual.copy()
        subtract_columns(*self.form, self.members, changes, residual)
        if self.shift is not None:
            residual += self.shift[self.members] @ changes
            residual -= self.shares @ residual
        return residual
