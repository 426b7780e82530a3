"""Newton's method."""

from dataclasses import dataclass, field

import numpy as np
import scipy.linalg

from infimum.convexity.convex_function import ConvexFunction
from infimum.convexity.descent.descend import Compass, DescentMethod
from infimum.convexity.descent.inexact_steps import WolfeStep
from infimum.convexity.descent.step_rules import StepRule
from infimum.errors import IncompatibleError
from infimum.typing import Matrix, Vector

__all__ = ["Newton"]


@dataclass(frozen=True)
class Newton(DescentMethod):
    r"""Jump to the minimum of the second-order model, with a line search.

    Needs a positive definite Hessian, O(d³) work a step. Near the minimum full steps
    square the error: :math:`\|w_{t+1}-w^*\| \le \frac{NM}2\|w_t-w^*\|^2`
    (`newton_constant`).

    >>> import numpy as np
    >>> from infimum.convexity import Quadratic
    >>> bowl = Quadratic(np.diag([1.0, 1e6]), np.array([-1.0, -1e6]))
    >>> Newton().minimize(bowl, np.zeros(2)).iterations
    1
    """

    step: StepRule = field(default_factory=WolfeStep)

    def compass(self, function: ConvexFunction) -> Compass:
        def point_to_model_minimum(point: Vector, gradient: Vector) -> Vector:
            factor = _factor(function.hessian(point))
            if factor is None:
                raise IncompatibleError(
                    "Newton needs a positive definite Hessian, but "
                    f"{type(function).__name__} is flat somewhere on the way; "
                    "add a SquaredNorm or use BFGS."
                )
            return np.asarray(scipy.linalg.cho_solve((factor, True), -gradient))

        return point_to_model_minimum


def _factor(hessian: Matrix) -> Matrix | None:
    """Return the lower Cholesky factor, or None when a pivot drowns in rounding."""
    try:
        factor = scipy.linalg.cholesky(hessian, lower=True)
    except np.linalg.LinAlgError:
        return None
    # A pivot is a diagonal entry less what earlier columns explain of it.
    noise = len(hessian) * np.finfo(float).eps * np.diag(hessian)
    return None if np.any(np.diag(factor) ** 2 <= noise) else np.asarray(factor)
