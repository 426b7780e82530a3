"""Total variation: coefficients change from one column to the next only rarely."""

from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import positive
from infimum.penalties._penalty import Penalty
from infimum.typing import Matrix, Vector

__all__ = ["TotalVariation"]

#: Sums of directions this small, relative to their sizes, are rounding.
ROUNDING = 1e-12


@dataclass(frozen=True)
class TotalVariation(Penalty):
    r"""Sum of the jumps between neighbouring coefficients.

    .. math:: \Omega(w) = \text{strength} \sum_j |w_{j+1} - w_j|

    For columns with an order (time, frequency, place): the fit becomes piecewise
    constant. With one column of coefficients per score, each is a signal of its own.
    The proximal step is exact: it pulls a string taut.

    Examples
    --------
    >>> import numpy as np
    >>> TotalVariation(1.0).prox(np.array([0.0, 0.0, 6.0, 6.0]), 1.0)
    array([0.5, 0.5, 5.5, 5.5])

    References
    ----------
    Rudin, Osher & Fatemi (1992), Physica D 60. Davies & Kovac (2001), Annals of
    Statistics 29 (the taut string).
    """

    strength: float = field(default=1.0, metadata={"domain": positive})

    def value(self, w: Vector) -> float:
        return self.strength * float(np.abs(np.diff(w, axis=0)).sum())

    def conjugate(self, v: Vector) -> float:
        return 0.0 if self._gauge(v) <= self.strength * (1.0 + ROUNDING) else np.inf

    def prox(self, w: Vector, step: float) -> Vector:
        from infimum.compiled.descent.taut_string import (
            pull_taut,  # late: it loads numba
        )

        columns = np.array(w, dtype=np.float64).reshape(len(w), -1).T
        pulled = [
            pull_taut(np.ascontiguousarray(column), float(step) * self.strength)
            for column in columns
        ]
        return np.array(pulled).T.reshape(w.shape)

    def stiffness(self, w: Vector, step: float | Vector) -> Matrix:
        # A stretch of equal coefficients moves by the mean of its moves.
        pulled = self.prox(w, float(step)).reshape(len(w), -1)
        places = np.arange(w.size).reshape(pulled.shape)
        matrix = np.eye(w.size)
        for column, chosen in zip(pulled.T, places.T, strict=True):
            jumps = np.abs(np.diff(column)) > ROUNDING * np.abs(column).max()
            which = np.append(0, np.cumsum(jumps))
            together = which[:, None] == which[None, :]
            matrix[np.ix_(chosen, chosen)] -= together / together.sum(axis=0)
        return matrix / step

    def support(self, sizes: Vector, level: float) -> float:
        # No coefficient is further from the mean than all jumps together.
        return level / self.strength * float(np.sum(sizes))

    def dual_scale(self, v: Vector) -> float:
        gauge = self._gauge(v)
        return min(1.0, self.strength / gauge) if gauge > 0 else 1.0

    def admit(self, v: Vector) -> Vector:
        # The conjugate is the wall of a convex set, and what the proximal step takes
        # off a vector is its projection there.
        return v if self._gauge(v) <= self.strength else v - self.prox(v, 1.0)

    def free_directions(self, features: int) -> Matrix:
        return np.ones((features, 1))

    def _gauge(self, v: Vector) -> float:
        """Return the largest partial sum; infinity when the whole is not 0."""
        sums = np.cumsum(v, axis=0)
        rounding = ROUNDING * np.abs(v).sum(axis=0)
        if np.any(np.abs(sums[-1]) > rounding):
            return np.inf
        return float(np.abs(sums[:-1]).max(initial=0.0))
