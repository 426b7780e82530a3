"""Huber regression that learns its own scale: convex in coefficients and scale."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import linalg

from infimum.data.designs import Design
from infimum.typing import Matrix, Vector

__all__ = ["ConcomitantRisk", "DualSide"]

#: A projection solves a system of this many unknowns at most.
LARGEST_PROJECTION = 2_000
#: Systems up to this size are solved by singular values; the share of the largest entry
#: that is put on the diagonal of larger ones.
LARGEST_DECOMPOSITION, RAISED = 300, 1e-12


class DualSide(NamedTuple):
    """Feasible slopes, the value of the dual there, and Xᵀ(q∘u) as it was taken."""

    value: float
    slopes: Vector
    pull: Vector


@dataclass(frozen=True, eq=False)
class ConcomitantRisk:
    r"""Joint objective of coefficients and noise scale (Huber's proposal 2).

    .. math:: P(w, b, \sigma) = \sigma + \sum_i q_i\, \sigma
              H_\epsilon\!\left(\frac{r_i}{\sigma}\right) + \lambda \|w\|_2^2,
              \quad r_i = x_i^\top w + b - y_i

    with H(z) = z² up to ε and 2ε|z| - ε² beyond. For slopes u with |uᵢ| ≤ 2ε,
    Σ qᵢuᵢ = 0 and Σ qᵢuᵢ²/4 ≤ 1 the dual value is -Σ qᵢuᵢyᵢ - ‖Xᵀ(q∘u)‖²/(4λ).

    References
    ----------
    Owen (2007), Contemporary Mathematics 443.
    """

    design: Design
    y: Vector
    weights: Vector
    epsilon: float
    strength: float
    intercept: bool = True

    def residuals(self, point: Vector) -> Vector:
        """Return X w + b - y."""
        return np.asarray(self.design.scores(point[:-1]) + point[-1] - self.y)

    def value(self, point: Vector, scale: float) -> float:
        """Return P(w, b, σ)."""
        size = np.abs(self.residuals(point))
        inner = np.minimum(size, self.epsilon * scale)
        # σ·H(r/σ) without dividing by a scale that may vanish.
        quadratic = inner * (inner / scale if scale > 0 else 0.0)
        prices = quadratic + 2.0 * self.epsilon * (size - inner)
        return float(
            scale + self.weights @ prices + self.strength * point[:-1] @ point[:-1]
        )

    def best_scale(self, residuals: Vector) -> float:
        """Return the largest σ at which Σ qᵢ min(rᵢ²/σ², ε²) = 1.

        What is left of σ² is concave in it and piecewise linear, so that Newton's
        steps from above go down and end.
        """
        squares = residuals**2
        cap, found = self.epsilon**2, float(self.weights @ squares)
        while found > 0.0:
            inside = squares <= cap * found
            free = 1.0 - cap * float(self.weights @ ~inside)
            if free <= 0.0:
                break
            lower = float(self.weights @ (squares * inside)) / free
            if not lower < found:
                break
            found = lower
        return float(np.sqrt(found))

    def dual(self, point: Vector, scale: float) -> DualSide:
        """Return the dual value of the slopes at a point, made feasible."""
        if scale <= 0.0:
            return DualSide(0.0, np.zeros(len(self.y)), np.zeros(self.design.shape[1]))
        slopes = 2.0 * np.clip(
            self.residuals(point) / scale, -self.epsilon, self.epsilon
        )
        return self.bound(slopes, point)

    def bound(self, slopes: Vector, point: Vector) -> DualSide:
        """Return the dual value of any slopes, made feasible near those of a point."""
        slopes = np.clip(slopes, -2.0 * self.epsilon, 2.0 * self.epsilon)
        if self.intercept:
            pull = self.weights * slopes
            up, down = pull[pull > 0].sum(), -pull[pull < 0].sum()
            heavier = slopes > 0 if up > down else slopes < 0
            factor = min(up, down) / max(up, down, 1e-300)
            slopes = np.where(heavier, slopes * factor, slopes)
        slopes = self._scaled(slopes)
        pull = np.asarray(self.design.pull_back(self.weights * slopes), np.float64)
        bounds = [self._stationary(slopes, pull, -2.0 * self.strength * point[:-1])]
        if self.strength > 0.0:
            bounds.append(self._priced(slopes, pull))
        return max(bounds, key=lambda side: side.value)

    def _priced(self, slopes: Vector, pull: Vector) -> DualSide:
        """Return the dual value of feasible slopes under a penalty."""
        linear = -float(self.weights @ (slopes * self.y))
        value = linear - float(pull @ pull) / (4.0 * self.strength)
        return DualSide(value, slopes, pull)

    def _scaled(self, slopes: Vector) -> Vector:
        """Shrink slopes until the price of the scale is not exceeded."""
        size = float(np.sqrt(self.weights @ slopes**2 / 4.0))
        return np.asarray(slopes / max(1.0, size))

    def _stationary(self, slopes: Vector, pull: Vector, aim: Vector) -> DualSide:
        """Return the dual value after making Xᵀ(q∘u) = -2λw; -inf when it cannot be.

        Each slope moves in proportion to its slack. This is the bound that counts when
        the penalty is weak or absent, where the slightest error in Xᵀ(q∘u) costs much.
        """
        d = self.design.shape[1]
        nothing = DualSide(-np.inf, slopes, pull)
        if d > LARGEST_PROJECTION:
            return nothing
        slack = np.maximum(2.0 * self.epsilon - np.abs(slopes), 0.0)
        weighted = self.weights * slack
        moments = np.zeros((d + 1, d + 1))
        moments[:d, :d] = self.design.gram(weighted)
        moments[:d, d] = moments[d, :d] = self.design.pull_back(weighted)
        moments[d, d] = weighted.sum()
        last = float(self.weights @ slopes) if self.intercept else 0.0
        step = _solved(moments, np.append(aim - pull, -last))
        shift = self.design.scores(step[:-1]) + float(self.intercept) * step[-1]
        moved = slopes + slack * shift
        highest = float(np.abs(moved).max(initial=0.0))
        moved = self._scaled(
            moved * min(1.0, 2.0 * self.epsilon / max(highest, 1e-300))
        )
        if self.intercept and abs(self.weights @ moved) > 1e-13 * highest:
            return nothing
        pull = np.asarray(self.design.pull_back(self.weights * moved), np.float64)
        if self.strength > 0.0:
            return self._priced(moved, pull)
        sizes = np.sqrt(self.design.squared_norms(self.weights))
        if not np.all(np.abs(pull) <= 1e-9 * (sizes + 1e-300)):
            return nothing
        linear = -float(self.weights @ (moved * self.y))
        return DualSide(linear, moved, np.zeros(d))


def _solved(moments: Matrix, target: Vector) -> Vector:
    """Return a step with moments @ step = target, as nearly as there is one.

    What has no inverse is given one by a little more on its diagonal where singular
    values would take long; two corrections take back what that has changed.
    """
    if len(moments) > LARGEST_DECOMPOSITION:
        raised = moments.copy()
        raised.flat[:: len(raised) + 1] += RAISED * np.diag(moments).max()
        with suppress(linalg.LinAlgError):
            factor = linalg.cho_factor(raised, overwrite_a=True, check_finite=False)
            step = linalg.cho_solve(factor, target, check_finite=False)
            for _ in range(2):
                left = target - moments @ step
                step += linalg.cho_solve(factor, left, check_finite=False)
            return np.asarray(step)
    return np.asarray(np.linalg.lstsq(moments, target, rcond=1e-13)[0])
