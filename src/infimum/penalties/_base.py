"""What every penalty must provide."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import astuple
from typing import ClassVar

import numpy as np

from infimum.parameters import check_domains
from infimum.typing import Formula, Matrix, Vector

__all__ = ["Penalty", "SeparablePenalty"]


class Penalty(ABC):
    """Ω(w): a price on the coefficients, never on the intercept.

    Coefficients come as a vector, or as a matrix with one column per score. The price
    is convex unless `convex` says otherwise, and its least value is 0.
    """

    #: Whether Ω is convex; proofs of optimality need it, lower bounds do not.
    convex: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_domains(self)

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

    def admit(self, v: Vector) -> Vector:
        """Return the point nearest to v where Ω* is finite.

        Scaling reaches that domain too, unless 0 lies on its border; a certificate
        then asks for this point instead.
        """
        return self.dual_scale(v) * v

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

    @property
    def parameters(self) -> Vector:
        """The penalty's own numbers, in field order, as the formulas receive them."""
        return np.array(astuple(self), dtype=np.float64)  # type: ignore[call-overload]

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
