"""Structural risk minimisation: pay for the class by its own bound."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.theory.bounds._capacity_bound import CapacityBound
from infimum.theory.bounds.finite_bound import FiniteBound
from infimum.theory.bounds.shattering_bound import ShatteringBound
from infimum.theory.classes import HypothesisClass
from infimum.theory.guarantee import Guarantee
from infimum.theory.plain_record import PlainRecord

__all__ = [
    "Schedule",
    "StructuralChoice",
    "StructuralRiskMinimizer",
    "bound_of",
    "check_schedule",
]

_SIZES = tuple(10**k for k in range(2, 16))


def bound_of(hypotheses: HypothesisClass) -> CapacityBound:
    """Return the best bound that holds for a class: finite, else by its growth."""
    size = getattr(hypotheses, "log_size", None)
    return ShatteringBound.of(hypotheses) if size is None else FiniteBound(size)


class StructuralChoice(NamedTuple):
    """The class that was chosen, its function, and what all classes were promised."""

    position: int
    hypotheses: HypothesisClass
    parameters: Any
    guarantee: Guarantee
    guarantees: tuple[Guarantee, ...]

    def predict(self, X: ArrayLike) -> Any:
        """Return the labels -1 and +1 of points."""
        return self.hypotheses.predict(self.parameters, X)


@dataclass(frozen=True)
class StructuralRiskMinimizer:
    r"""The function of least guaranteed risk among several classes.

    .. math:: \min_{m,\ f \in F_m} R_n(f) + \text{width}_m(n, \delta / M)

    The classes share δ, so that the guarantee of the chosen one holds.

    Parameters
    ----------
    classes : sequence of hypothesis classes
        Usually nested, from small to large.
    bound : callable, default=bound_of
        Gives each class its `CapacityBound`.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.theory import Histograms, StructuralRiskMinimizer
    >>> x = (np.arange(2000) + 0.5) / 2000
    >>> rule = StructuralRiskMinimizer([Histograms(k) for k in (1, 2, 4, 8, 64)])
    >>> chosen = rule.minimize(x, np.sign(np.sin(4 * np.pi * x)))
    >>> chosen.hypotheses.cells, round(chosen.guarantee.bound, 3)
    (4, 0.045)
    """

    classes: Sequence[HypothesisClass]
    bound: Callable[[HypothesisClass], CapacityBound] = bound_of

    def minimize(
        self, X: ArrayLike, y: ArrayLike, confidence: float = 0.95
    ) -> StructuralChoice:
        """Return the best function of the class with the least guaranteed risk."""
        if not self.classes:
            raise DataError("StructuralRiskMinimizer needs at least one class.")
        best = [each.minimize(X, y) for each in self.classes]
        n, count = len(np.asarray(X)), len(self.classes)
        promised = tuple(
            self.bound(each).guarantee(n, found.risk, confidence, comparisons=count)
            for each, found in zip(self.classes, best, strict=True)
        )
        position = min(range(count), key=lambda place: promised[place].bound)
        parameters = best[position].parameters
        chosen = self.classes[position]
        return StructuralChoice(
            position, chosen, parameters, promised[position], promised
        )


@dataclass(frozen=True)
class Schedule(PlainRecord, told=("consistent",)):
    """Whether a schedule of strengths vanishes, and slowly enough."""

    vanishes: bool
    capacity_vanishes: bool

    @property
    def consistent(self) -> bool:
        """Whether both hold, as regularised risk minimisation needs."""
        return self.vanishes and self.capacity_vanishes


def check_schedule(strength: Callable[[int], float]) -> Schedule:
    r"""Look whether strengths :math:`\lambda_n` suit a growing number of rows.

    Minimising :math:`R_n + \lambda_n \|f\|^2` searches the ball of squared radius
    :math:`1/\lambda_n`, whose Rademacher complexity is of the order
    :math:`1/\sqrt{n \lambda_n}`. So :math:`\lambda_n` must vanish, or the best function
    is never reached, and :math:`n\lambda_n` must grow without bound, or the rows are
    fitted by heart. Both are judged by the powers of n between 100 and 10¹⁵.

    Examples
    --------
    >>> from infimum.theory import check_schedule
    >>> check_schedule(lambda n: n**-0.5).consistent
    True
    >>> check_schedule(lambda n: 0.1).consistent, check_schedule(lambda n: 1 / n)
    (False, Schedule(vanishes=True, capacity_vanishes=False))
    """
    values = [float(strength(n)) for n in _SIZES]
    if not all(np.isfinite(value) and value > 0 for value in values):
        raise DataError("check_schedule needs a schedule of positive numbers.")
    logs, sizes = np.log(values), np.array([log(n) for n in _SIZES])
    return Schedule(_falls(logs, sizes), _falls(-logs - sizes, sizes))


def _falls(logs: Any, sizes: Any) -> bool:
    """Tell whether a sequence keeps falling at its end, not slower than log log n."""
    slopes = np.diff(logs) / np.diff(sizes)
    return bool(np.all(slopes[len(slopes) // 2 :] < -1e-3))
