"""Gradient descent."""

from dataclasses import dataclass

from infimum.convexity.convex_function import ConvexFunction
from infimum.convexity.descent.descend import Compass, DescentMethod

__all__ = ["GradientDescent"]


@dataclass(frozen=True)
class GradientDescent(DescentMethod):
    r"""Go against the gradient: :math:`w_{t+1} = w_t - \eta_t \nabla f(w_t)`.

    With the fixed step 1/L on an L-smooth function the shortest of the first T + 1
    gradients is at most :math:`\sqrt{2L(f(w_0) - f^*)/(T + 1)}`; if f is also
    σ-strongly convex the gap shrinks by 1 - σ/L a step (`rates`). With exact or Wolfe
    steps no modulus need be known; with decaying steps f need not be smooth.

    >>> import numpy as np
    >>> from infimum.convexity import Quadratic
    >>> bowl = Quadratic(np.diag([1.0, 3.0]), np.array([-1.0, -3.0]))
    >>> GradientDescent().minimize(bowl, np.zeros(2)).point.round(6).tolist()
    [1.0, 1.0]
    """

    def compass(self, function: ConvexFunction) -> Compass:
        return lambda _point, gradient: -gradient
