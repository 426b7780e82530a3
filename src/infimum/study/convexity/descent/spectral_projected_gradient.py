"""Spectral projected gradient: Barzilai and Borwein's step on a set."""

from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import check_domains, nonnegative, opened, positive, whole
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.descent_trace import DescentTrace, Logbook
from infimum.study.convexity.descent.premises import Premises
from infimum.study.convexity.descent.projected_gradient import prove_on
from infimum.study.convexity.descent.secant import bounded_spectral_ratio
from infimum.study.convexity.sets.convex_set import ConvexSet
from infimum.typing import Vector

__all__ = ["ProjectedBarzilaiBorwein"]

_HALVINGS = 100


@dataclass(frozen=True)
class ProjectedBarzilaiBorwein:
    r"""Go towards :math:`P(w - \nabla f(w)/\alpha)`, α the spectral ratio.

    The direction is the projected spectral step minus the point, so the whole segment
    is feasible and one projection an iteration is enough. The step along it is accepted
    as in `BarzilaiBorwein`, against the largest of the last `window` values. The
    method of choice for smooth functions on sets with a cheap projection.

    >>> import numpy as np
    >>> from infimum.study.convexity import Quadratic, Simplex
    >>> bowl = Quadratic(np.diag([1.0, 100.0]), np.array([-1.0, -100.0]))
    >>> trace = ProjectedBarzilaiBorwein(Simplex()).minimize(bowl, np.ones(2))
    >>> trace.point.round(6).tolist(), trace.gap < 1e-8
    ([0.009901, 0.990099], True)

    References
    ----------
    Birgin, Martínez & Raydan (2000), SIAM J. Optimization 10(4).
    """

    region: ConvexSet
    window: int = field(default=10, metadata={"domain": whole(1)})
    decrease: float = field(default=1e-4, metadata={"domain": opened(0, 1)})
    least_ratio: float = field(default=1e-10, metadata={"domain": positive})
    largest_ratio: float = field(default=1e10, metadata={"domain": positive})
    tolerance: float = field(default=1e-8, metadata={"domain": nonnegative})
    max_iterations: int = field(default=1000, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)

    def minimize(self, function: ConvexFunction, start: Vector) -> DescentTrace:
        """Descend from the projection of `start` and return the trace."""
        log = Logbook(function, self.region.project(np.asarray(start, dtype=float)))
        ratio = max(1.0, float(np.max(np.abs(log.gradient))))
        for _ in range(self.max_iterations):
            prove_on(log, self.region)
            plain = self.region.project(log.point - log.gradient) - log.point
            if np.linalg.norm(plain) <= self.tolerance:
                return log.close("gradient")
            point, gradient = log.point, log.gradient
            direction = self.region.project(point - gradient / ratio) - point
            if not log.move(self._search(function, log, direction), direction):
                return log.close("stalled")
            ratio = bounded_spectral_ratio(
                log.point - point,
                log.gradient - gradient,
                self.least_ratio,
                self.largest_ratio,
            )
        prove_on(log, self.region)
        return log.close("budget")

    def bound(self, iterations: int, premises: Premises) -> float:
        r"""Return the promise for a monotone search (`window` 1) and σ > 0.

        With the ratio α between σ and L the slope along the direction is at most
        :math:`-\frac\sigma L\,\mathrm{gap}`, and at least :math:`(1-c)\sigma/L` of the
        direction is accepted; so a step leaves :math:`1 - c(1-c)\sigma^2/L^2` of the
        gap. The first ratio is a guess, hence one step less. Longer windows are not
        bounded here.
        """
        if self.window > 1 or premises.strong_convexity == 0.0:
            return np.inf
        kappa = premises.condition
        share = self.decrease * (1.0 - self.decrease) / kappa**2
        return float(premises.gap * (1.0 - share) ** max(iterations - 1, 0))

    def _search(
        self, function: ConvexFunction, log: Logbook, direction: Vector
    ) -> float:
        ceiling, slope = max(log.recent(self.window)), float(direction @ log.gradient)
        # Values closer than their own rounding cannot be told apart.
        ceiling += 4.0 * float(np.finfo(float).eps) * abs(ceiling)
        step = 1.0
        for _ in range(_HALVINGS):
            ahead = function.value(log.point + step * direction)
            if ahead <= ceiling + self.decrease * step * slope:
                return step
            bend = ahead - log.value - step * slope
            guess = -0.5 * step**2 * slope / bend if bend > 0.0 else 0.0
            step = min(max(guess, 0.1 * step), 0.9 * step)
        return 0.0
