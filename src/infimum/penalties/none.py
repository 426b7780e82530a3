"""No penalty: coefficients cost nothing."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from infimum.penalties._penalty import SeparablePenalty
from infimum.typing import Formula, Vector

__all__ = ["NoPenalty"]


def shrink(z: Any, step: Any, parameters: Any) -> Any:
    """Leave z where it is."""
    return 1.0 * z


@dataclass(frozen=True)
class NoPenalty(SeparablePenalty):
    r"""Zero penalty: plain empirical risk minimisation.

    .. math:: \Omega(w) = 0

    Its conjugate is finite at 0 alone, so a certificate must make the correlations
    vanish exactly.

    Examples
    --------
    >>> import numpy as np
    >>> NoPenalty().value(np.array([1.0, -2.0]))
    0.0
    >>> NoPenalty().prox(np.array([1.0, -2.0]), 0.5).round(3)
    array([ 1., -2.])
    """

    shrink: ClassVar[Formula] = staticmethod(shrink)

    @property
    def quadratic(self) -> float | None:
        return 0.0

    @property
    def elastic(self) -> tuple[float, float] | None:
        return 0.0, 0.0

    def value(self, w: Vector) -> float:
        return 0.0

    def conjugate(self, v: Vector) -> float:
        return 0.0 if not np.any(v) else np.inf

    def dual_scale(self, v: Vector) -> float:
        return 0.0 if np.any(v) else 1.0
