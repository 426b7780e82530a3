"""The bound by Rademacher complexity."""

from collections.abc import Callable
from dataclasses import dataclass
from math import log, sqrt
from typing import ClassVar

from infimum.theory.bounds._capacity_bound import CapacityBound

__all__ = ["RademacherBound"]


@dataclass(frozen=True)
class RademacherBound(CapacityBound):
    r"""Functions with values -1 and +1 of known Rademacher complexity.

    The errors of such functions have half their complexity, so that the usual
    :math:`R \le R_n + 2\,\mathrm{Rad}_n(\ell \circ F) + \dots` becomes

    .. math:: R \le R_n + \mathrm{Rad}_n(F) + \sqrt{\frac{\log(1/\delta)}{2n}}

    for the expected complexity. The one measured on the rows themselves costs
    :math:`3\sqrt{\log(2/\delta)/(2n)}` instead; that is ``empirical=True``.

    Parameters
    ----------
    complexity : float or callable
        Rad of the functions, as a number or as a function of n.

    Examples
    --------
    >>> from infimum.theory import RademacherBound
    >>> round(RademacherBound(0.02, empirical=False).width(1000, 0.05), 4)
    0.0587
    """

    complexity: float | Callable[[int], float]
    empirical: bool = True
    method: ClassVar[str] = "Rademacher bound"

    def _width(self, n: int, log_delta: float) -> float:
        given = self.complexity
        cost = given(n) if callable(given) else given
        return float(cost) + self._slack(n, log_delta)

    def _slack(self, n: int, log_delta: float) -> float:
        if self.empirical:
            return 3 * sqrt((log(2.0) - log_delta) / (2 * n))
        return sqrt(-log_delta / (2 * n))
