"""Conjugate gradients on functions that are not quadratic."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import Choice
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.descend import Compass, DescentMethod
from infimum.study.convexity.descent.premises import Premises
from infimum.study.convexity.descent.rates import conjugate_gradient_bound
from infimum.typing import Vector

__all__ = ["NonlinearConjugateGradient"]

#: β from the new gradient, the old one and the old direction.
_FORMULAS: dict[str, Callable[[Vector, Vector, Vector], float]] = {
    "fletcher_reeves": lambda new, old, _: float(new @ new) / float(old @ old),
    "polak_ribiere": lambda new, old, _: float((new - old) @ new) / float(old @ old),
    "hestenes_stiefel": lambda new, old, direction: (
        float((new - old) @ new) / float((new - old) @ direction)
    ),
}


@dataclass(frozen=True)
class NonlinearConjugateGradient(DescentMethod):
    r"""Bend the negative gradient towards the last direction: p₊ = -g₊ + β p.

    =====================  =====================================================
    ``fletcher_reeves``    :math:`\beta = g_+^\top g_+ / g^\top g`
    ``polak_ribiere``      :math:`\beta = (g_+ - g)^\top g_+ / g^\top g`
    ``hestenes_stiefel``   :math:`\beta = (g_+ - g)^\top g_+ / (g_+ - g)^\top p`
    ``hessian``            :math:`\beta = g_+^\top K p / p^\top K p`, K the Hessian
    =====================  =====================================================

    On a quadratic with exact steps all are the conjugate gradient method. The Hessian
    formula goes with `HessianStep`. Polak-Ribière tends to do best in practice.

    >>> import numpy as np
    >>> from infimum.study.convexity import Quadratic
    >>> bowl = Quadratic(np.diag([1.0, 10.0]), np.array([-1.0, -10.0]))
    >>> NonlinearConjugateGradient().minimize(bowl, np.zeros(2)).iterations
    2
    """

    formula: str = field(
        default="polak_ribiere", metadata={"domain": Choice((*_FORMULAS, "hessian"))}
    )

    def compass(self, function: ConvexFunction) -> Compass:
        return _BendingCompass(function, self.formula)

    def bound(self, iterations: int, premises: Premises) -> float:
        """Return the promise on quadratics with exact steps: conjugate gradients'."""
        if iterations >= premises.dimension:
            return 0.0
        return conjugate_gradient_bound(premises.condition, premises.gap, iterations)


class _BendingCompass:
    def __init__(self, function: ConvexFunction, formula: str) -> None:
        self._function, self._formula = function, formula
        self._last: tuple[Vector, Vector, Vector] | None = None

    def __call__(self, point: Vector, gradient: Vector) -> Vector:
        direction = -gradient
        if self._last is not None:
            direction = direction + self._beta(gradient, *self._last) * self._last[2]
        if not direction @ gradient < 0.0:
            direction = -gradient
        self._last = (point, gradient, direction)
        return np.asarray(direction)

    def _beta(
        self, gradient: Vector, point: Vector, old: Vector, direction: Vector
    ) -> float:
        if self._formula != "hessian":
            return _FORMULAS[self._formula](gradient, old, direction)
        image = self._function.hessian(point) @ direction
        return float(gradient @ image) / float(direction @ image)
