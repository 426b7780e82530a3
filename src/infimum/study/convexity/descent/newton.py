"""Newton's method."""

from dataclasses import dataclass, field

import numpy as np
import scipy.linalg

from infimum.errors import IncompatibleError
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.descend import Compass, DescentMethod
from infimum.study.convexity.descent.inexact_steps import DampedStep, WolfeStep
from infimum.study.convexity.descent.premises import Premises
from infimum.study.convexity.descent.rates import damped_newton_bound
from infimum.study.convexity.descent.step_rules import ExactStep, StepRule
from infimum.typing import Matrix, Vector

__all__ = ["DampedNewton", "NewtonMethod"]


@dataclass(frozen=True)
class NewtonMethod(DescentMethod):
    r"""Jump to the minimum of the second-order model, with a line search.

    Needs a positive definite Hessian, O(d³) work a step. Near the minimum full steps
    square the error: :math:`\|w_{t+1}-w^*\| \le \frac{NM}2\|w_t-w^*\|^2`
    (`newton_constant`).

    >>> import numpy as np
    >>> from infimum.study.convexity import Quadratic
    >>> bowl = Quadratic(np.diag([1.0, 1e6]), np.array([-1.0, -1e6]))
    >>> NewtonMethod().minimize(bowl, np.zeros(2)).iterations
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

    def bound(self, iterations: int, premises: Premises) -> float:
        r"""Return the promise far from the minimum, for exact or Wolfe steps.

        The cosine between direction and negative gradient is at least σ/L, so each step
        pays that, squared, of what a gradient step would. Near the minimum
        `newton_constant` takes over.
        """
        if not isinstance(self.step, WolfeStep | ExactStep):
            return np.inf
        payment = self.step.payment(premises.smoothness) / premises.condition**2
        return premises.after_payments(payment, iterations)


@dataclass(frozen=True)
class DampedNewton(NewtonMethod):
    r"""Newton's method with the step 1/(1 + λ), λ the Newton decrement.

    Made for self-concordant functions, such as barriers: no line search, no modulus, no
    step out of the domain, and a number of iterations that depends on nothing but the
    first gap (`damped_newton_bound`).

    >>> import numpy as np
    >>> from infimum.study.convexity import Affine, LogBarrier
    >>> function = LogBarrier() + Affine(np.array([1.0, 4.0]))
    >>> DampedNewton().minimize(function, np.ones(2)).point.round(9).tolist()
    [1.0, 0.25]

    References
    ----------
    Nesterov & Nemirovskii (1994), Interior-Point Polynomial Algorithms.
    """

    step: StepRule = field(default_factory=DampedStep)

    def bound(self, iterations: int, premises: Premises) -> float:
        """Return the promise for a self-concordant function."""
        return damped_newton_bound(premises.gap, iterations)


def _factor(hessian: Matrix) -> Matrix | None:
    """Return the lower Cholesky factor, or None when a pivot drowns in rounding."""
    try:
        factor = scipy.linalg.cholesky(hessian, lower=True)
    except np.linalg.LinAlgError:
        return None
    # A pivot is a diagonal entry less what earlier columns explain of it.
    noise = len(hessian) * np.finfo(float).eps * np.diag(hessian)
    return None if np.any(np.diag(factor) ** 2 <= noise) else np.asarray(factor)
