"""A convex function known only by its answers."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from infimum.study.convexity.convex_function import ConvexFunction
from infimum.typing import Matrix, Vector

__all__ = ["Oracle"]


@dataclass(frozen=True, eq=False)
class Oracle(ConvexFunction):
    """A function given by formulas for its value, gradient and, if known, Hessian.

    The caller answers for convexity and for the moduli; `worst_chord` looks for a
    counterexample.

    >>> import numpy as np
    >>> quartic = Oracle(
    ...     lambda w: float(w[0] ** 4 + 20 * w[0] ** 2 + w[0]),
    ...     lambda w: 4 * w**3 + 40 * w + 1,
    ...     strong_convexity_known=40.0,
    ... )
    >>> quartic.value(np.array([2.0])), quartic.gradient(np.array([2.0])).tolist()
    (98.0, [113.0])
    """

    formula: Callable[[Vector], float]
    slope: Callable[[Vector], Vector]
    curvature: Callable[[Vector], Matrix] | None = None
    strong_convexity_known: float = 0.0
    smoothness_known: float = np.inf

    def value(self, x: Vector) -> float:
        return float(self.formula(x))

    def gradient(self, x: Vector) -> Vector:
        return np.asarray(self.slope(x))

    def hessian(self, x: Vector) -> Matrix:
        return super().hessian(x) if self.curvature is None else self.curvature(x)

    @property
    def strong_convexity(self) -> float:
        return self.strong_convexity_known

    @property
    def smoothness(self) -> float:
        return self.smoothness_known
