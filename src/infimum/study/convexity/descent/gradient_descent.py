"""Gradient descent."""

from dataclasses import dataclass

import numpy as np

from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.descend import Compass, DescentMethod
from infimum.study.convexity.descent.premises import Premises
from infimum.study.convexity.descent.rates import subgradient_bound
from infimum.study.convexity.descent.step_rules import DecayingStep

__all__ = ["GradientDescent"]


@dataclass(frozen=True)
class GradientDescent(DescentMethod):
    r"""Go against the gradient: :math:`w_{t+1} = w_t - \eta_t \nabla f(w_t)`.

    With the fixed step 1/L on an L-smooth function the shortest of the first T + 1
    gradients is at most :math:`\sqrt{2L(f(w_0) - f^*)/(T + 1)}`; if f is also
    σ-strongly convex the gap shrinks by 1 - σ/L a step (`rates`). With exact or Wolfe
    steps no modulus need be known; with decaying steps f need not be smooth.

    >>> import numpy as np
    >>> from infimum.study.convexity import Quadratic
    >>> bowl = Quadratic(np.diag([1.0, 3.0]), np.array([-1.0, -3.0]))
    >>> GradientDescent().minimize(bowl, np.zeros(2)).point.round(6).tolist()
    [1.0, 1.0]
    """

    def compass(self, function: ConvexFunction) -> Compass:
        return lambda _point, gradient: -gradient

    def bound(self, iterations: int, premises: Premises) -> float:
        r"""Return the promise of the step rule.

        Decaying steps promise :math:`(R^2+G^2\sumη^2)/2\sumη` for subgradients of
        length G at most; the rules that surely pay on an L-smooth function promise the
        rate :math:`1-2\sigma\,\mathrm{payment}` or, without strong convexity, 1/T.
        """
        if isinstance(self.step, DecayingStep):
            steps = np.array([self.step.step(t + 1) for t in range(iterations + 1)])
            return subgradient_bound(premises.distance, premises.lipschitz, steps)
        payment = self.step.payment(premises.smoothness)
        return premises.after_payments(payment, iterations)
