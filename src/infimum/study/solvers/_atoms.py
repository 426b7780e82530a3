"""Corners of bounded sets, and points as mixes of them, for Frank-Wolfe."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

from infimum.penalties import Ball, Box, Penalty, Simplex
from infimum.typing import Vector

__all__ = ["Atoms", "Move", "atoms_of"]


class Move(NamedTuple):
    """A change of the point per unit of step, and the longest step inside the set."""

    change: Vector
    longest: float
    #: The change in the set's own coordinates.
    inner: Vector


class Atoms(ABC):
    """A set by its corners; holds the present point in coordinates of its own."""

    inner: Vector

    @abstractmethod
    def enter(self, w: Vector) -> None:
        """Start from a point of the set."""

    @abstractmethod
    def point(self) -> Vector:
        """Return the present point."""

    @abstractmethod
    def direction(self, gradient: Vector, *, pairwise: bool) -> Move:
        """Return the way to the best corner, from the worst one in use if pairwise."""

    def move(self, toward: Move, step: float) -> None:
        """Take a step of this length."""
        self.inner = self.inner + step * toward.inner


class _Shares(Atoms):
    """Shares of corners: of `total`·eⱼ, or with `signed` of ±`total`·eⱼ (2d shares)."""

    def __init__(self, size: int, total: float, *, signed: bool) -> None:
        self.size, self.total, self.signed = size, total, signed
        self.inner = np.zeros(2 * size if signed else size)

    def enter(self, w: Vector) -> None:
        shares = w / self.total
        if self.signed:
            shares = np.concatenate([np.maximum(shares, 0), np.maximum(-shares, 0)])
            # What the ball leaves unused goes to a pair of opposite corners.
            shares[[0, self.size]] += 0.5 * max(1.0 - float(shares.sum()), 0.0)
        self.inner = shares / shares.sum()

    def point(self) -> Vector:
        return self._unfold(self.inner)

    def direction(self, gradient: Vector, *, pairwise: bool) -> Move:
        slopes = np.concatenate([gradient, -gradient]) if self.signed else gradient
        best = int(np.argmin(slopes))
        if pairwise:
            worst = int(np.argmax(np.where(self.inner > 0.0, slopes, -np.inf)))
            inner, longest = np.zeros_like(self.inner), float(self.inner[worst])
            inner[best] += 1.0
            inner[worst] -= 1.0
        else:
            inner, longest = -self.inner, 1.0
            inner[best] += 1.0
        return Move(self._unfold(inner), longest, inner)

    def move(self, toward: Move, step: float) -> None:
        super().move(toward, step)
        self.inner = np.maximum(self.inner, 0.0)
        self.inner /= self.inner.sum()

    def _unfold(self, shares: Vector) -> Vector:
        if self.signed:
            shares = shares[: self.size] - shares[self.size :]
        return np.asarray(self.total * shares)


class _Interval(Atoms):
    """A box: each coordinate is a mix of its two ends by itself.

    The away corner need not come from a list: it is the worst corner of the smallest
    face that holds the point.
    """

    def __init__(self, low: float, high: float, size: int) -> None:
        self.low, self.high = low, high
        self.inner = np.zeros(size)

    def enter(self, w: Vector) -> None:
        self.inner = np.clip(w, self.low, self.high)

    def point(self) -> Vector:
        return self.inner.copy()

    def direction(self, gradient: Vector, *, pairwise: bool) -> Move:
        best = np.where(gradient > 0.0, self.low, self.high)
        best = np.where(gradient == 0.0, self.inner, best)
        if not pairwise:
            return Move(best - self.inner, 1.0, best - self.inner)
        worst = np.where(gradient > 0.0, self.high, self.low)
        free = (self.inner > self.low) & (self.inner < self.high)
        worst = np.where(free, worst, self.inner)
        change = np.where(gradient == 0.0, 0.0, best - worst)
        room = np.where(change > 0.0, self.high - self.inner, self.inner - self.low)
        used = change != 0.0
        longest = float((room[used] / np.abs(change[used])).min(initial=1.0))
        return Move(change, longest, change)

    def move(self, toward: Move, step: float) -> None:
        super().move(toward, step)
        width = self.high - self.low
        near = self.inner - self.low <= 1e-15 * width
        far = self.high - self.inner <= 1e-15 * width
        # A coordinate that reached its end sits on it exactly and leaves the face.
        self.inner = np.where(near, self.low, np.where(far, self.high, self.inner))


class _Round(Atoms):
    """The Euclidean ball, every point of whose surface is a corner: plain steps."""

    def __init__(self, radius: float, size: int) -> None:
        self.radius = radius
        self.inner = np.zeros(size)

    def enter(self, w: Vector) -> None:
        self.inner = np.array(w, dtype=np.float64)

    def point(self) -> Vector:
        return self.inner.copy()

    def direction(self, gradient: Vector, *, pairwise: bool) -> Move:
        length = float(np.linalg.norm(gradient))
        best = -gradient * (self.radius / length) if length > 0.0 else self.inner
        return Move(best - self.inner, 1.0, best - self.inner)


def atoms_of(penalty: Penalty, size: int) -> Atoms | None:
    """Return the corners of a bounded set, or None for any other penalty."""
    if isinstance(penalty, Simplex):
        return _Shares(size, penalty.total, signed=False)
    if isinstance(penalty, Ball) and penalty.order == 1:
        return _Shares(size, penalty.radius, signed=True)
    if isinstance(penalty, Ball) and penalty.order == math.inf:
        return _Interval(-penalty.radius, penalty.radius, size)
    if isinstance(penalty, Ball):
        return _Round(penalty.radius, size)
    if isinstance(penalty, Box) and math.isfinite(penalty.high - penalty.low):
        return _Interval(penalty.low, penalty.high, size)
    return None
