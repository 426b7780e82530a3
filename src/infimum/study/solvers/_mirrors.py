"""Mirrors: ways to measure how far two vectors of coefficients are apart."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from scipy.special import xlogy

from infimum.objectives import LinearRisk
from infimum.penalties import Ball, Entropy, NoPenalty, Penalty, PNorm, Ridge, Simplex
from infimum.typing import Vector

__all__ = ["Mirror", "mirror_of"]

#: How much of equal shares goes into a start.
WARMTH = 0.01


class Mirror(ABC):
    """A distance generator, 1-strongly convex in its norm, that fits a penalty."""

    @abstractmethod
    def enter(self, w: Vector) -> Vector:
        """Return the inner coordinates from which to start near w."""

    @abstractmethod
    def point(self, inner: Vector) -> Vector:
        """Return the coefficients."""

    @abstractmethod
    def step(self, inner: Vector, gradient: Vector, step: float) -> Vector:
        """Minimise step·(⟨gradient, w⟩ + Ω(w)) plus the divergence from here."""

    @abstractmethod
    def dual_norm(self, gradient: Vector) -> float:
        """Return the length of a gradient, in the dual of the mirror's norm."""

    @abstractmethod
    def bend(self, risk: LinearRisk) -> float:
        """Bound the curvature of the scores, ‖Xu‖² weighted, over the unit ball."""

    @abstractmethod
    def divergence(self, w: Vector, inner: Vector) -> float:
        """Return the Bregman divergence of w from the point at `inner`."""


class _Shares(Mirror):
    """Entropy of shares: steps multiply. Signed shares reach the whole ℓ1 ball."""

    def __init__(self, total: float, strength: float, *, signed: bool) -> None:
        self.total, self.strength, self.signed = total, strength, signed

    def enter(self, w: Vector) -> Vector:
        shares = self._lift(w)
        total, size = float(shares.sum()), len(shares)
        if not w.any() or total == 0.0:
            return np.full(size, 1.0 / size)
        # A share of 0 would stay 0 forever.
        return np.asarray((1.0 - WARMTH) / total * shares + WARMTH / size)

    def point(self, inner: Vector) -> Vector:
        if self.signed:
            half = len(inner) // 2
            return np.asarray(self.total * (inner[:half] - inner[half:]))
        return np.asarray(self.total * inner)

    def step(self, inner: Vector, gradient: Vector, step: float) -> Vector:
        push = np.concatenate([gradient, -gradient]) if self.signed else gradient
        # In units of the shares, gradients and steps grow by the total.
        with np.errstate(divide="ignore"):
            logs = np.log(inner) - step / self.total * push
        logs = logs / (1.0 + step * self.strength)
        grown = np.exp(logs - logs.max())
        return np.asarray(grown / grown.sum())

    def dual_norm(self, gradient: Vector) -> float:
        return float(np.abs(gradient).max(initial=0.0))

    def bend(self, risk: LinearRisk) -> float:
        # The extreme points of the unit ball of the 1-norm are the coordinate vectors.
        return float(risk.design.squared_norms(risk.weights).max(initial=0.0))

    def divergence(self, w: Vector, inner: Vector) -> float:
        shares = self._lift(w)
        return self.total**2 * float(xlogy(shares, shares / inner).sum())

    def _lift(self, w: Vector) -> Vector:
        """Return shares of which w is made; what a ball leaves unused is spread."""
        if not self.signed:
            return np.maximum(w, 0.0) / self.total
        halves = np.concatenate([np.maximum(w, 0.0), np.maximum(-w, 0.0)]) / self.total
        rest = max(1.0 - float(halves.sum()), 0.0)
        return np.asarray(halves + rest / len(halves))


class _Link(Mirror):
    """Half the squared p-norm: steps are taken among its gradients."""

    def __init__(self, order: float, strength: float) -> None:
        self.norm, self.strength = PNorm(1.0, order), strength

    @property
    def modulus(self) -> float:
        """How strongly convex half the squared norm is in its own norm."""
        return min(self.norm.order - 1.0, 1.0)

    def enter(self, w: Vector) -> Vector:
        return np.array(w, dtype=np.float64)

    def point(self, inner: Vector) -> Vector:
        return inner

    def step(self, inner: Vector, gradient: Vector, step: float) -> Vector:
        image = self.norm.gradient(inner) - step * self.modulus * gradient
        grown = 1.0 + step * self.modulus * self.strength
        return np.asarray(self.norm.inverse_gradient(image) / grown)

    def dual_norm(self, gradient: Vector) -> float:
        return float(np.sqrt(2.0 * self.norm.conjugate(gradient)))

    def bend(self, risk: LinearRisk) -> float:
        # ‖u‖₂ ≤ ‖u‖_p for p up to 2, and ‖u‖₁ ≤ d^(1/q)·‖u‖_p by Hölder.
        d, most = risk.design.shape[1], risk.design.squared_norms(risk.weights)
        dual = self.norm.order / (self.norm.order - 1.0)
        largest = float(most.max(initial=0.0)) * float(d ** (2.0 / dual))
        return min(largest, risk.largest_eigenvalue)

    def divergence(self, w: Vector, inner: Vector) -> float:
        return self.norm.divergence(w, inner) / self.modulus


def mirror_of(penalty: Penalty, order: float) -> Mirror | None:
    """Return the mirror that fits a penalty, or None."""
    match penalty:
        case Simplex(total=total):
            mirror: Mirror | None = _Shares(total, 0.0, signed=False)
        case Entropy(strength=strength):
            mirror = _Shares(1.0, strength, signed=False)
        case Ball(radius=radius, order=1):
            mirror = _Shares(radius, 0.0, signed=True)
        case NoPenalty():
            mirror = _Link(order, 0.0)
        case Ridge(strength=strength):
            mirror = _Link(2.0, strength)
        case PNorm(strength=strength, order=own) if own <= 2.0:
            mirror = _Link(own, strength)
        case _:
            mirror = None
    return mirror
