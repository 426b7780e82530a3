"""Simplex: coefficients are shares of a whole."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from infimum.parameters import positive
from infimum.penalties._penalty import Penalty
from infimum.typing import Matrix, Vector

__all__ = ["Simplex", "nearest_shares"]

#: Shares whose sum misses the total by this much, relative to it, still count.
ROUNDING = 1e-10


@dataclass(frozen=True)
class Simplex(Penalty):
    r"""Indicator of the simplex: non-negative coefficients with a given sum.

    .. math:: \Omega(w) = 0 \text{ if } w \ge 0 \text{ and }
              \textstyle\sum_j w_j = \text{total}, \text{ else } \infty

    For mixtures and portfolios. With one column of coefficients per score, each column
    is a set of shares. No coefficient at all is not an option here, so solvers start
    from the nearest shares instead.

    Examples
    --------
    >>> import numpy as np
    >>> Simplex().prox(np.array([0.9, 0.5, -1.0]), 1.0).round(3)
    array([0.7, 0.3, 0. ])
    """

    many_steps: ClassVar[bool] = True
    total: float = field(default=1.0, metadata={"domain": positive})

    def value(self, w: Vector) -> float:
        short = np.abs(w.sum(axis=0) - self.total)
        inside = np.all(w >= 0.0) and np.all(short <= ROUNDING * self.total)
        return 0.0 if inside else np.inf

    def conjugate(self, v: Vector) -> float:
        return self.total * float(v.max(axis=0).sum())

    def prox(self, w: Vector, step: float | Vector) -> Vector:
        if np.ndim(step) == 0:
            return np.asarray(np.apply_along_axis(nearest_shares, 0, w, self.total))
        steps = np.ravel(step)
        return np.apply_along_axis(lambda z: self._weighted(z, steps), 0, w)

    def _weighted(self, z: Vector, steps: Vector) -> Vector:
        """Return max(z - steps·t, 0) for the t under which it adds up to the total."""
        # The first entry to get a share may take it all: numbers of any size cancel.
        lowest = (z - self.total) / steps
        first = int(lowest.argmax())
        z = z - steps * lowest[first]
        z[first] = self.total
        order = np.argsort(-z / steps, kind="stable")
        levels = (np.cumsum(z[order]) - self.total) / np.cumsum(steps[order])
        used = max(int(np.count_nonzero(z[order] > steps[order] * levels)), 1)
        shares = np.maximum(z - steps * levels[used - 1], 0.0)
        return np.asarray(shares * (self.total / shares.sum()))

    def stiffness(self, w: Vector, step: float | Vector) -> Matrix:
        # The shares in use move together, less the mean of their moves.
        used = (self.prox(w, step) > 0.0).reshape(len(w), -1)
        steps = np.broadcast_to(np.ravel(step), len(w))
        places = np.arange(w.size).reshape(used.shape)
        matrix = np.diag((np.where(used, 0.0, 1.0) / steps[:, None]).ravel())
        for mask, chosen in zip(used.T, places.T, strict=True):
            matrix[np.ix_(chosen[mask], chosen[mask])] += 1.0 / steps[mask].sum()
        return matrix

    def dual_scale(self, v: Vector) -> float:
        return 1.0


def nearest_shares(x: Vector, total: float) -> Vector:
    """Return the point of the simplex {w ≥ 0 : Σ w = total} nearest to `x`."""
    # The projection is max(x - t, 0); t solves a piecewise linear equation whose
    # active piece is the last one where the sorted entry still exceeds t.
    x = x - x.max()  # numbers of any size: the largest entry keeps its share
    ordered = np.sort(x)[::-1]
    levels = (np.cumsum(ordered) - total) / np.arange(1, x.size + 1)
    last = int(np.flatnonzero(ordered > levels)[-1])
    return np.asarray(np.maximum(x - levels[last], 0.0))
