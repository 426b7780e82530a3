"""Mirrors: the geometries in which a learner on a stream takes its steps."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import numpy as np
from scipy.special import xlogy

from infimum.parameters import Interval, check_domains, positive
from infimum.penalties import PNorm
from infimum.typing import Vector

__all__ = ["EntropyMirror", "EuclideanMirror", "MirrorMap", "PNormMirror"]


class MirrorMap(ABC):
    """A strongly convex function ψ and a set, with what mirror descent asks of both."""

    #: How strongly convex ψ is, in the norm whose dual measures gradients.
    modulus: float = 1.0

    __post_init__ = check_domains

    @abstractmethod
    def start(self, features: int) -> Vector:
        """Return the minimiser of ψ over the set, where learning begins."""

    @abstractmethod
    def value(self, w: Vector) -> float:
        """Return ψ(w)."""

    @abstractmethod
    def gradient(self, w: Vector) -> Vector:
        """Return ∇ψ(w)."""

    @abstractmethod
    def inverse_gradient(self, image: Vector) -> Vector:
        """Return ∇ψ*(image), the point whose gradient it is."""

    @abstractmethod
    def project(self, w: Vector) -> Vector:
        """Return the point of the set with the least divergence from w."""

    @abstractmethod
    def dual_norm(self, gradient: Vector) -> float:
        """Return the length of a gradient."""

    @property
    @abstractmethod
    def diameter(self) -> float:
        """The largest divergence between two points of the set."""

    def divergence(self, w: Vector, other: Vector) -> float:
        """Return ψ(w) - ψ(other) - ⟨w - other, ∇ψ(other)⟩."""
        tangent = float((w - other) @ self.gradient(other))
        return self.value(w) - self.value(other) - tangent


@dataclass(frozen=True)
class EuclideanMirror(MirrorMap):
    """Half the squared length, on the ball of that radius: plain projected steps.

    Examples
    --------
    >>> import numpy as np
    >>> mirror = EuclideanMirror(radius=5.0)
    >>> mirror.project(np.array([6.0, 8.0])).tolist(), mirror.diameter
    ([3.0, 4.0], 50.0)
    """

    radius: float = field(default=1.0, metadata={"domain": positive})

    def start(self, features: int) -> Vector:
        return np.zeros(features)

    def value(self, w: Vector) -> float:
        return 0.5 * float(w @ w)

    def gradient(self, w: Vector) -> Vector:
        return w

    def inverse_gradient(self, image: Vector) -> Vector:
        return image

    def project(self, w: Vector) -> Vector:
        length = float(np.linalg.norm(w))
        return w if length <= self.radius else w * (self.radius / length)

    def dual_norm(self, gradient: Vector) -> float:
        return float(np.linalg.norm(gradient))

    @property
    def diameter(self) -> float:
        return 2.0 * self.radius**2


@dataclass(frozen=True)
class EntropyMirror(MirrorMap):
    """Negative entropy on the simplex: steps multiply (exponentiated gradient).

    Its diameter is infinite, since corners are infinitely far from each other; from
    the centre, where learning begins, nothing is further than log d.

    Examples
    --------
    >>> import numpy as np
    >>> EntropyMirror().project(np.array([1.0, 3.0])).tolist()
    [0.25, 0.75]
    """

    def start(self, features: int) -> Vector:
        return np.full(features, 1.0 / features)

    def value(self, w: Vector) -> float:
        return float(xlogy(w, w).sum() - w.sum())

    def gradient(self, w: Vector) -> Vector:
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(w))

    def inverse_gradient(self, image: Vector) -> Vector:
        return np.asarray(np.exp(image))

    def project(self, w: Vector) -> Vector:
        return np.asarray(w / w.sum())

    def dual_norm(self, gradient: Vector) -> float:
        return float(np.abs(gradient).max(initial=0.0))

    @property
    def diameter(self) -> float:
        return math.inf


@dataclass(frozen=True)
class PNormMirror(MirrorMap):
    """Half the squared p-norm, on the whole space: between plain steps and entropy.

    With an `order` near 1 few large coefficients are near, as for the entropy; 2 is
    Euclidean.

    Examples
    --------
    >>> import numpy as np
    >>> mirror, w = PNormMirror(1.5), np.array([1.0, -2.0])
    >>> mirror.inverse_gradient(mirror.gradient(w)).round(12).tolist()
    [1.0, -2.0]
    """

    order: float = field(default=1.5, metadata={"domain": Interval(1, 2, True)})

    @property
    def modulus(self) -> float:  # type: ignore[override]
        """How strongly convex half the squared p-norm is in the p-norm."""
        return self.order - 1.0

    @property
    def norm(self) -> PNorm:
        """The penalty that is this mirror's ψ."""
        return PNorm(1.0, self.order)

    def start(self, features: int) -> Vector:
        return np.zeros(features)

    def value(self, w: Vector) -> float:
        return 0.5 * float(np.linalg.norm(w, self.order)) ** 2

    def gradient(self, w: Vector) -> Vector:
        return np.asarray(self.norm.gradient(w))

    def inverse_gradient(self, image: Vector) -> Vector:
        return np.asarray(self.norm.inverse_gradient(image))

    def project(self, w: Vector) -> Vector:
        return w

    def dual_norm(self, gradient: Vector) -> float:
        return float(np.linalg.norm(gradient, self.order / (self.order - 1.0)))

    @property
    def diameter(self) -> float:
        return math.inf
