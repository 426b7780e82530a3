"""Spectral gradient: the step of Barzilai and Borwein with a patient line search."""

from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import check_domains, nonnegative, opened, positive, whole
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.descent_trace import DescentTrace, Logbook
from infimum.study.convexity.descent.premises import Premises
from infimum.study.convexity.descent.secant import bounded_spectral_ratio
from infimum.typing import Vector

__all__ = ["BarzilaiBorwein"]


@dataclass(frozen=True)
class BarzilaiBorwein:
    r"""Step 1/α against the gradient, α an eigenvalue-sized guess of the curvature.

    A step is accepted when the value falls sufficiently below the *largest* of the last
    `window` values, so single values may rise; a window of 1 makes the descent
    monotone. A refused step shrinks to the minimum of a parabola, if that lies in
    (σ₁, σ₂ λ), else to half.

    References
    ----------
    Barzilai & Borwein (1988), IMA J. Numerical Analysis 8; Birgin, Martínez & Raydan
    (2000), SIAM J. Optimization 10(4).

    >>> import numpy as np
    >>> from infimum.study.convexity import Quadratic
    >>> bowl = Quadratic(np.diag([1.0, 1000.0]), np.array([-1.0, -1000.0]))
    >>> BarzilaiBorwein().minimize(bowl, np.zeros(2)).point.round(6).tolist()
    [1.0, 1.0]
    """

    window: int = field(default=10, metadata={"domain": whole(1)})
    decrease: float = field(default=1e-4, metadata={"domain": opened(0, 1)})
    least_ratio: float = field(default=1e-10, metadata={"domain": positive})
    largest_ratio: float = field(default=1e10, metadata={"domain": positive})
    shrink: tuple[float, float] = (0.1, 0.9)
    tolerance: float = field(default=1e-8, metadata={"domain": nonnegative})
    max_iterations: int = field(default=1000, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)

    def minimize(self, function: ConvexFunction, start: Vector) -> DescentTrace:
        """Descend from `start` and return the trace."""
        log, ratio = Logbook(function, start), 1.0
        for _ in range(self.max_iterations):
            if np.linalg.norm(log.gradient) <= self.tolerance:
                return log.close("gradient")
            point, gradient, direction = log.point, log.gradient, -log.gradient / ratio
            if not log.move(self._search(function, log, direction), direction):
                return log.close("stalled")
            ratio = bounded_spectral_ratio(
                log.point - point,
                log.gradient - gradient,
                self.least_ratio,
                self.largest_ratio,
            )
        short = np.linalg.norm(log.gradient) <= self.tolerance
        return log.close("gradient" if short else "budget")

    def bound(self, iterations: int, premises: Premises) -> float:
        r"""Return the promise for an L-smooth, σ-strongly convex function.

        An accepted step pays at least :math:`c\min(1, (1-c)/L)\,\|g\|^2` below the
        largest value V of the window, and a step of at most max(1, 1/σ) cannot raise a
        small gap e above :math:`(1+κ^2)e`, κ ≥ L too. Whichever holds, a gap after the
        step is at most the share :math:`q = (1+κ^2)/(1+κ^2+2\sigma\,\mathrm{payment})`
        of V's, so every `window` iterations leave q; with a window of 1 it is
        :math:`1-2\sigma\,\mathrm{payment}`.
        """
        if not np.isfinite(premises.condition):
            return np.inf
        smooth = premises.smoothness
        payment = self.decrease * min(1.0, (1.0 - self.decrease) / smooth)
        if self.window == 1:
            return premises.after_payments(payment, iterations)
        growth = 1.0 + max(premises.condition, smooth) ** 2
        share = growth / (growth + 2.0 * premises.strong_convexity * payment)
        return float(premises.gap * share ** (iterations / self.window))

    def _search(
        self, function: ConvexFunction, log: Logbook, direction: Vector
    ) -> float:
        ceiling, slope = max(log.recent(self.window)), float(direction @ log.gradient)
        # Values closer than their own rounding cannot be told apart.
        ceiling += 4.0 * float(np.finfo(float).eps) * abs(ceiling)
        step = 1.0
        while step > np.finfo(float).tiny:
            ahead = function.value(log.point + step * direction)
            if ahead <= ceiling + self.decrease * step * slope:
                return step
            bend = ahead - log.value - step * slope
            guess = -0.5 * step**2 * slope / bend if bend > 0.0 else 0.0
            inside = self.shrink[0] < guess < self.shrink[1] * step
            step = guess if inside else 0.5 * step
        return 0.0
