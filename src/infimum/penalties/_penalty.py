"""`Penalty`: value, conjugate, prox, and what solvers ask of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import fields
from typing import Any, ClassVar

import numpy as np

from infimum.parameters import check_domains
from infimum.typing import Formula, Matrix, Vector

__all__ = ["Penalty", "SeparablePenalty"]

#: Differences of proximal steps are not exact to more than this.
SNAP = 1e-7


class Penalty(ABC):
    """Ω(w): a price on the coefficients, never on the intercept.

    Coefficients come as a vector, or as a matrix with one column per score. The price
    is convex unless `convex` says otherwise, and its least value is 0.
    """

    #: Whether Ω is convex; proofs of optimality need it, lower bounds do not.
    convex: ClassVar[bool] = True
    #: Whether `prox` and `stiffness` take a step for each coefficient (a row of them).
    many_steps: ClassVar[bool] = False

    __post_init__ = check_domains

    @property
    def quadratic(self) -> float | None:
        """The number λ when Ω(w) = λ/2·‖w‖², otherwise None."""
        return None

    @abstractmethod
    def value(self, w: Vector) -> float:
        """Return Ω(w)."""

    @abstractmethod
    def conjugate(self, v: Vector) -> float:
        """Return Ω*(v) = sup over w of v·w - Ω(w); +inf outside its domain."""

    @abstractmethod
    def prox(self, w: Vector, step: float) -> Vector:
        """Return the minimiser over u of ‖u - w‖²/(2·step) + Ω(u)."""

    @abstractmethod
    def dual_scale(self, v: Vector) -> float:
        """Return the largest s in [0, 1] for which Ω*(s·v) is finite."""

    def stiffness(self, w: Vector, step: float | Vector) -> Matrix:
        r"""Return how stiffly the proximal step resists a move of w.

        The matrix (I - ∂prox)/step, with one row and column for each entry of w in
        order: the second derivatives of the Moreau envelope
        :math:`\min_u \Omega(u) + \|u - w\|^2 / (2\,\text{step})`. By differences,
        unless a penalty knows better.
        """
        reach = np.maximum(np.abs(w), 1e-3 * np.abs(w).max(initial=0.0)) + 1e-12
        moves = np.zeros((w.size, w.size))
        for j, size in enumerate(1e-6 * reach.ravel()):
            nudge = np.zeros(w.size)
            nudge[j] = size
            ahead = self.prox(w + nudge.reshape(w.shape), step)  # type: ignore[arg-type]
            behind = self.prox(w - nudge.reshape(w.shape), step)  # type: ignore[arg-type]
            moves[:, j] = (ahead - behind).ravel() / (2.0 * size)
        return (np.eye(w.size) - 0.5 * (moves + moves.T)) / step

    def admit(self, v: Vector) -> Vector:
        """Return the point nearest to v where Ω* is finite.

        Scaling reaches that domain too, unless 0 lies on its border; a certificate
        then asks for this point instead.
        """
        return self.dual_scale(v) * v

    def free_directions(self, features: int) -> Matrix:
        """Return directions along which Ω never changes, one per column.

        Where Ω* is finite, v is orthogonal to them.
        """
        return np.zeros((features, 0))

    def rise(self, v: Vector, sizes: Vector) -> float:
        """Bound Ω*(v + δ) - Ω*(v) over |δ| ≤ `sizes`; infinite where nobody knows."""
        return np.inf

    def support(self, sizes: Vector, level: float) -> float:
        """Bound ⟨v, w⟩ over |v| ≤ `sizes`, off the free directions, and Ω(w) ≤ level.

        By Fenchel's inequality ⟨v, w⟩ ≤ (level + Ω*(t·v))/t for every t > 0. Right
        where Ω* does not fall when entries of v grow, in which case the sizes
        themselves are the worst v; other penalties have a bound of their own.
        """
        if not np.any(sizes):
            return 0.0
        largest = float(np.max(sizes))

        def bound(t: float) -> float:
            v = (t / largest) * sizes
            worst = max(self.conjugate(v), 0.0) + max(self.conjugate(-v), 0.0)
            return largest * (level + worst) / t

        steps = np.geomspace(1e-12, 1e12, 13)
        rough = np.array([bound(t) for t in steps.tolist()])
        best = int(np.argmin(rough))
        ends = steps[max(best - 1, 0)], steps[min(best + 1, len(steps) - 1)]
        fine = np.geomspace(float(ends[0]), float(ends[1]), 7)
        return min(float(rough[best]), *(bound(t) for t in fine.tolist()))

    def majorant(self, w: Vector) -> Penalty:
        """Return a convex penalty above Ω, up to a constant, that touches it at w."""
        return self


class SeparablePenalty(Penalty):
    """Ω(w) = Σⱼ ω(wⱼ): a price on each coefficient by itself.

    A weighted penalty has numbers of its own for each coefficient: `settings` has one
    row for each, `corner` and `elastic` are vectors.
    """

    #: ``shrink(z, step, parameters)`` = argmin over w of (w - z)²/(2·step) + ω(w).
    shrink: ClassVar[Formula]
    many_steps: ClassVar[bool] = True

    @property
    def parameters(self) -> Vector:
        """The penalty's own numbers, in field order, as the formulas receive them."""
        own = [getattr(self, each.name) for each in fields(self)]  # type: ignore[arg-type]
        return np.array(own, dtype=np.float64)

    @property
    def settings(self) -> Matrix:
        """What the formulas receive: one row for all coefficients, or one for each."""
        return self.parameters[None, :]

    @property
    def corner(self) -> float | Vector:
        """The largest |v| for which wⱼ = 0 still minimises ω(w) - v·w."""
        return 0.0

    @property
    def elastic(self) -> tuple[float | Vector, float | Vector] | None:
        """The pair (l1, l2) when ω(w) = l1·|w| + l2/2·w², on one side at least."""
        return None

    def prox(self, w: Vector, step: float) -> Vector:
        return np.asarray(type(self).shrink(w, step, self.parameters))

    def rise(self, v: Vector, sizes: Vector) -> float:
        # Σ (|v| - l₁)₊²/2l₂ rises by no more than Σ δ·((|v| - l₁)₊ + δ/2)/l₂.
        if self.elastic is None or not np.all(np.asarray(self.elastic[1]) > 0.0):
            return np.inf
        l1, l2 = (np.asarray(price) for price in self.elastic)
        inside = np.maximum(np.abs(v).T - l1, 0.0) + 0.5 * sizes.T
        return float(np.sum(sizes.T * inside / l2)) * (1.0 + 1e-9)

    def support(self, sizes: Vector, level: float) -> float:
        if self.elastic is None:
            return super().support(sizes, level)
        if not isinstance(self.elastic[0], np.ndarray):
            return _plain_support(sizes, level, *self.elastic)
        l1, l2 = (np.broadcast_to(price, len(sizes)) for price in self.elastic)
        with np.errstate(divide="ignore", invalid="ignore"):
            steep = np.nan_to_num((sizes.T / l1).T, nan=0.0, posinf=np.inf)
            bent = np.nan_to_num((sizes.T**2 / l2).T, nan=0.0, posinf=np.inf)
        most, total = float(steep.max(initial=0.0)), float(bent.sum())
        linear = level * most if np.isfinite(most) else np.inf
        square = np.sqrt(2.0 * level * total) if np.isfinite(total) else np.inf
        return min(linear, float(square))

    def stiffness(self, w: Vector, step: float | Vector) -> Matrix:
        return np.diag(np.ravel(self._stiffnesses(w, np.asarray(step))))

    def _stiffnesses(self, w: Vector, step: Vector) -> Vector:
        """Return the diagonal of the stiffness, shaped as w."""
        found = self.prox(w, step)  # type: ignore[arg-type]
        if self.elastic is not None:
            l2 = np.broadcast_to(self.elastic[1], len(w))
            l2 = l2 if w.ndim == 1 else l2[:, None]
            stuck = (found == 0.0) & (w != 0.0)
            return np.asarray(np.where(stuck, 1.0 / step, l2 / (1.0 + step * l2)))
        nudge = 1e-6 * np.abs(w) + 1e-12
        ahead, behind = self.prox(w + nudge, step), self.prox(w - nudge, step)  # type: ignore[arg-type]
        resists = 1.0 - (ahead - behind) / (2.0 * nudge)
        # What rounding leaves of a free or of a fixed coefficient is neither.
        return np.asarray(np.where(resists < SNAP, 0.0, resists) / step)


def _plain_support(sizes: Vector, level: float, l1: Any, l2: Any) -> float:
    """Return the same where all coefficients have one price."""
    most, total = float(sizes.max(initial=0.0)), float(np.sum(sizes * sizes))
    if most == 0.0:
        return 0.0
    linear = level * most / float(l1) if l1 > 0.0 else np.inf
    square = float(np.sqrt(2.0 * level * total / float(l2))) if l2 > 0.0 else np.inf
    return min(linear, square)
