"""Decision stumps: one column, one threshold, either side."""

from dataclasses import dataclass, field
from math import comb
from typing import Any, NamedTuple

import numpy as np

from infimum.parameters import whole
from infimum.theory.classes._cuts import cut_between, cut_patterns, least_cut
from infimum.theory.classes._hypothesis_class import HypothesisClass, Minimum
from infimum.typing import Mask, Matrix, Vector

__all__ = ["Stumps"]


class _Stump(NamedTuple):
    column: int
    threshold: float
    sign: int


@dataclass(frozen=True)
class Stumps(HypothesisClass):
    r"""Functions that compare one of d columns with a threshold, either way round.

    The VC dimension is the largest n with :math:`\binom{n}{\lfloor n/2 \rfloor} \le 2d`
    (every half of the points must be first or last in some column), and there are at
    most :math:`2 + 2d(n - 1)` labellings.

    Examples
    --------
    >>> from infimum.theory import Stumps
    >>> [Stumps(d).vc_dimension for d in (1, 2, 3, 10)]
    [2.0, 3.0, 4.0, 6.0]

    References
    ----------
    S. Gey (2018), Vapnik-Chervonenkis dimension of axis-parallel cuts, Communications
    in Statistics 47.
    """

    columns: int = field(default=1, metadata={"domain": whole(1)})

    @property
    def dimension(self) -> int:
        """How many numbers make a point."""
        return self.columns

    @property
    def vc_dimension(self) -> float:
        """The largest n whose middle binomial coefficient is at most 2d."""
        n = 1
        while comb(n + 1, (n + 1) // 2) <= 2 * self.columns:
            n += 1
        return float(n)

    def _growth(self, n: int) -> int:
        linear = 2 + 2 * self.columns * max(0, n - 1)
        return min(2**n, linear) if n > 0 else 1

    def _realize(self, points: Matrix, positive: Mask) -> Any:
        for column in range(self.columns):
            for sign in (1, -1):
                wanted = positive if sign == 1 else ~positive
                cut = cut_between(points[:, column], wanted)
                if cut is not None:
                    return _Stump(column, cut, sign)
        return None

    def _predict(self, parameters: Any, points: Matrix) -> Mask:
        above = points[:, parameters.column] >= parameters.threshold
        return np.asarray(above if parameters.sign == 1 else ~above)

    def _patterns(self, points: Matrix) -> Mask:
        rising = np.vstack([cut_patterns(column) for column in points.T])
        return np.unique(np.vstack([rising, ~rising]), axis=0)

    def _minimize(self, points: Matrix, labels: Vector, weights: Vector) -> Minimum:
        best, risk = _Stump(0, np.inf, 1), np.inf
        for column in range(self.columns):
            for sign in (1, -1):
                cut, wrong = least_cut(points[:, column], sign * labels, weights)
                if wrong < risk:
                    best, risk = _Stump(column, cut, sign), wrong
        return Minimum(best, risk)
