"""A p-norm as a convex function."""

from dataclasses import dataclass, field

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.parameters import check_domains, positive
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.norms import dual_order, dual_vector, norm
from infimum.typing import Vector

__all__ = ["Norm"]


@dataclass(frozen=True, eq=False)
class Norm(ConvexFunction):
    r"""A norm: :math:`f(x) = \lambda \|x\|_p`, 1 ≤ p ≤ ∞.

    Its conjugate is the indicator of the ball of radius λ in the dual norm. At the
    origin the subgradient returned is zero.

    >>> import numpy as np
    >>> absolute = Norm(1.0)
    >>> absolute.gradient(np.array([2.0, 0.0, -1.0])).tolist()
    [1.0, 0.0, -1.0]
    """

    order: float = 2.0
    scale: float = field(default=1.0, metadata={"domain": positive})

    def __post_init__(self) -> None:
        check_domains(self)
        if not self.order >= 1.0:
            raise InvalidParameterError(
                f"Norm.order must be in [1, inf], got {self.order!r}."
            )

    def value(self, x: Vector) -> float:
        return self.scale * norm(x, self.order)

    def gradient(self, x: Vector) -> Vector:
        return np.asarray(self.scale * dual_vector(x, self.order))

    def conjugate(self) -> ConvexFunction:
        from infimum.study.convexity.functions.indicator import Indicator
        from infimum.study.convexity.sets import Ball

        return Indicator(Ball(dual_order(self.order), self.scale))
