"""Known constants of a problem, from which convergence rates follow."""

from dataclasses import dataclass

import numpy as np

from infimum.study.convexity.convex_function import ConvexFunction
from infimum.typing import Vector

__all__ = ["Premises"]


@dataclass(frozen=True)
class Premises:
    """The constants in which a method's `bound` is stated; what is unknown says so.

    Every method has ``bound(iterations, premises)``: after so many iterations the best
    value lies above the minimum by at most that much. It is infinite where the premises
    do not suffice.

    Attributes
    ----------
    gap : float
        The value at the start minus the minimum.
    distance : float
        The Euclidean distance from the start to a minimiser; for mirror descent the
        divergence instead.
    smoothness, strong_convexity : float
        The moduli L and σ of the function.
    lipschitz : float
        A bound on the norms of the (sub)gradients.
    diameter : float
        The largest distance within the feasible set, or within the set of points no
        worse than the start.
    dimension : int
        The number of variables.
    """

    gap: float = np.inf
    distance: float = np.inf
    smoothness: float = np.inf
    strong_convexity: float = 0.0
    lipschitz: float = np.inf
    diameter: float = np.inf
    dimension: int = 1

    @classmethod
    def of(
        cls,
        function: ConvexFunction,
        start: Vector,
        minimizer: Vector,
        *,
        lipschitz: float = np.inf,
        diameter: float = np.inf,
    ) -> "Premises":
        """Return what a known minimiser and the function's own moduli say.

        >>> import numpy as np
        >>> from infimum.study.convexity import Quadratic
        >>> bowl = Quadratic(np.diag([1.0, 4.0]))
        >>> known = Premises.of(bowl, np.array([3.0, 0.0]), np.zeros(2))
        >>> known.gap, known.distance, known.smoothness
        (4.5, 3.0, 4.0)
        """
        return cls(
            function.value(start) - function.value(minimizer),
            float(np.linalg.norm(start - minimizer)),
            function.smoothness,
            function.strong_convexity,
            lipschitz,
            diameter,
            int(np.size(start)),
        )

    @property
    def condition(self) -> float:
        """The condition number L/σ."""
        if self.strong_convexity == 0.0:
            return np.inf
        return self.smoothness / self.strong_convexity

    def after_payments(self, payment: float, iterations: int) -> float:
        r"""Return what is left of the gap when each step pays so much.

        A step that lowers the value by `payment` times the squared gradient leaves the
        share :math:`1 - 2\sigma\,\mathrm{payment}` of the gap, because
        :math:`\mathrm{gap} \le \|g\|^2/2\sigma`; and because
        :math:`\mathrm{gap} \le \|g\|\,R` with the diameter R of the level set, its
        inverse grows by payment/R² a step.
        """
        share = max(1.0 - 2.0 * self.strong_convexity * payment, 0.0)
        linear = self.gap * share**iterations
        if not np.isfinite(self.diameter):
            return float(linear)
        slow = 1.0 / (
            1.0 / max(self.gap, 1e-300) + iterations * payment / self.diameter**2
        )
        return float(min(linear, slow))
