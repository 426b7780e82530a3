"""Squared p-norm: between the lasso's corners and ridge's roundness."""

from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import brentq

from infimum.parameters import Interval, positive
from infimum.penalties._penalty import Penalty
from infimum.typing import Matrix, Vector

__all__ = ["PNorm"]

MAX_STEPS = 60


@dataclass(frozen=True)
class PNorm(Penalty):
    r"""Half the squared p-norm; `order` 2 is ridge.

    .. math:: \Omega(w) = \tfrac{\text{strength}}2 \|w\|_p^2, \qquad
              \Omega^*(v) = \tfrac1{2\,\text{strength}} \|v\|_q^2, \qquad
              \tfrac1p + \tfrac1q = 1

    Strongly convex in the p-norm for orders up to 2; near 1 it charges sparse vectors
    little, as the lasso does. `gradient` and `inverse_gradient` are the link functions
    of p-norm algorithms: each undoes the other, and the Bregman divergence of Ω is
    measured through them.

    Examples
    --------
    >>> import numpy as np
    >>> round(PNorm(1.0, 1.5).value(np.array([1.0, -2.0])), 3)
    2.995
    >>> PNorm(1.0, 1.5).prox(np.array([1.0, -2.0]), 0.5).round(3)
    array([ 0.545, -1.297])

    References
    ----------
    Grove, Littlestone & Schuurmans (2001), Machine Learning 43. Gentile (2003),
    Machine Learning 53.
    """

    strength: float = field(default=1.0, metadata={"domain": positive})
    order: float = field(
        default=1.5, metadata={"domain": Interval(1.0, 100.0, open_low=True)}
    )

    @property
    def quadratic(self) -> float | None:
        return self.strength if self.order == 2.0 else None

    def value(self, w: Vector) -> float:
        return 0.5 * self.strength * _norm(w, self.order) ** 2

    def conjugate(self, v: Vector) -> float:
        return 0.5 / self.strength * _norm(v, self.order / (self.order - 1.0)) ** 2

    def gradient(self, w: Vector) -> Vector:
        """Return the gradient of Ω, from coefficients to their duals."""
        return self.strength * _link(w, self.order)

    def inverse_gradient(self, v: Vector) -> Vector:
        """Return the gradient of the conjugate, from duals back to coefficients."""
        return _link(v, self.order / (self.order - 1.0)) / self.strength

    def divergence(self, u: Vector, w: Vector) -> float:
        """Return the Bregman divergence Ω(u) - Ω(w) - ⟨∇Ω(w), u - w⟩."""
        linear = float((self.gradient(w) * (u - w)).sum())
        return self.value(u) - self.value(w) - linear

    def prox(self, w: Vector, step: float) -> Vector:
        # Scaled by its own norm N the result r solves r + a·r^(p-1) = |z|/N with
        # a = step·strength; the right N makes the p-norm of r equal 1.
        largest = float(np.abs(w).max(initial=0.0))
        if largest == 0.0 or step == 0.0:
            return np.array(w)
        sizes, pull = np.abs(w) / largest, float(step) * self.strength

        def excess(log_norm: float) -> float:
            r = _solve(sizes / np.exp(log_norm), pull, self.order)
            return float((r**self.order).sum()) - 1.0

        top = np.log(_norm(sizes, self.order))
        low = top - np.log1p(pull) - 1.0
        while excess(low) < 0.0:
            low -= 1.0
        norm = np.exp(brentq(excess, low, top + 1e-9, xtol=1e-15, rtol=1e-15))
        r = _solve(sizes / norm, pull, self.order)
        return np.asarray(np.sign(w) * r * norm * largest)

    def stiffness(self, w: Vector, step: float | Vector) -> Matrix:
        # (I - (I + step·H)⁻¹)/step for the Hessian H of Ω at the result, which is a
        # diagonal matrix (infinite at 0 for orders below 2) and one of rank one.
        found, p = np.ravel(self.prox(w, float(step))), self.order
        norm, pull = _norm(found, p), float(step) * self.strength
        if norm == 0.0:
            return np.eye(w.size) * (self.strength / (1.0 + pull))
        sizes = np.abs(found) / norm
        with np.errstate(divide="ignore"):
            inverse = 1.0 / (1.0 + pull * (p - 1.0) * sizes ** (p - 2.0))
        link = np.sign(found) * sizes ** (p - 1.0)
        across, bent = inverse * link, pull * (2.0 - p)
        matrix = np.outer(across, across) * (bent / (1.0 + bent * float(link @ across)))
        return np.asarray(matrix + np.diag(1.0 - inverse)) / step

    def dual_scale(self, v: Vector) -> float:
        return 1.0


def _norm(w: Vector, order: float) -> float:
    largest = float(np.abs(w).max(initial=0.0))
    if largest == 0.0:
        return 0.0
    return largest * float(((np.abs(w) / largest) ** order).sum() ** (1.0 / order))


def _link(w: Vector, order: float) -> Vector:
    """Return the gradient of half the squared norm."""
    norm = _norm(w, order)
    if norm == 0.0:
        return np.zeros_like(w)
    return np.asarray(np.sign(w) * norm * (np.abs(w) / norm) ** (order - 1.0))


def _solve(x: Vector, pull: float, order: float) -> Vector:
    """Return r >= 0 with r + pull·r^(order - 1) = x, by Newton's method.

    In r, or in its power, whichever makes the left side convex: then Newton from above
    comes down monotonically.
    """
    power = order - 1.0
    if power < 1.0:
        return np.asarray(_root(x, pull, 1.0, 1.0 / power) ** (1.0 / power))
    return _root(x, 1.0, pull, power)


def _root(x: Vector, linear: float, bent: float, power: float) -> Vector:
    """Return s >= 0 with linear·s + bent·s^power = x, for a power of at least 1."""
    s = np.minimum(x / linear, (x / bent) ** (1.0 / power))
    for _ in range(MAX_STEPS):
        excess = linear * s + bent * s**power - x
        slope = linear + bent * power * s ** (power - 1.0)
        moved = np.maximum(s - np.maximum(excess, 0.0) / slope, 0.0)
        if np.array_equal(moved, s):
            break
        s = moved
    return np.asarray(s)
