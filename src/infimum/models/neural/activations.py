"""Activations: functions of one number that stand between the layers of a network."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np
from scipy.special import expit

from infimum.errors import InvalidParameterError
from infimum.typing import Matrix, Vector

__all__ = [
    "ACTIVATIONS",
    "Activation",
    "Identity",
    "ReLU",
    "Sigmoid",
    "Softplus",
    "Tanh",
    "activation_of",
]


class Activation(ABC):
    """A function σ of one number, its derivative, and the largest of its slopes."""

    lipschitz: ClassVar[float] = 1.0
    #: σ′ = c₀ + c₁ σ + c₂ σ²; no number means the slope of ReLU; None: no such formula.
    curve: ClassVar[tuple[float, ...] | None] = None

    @abstractmethod
    def value(self, a: Vector) -> Vector:
        """Return σ(a)."""

    @abstractmethod
    def derivative(self, a: Vector) -> Vector:
        """Return σ′(a)."""

    def apply(self, a: Vector) -> Vector:
        """Write σ(a) over a; return it."""
        a[...] = self.value(a)
        return a

    @abstractmethod
    def pull(self, out: Vector, delta: Vector) -> None:
        """Multiply `delta` by σ′(a), where `out` is σ(a)."""

    def forward(self, sums: Matrix, shifts: Vector) -> Matrix:
        """Write σ(sums + shifts) over the sums of units, a row each; return it."""
        sums += shifts
        return self.apply(sums)

    def backward(self, out: Matrix, delta: Matrix, total: Vector) -> None:
        """Do what `pull` does; write the sums of `delta` over the rows into `total`."""
        if self.curve is not None and out.dtype.kind == "f":
            from infimum.compiled.descent.activation_pull import activation_pull

            activation_pull(_numbers(self.curve, out.dtype), out, delta, total)
            return
        self.pull(out, delta)
        np.add.reduce(delta, axis=0, out=total)


@cache
def _numbers(curve: tuple[float, ...], dtype: np.dtype[Any]) -> Vector:
    return np.array(curve, dtype=dtype)


@dataclass(frozen=True)
class Identity(Activation):
    """σ(a) = a: layers with it are one linear map."""

    curve: ClassVar[tuple[float, ...] | None] = (1.0, 0.0, 0.0)

    def value(self, a: Vector) -> Vector:
        return a

    def derivative(self, a: Vector) -> Vector:
        return np.ones_like(a)

    def apply(self, a: Vector) -> Vector:
        return a

    def pull(self, out: Vector, delta: Vector) -> None:
        pass


@dataclass(frozen=True)
class Sigmoid(Activation):
    """σ(a) = 1 / (1 + e⁻ᵃ), from 0 to 1.

    Examples
    --------
    >>> Sigmoid().value(np.array([0.0, 100.0]))
    array([0.5, 1. ])
    """

    lipschitz: ClassVar[float] = 0.25
    curve: ClassVar[tuple[float, ...] | None] = (0.0, 1.0, -1.0)

    def value(self, a: Vector) -> Vector:
        return np.asarray(expit(a))

    def derivative(self, a: Vector) -> Vector:
        return np.asarray(expit(a) * expit(-a))

    def apply(self, a: Vector) -> Vector:
        return np.asarray(expit(a, out=a))

    def pull(self, out: Vector, delta: Vector) -> None:
        delta *= out
        delta *= 1 - out


@dataclass(frozen=True)
class Tanh(Activation):
    """σ(a) = tanh a, from -1 to 1."""

    curve: ClassVar[tuple[float, ...] | None] = (1.0, 0.0, -1.0)

    def value(self, a: Vector) -> Vector:
        return np.tanh(a)

    def derivative(self, a: Vector) -> Vector:
        return np.asarray(1.0 - np.tanh(a) ** 2)

    def apply(self, a: Vector) -> Vector:
        return np.tanh(a, out=a)

    def pull(self, out: Vector, delta: Vector) -> None:
        delta *= 1 - out**2


@dataclass(frozen=True)
class ReLU(Activation):
    """σ(a) = max(a, 0); the derivative at 0 is taken as 0."""

    curve: ClassVar[tuple[float, ...] | None] = ()

    def value(self, a: Vector) -> Vector:
        return np.maximum(a, 0)

    def derivative(self, a: Vector) -> Vector:
        return np.asarray(a > 0, dtype=a.dtype)

    def apply(self, a: Vector) -> Vector:
        return np.maximum(a, 0.0, out=a)

    def forward(self, sums: Matrix, shifts: Vector) -> Matrix:
        if sums.dtype.kind != "f" or sums.dtype != shifts.dtype:
            return super().forward(sums, shifts)
        from infimum.compiled.descent.shifted_relu import shifted_relu

        shifted_relu(sums, shifts)
        return sums

    def pull(self, out: Vector, delta: Vector) -> None:
        np.multiply(delta, out > 0, out=delta)


@dataclass(frozen=True)
class Softplus(Activation):
    """σ(a) = log(1 + eᵃ), a smooth ReLU; its derivative is the sigmoid."""

    def value(self, a: Vector) -> Vector:
        return np.logaddexp(0, a)

    def derivative(self, a: Vector) -> Vector:
        return np.asarray(expit(a))

    def pull(self, out: Vector, delta: Vector) -> None:
        delta *= -np.expm1(-out)


#: Names that estimators take.
ACTIVATIONS: dict[str, Activation] = {
    "identity": Identity(),
    "logistic": Sigmoid(),
    "tanh": Tanh(),
    "relu": ReLU(),
    "softplus": Softplus(),
}


_KINDS = {type(one) for one in ACTIVATIONS.values()}


def activation_of(owner: str, given: object) -> Activation:
    """Return the activation that a parameter names or is."""
    if type(given) in _KINDS or isinstance(given, Activation):
        return given  # type: ignore[return-value]
    if not isinstance(given, str) or given not in ACTIVATIONS:
        raise InvalidParameterError(
            f"{owner}.activation must be one of {', '.join(map(repr, ACTIVATIONS))} or "
            f"an activation of infimum.models.neural, got {given!r}."
        )
    return ACTIVATIONS[given]
