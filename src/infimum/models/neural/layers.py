"""Layers: maps of a batch of arrays that know their parameters and their derivative.

The first axis of a batch counts the samples. Images are (height, width, channels),
signals (length, channels), tables (features,).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from math import prod
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from infimum.errors import DataError, InvalidParameterError
from infimum.models.neural.activations import Activation, Identity, activation_of
from infimum.parameters import check_domains, whole
from infimum.typing import Matrix

__all__ = [
    "Dense",
    "Flatten",
    "Layer",
    "Reshape",
    "Shape",
    "shape_of",
    "spectral_bound",
]

Shape: TypeAlias = tuple[int, ...]
Batch: TypeAlias = Any


class Layer(ABC):
    """One step of a network."""

    def __post_init__(self) -> None:
        check_domains(self)
        activation_of(type(self).__name__, getattr(self, "activation", Identity()))

    @abstractmethod
    def output(self, shape: Shape) -> Shape:
        """Return the shape of a sample behind the layer; DataError if it cannot be."""

    def parameters(self, shape: Shape) -> list[Shape]:
        """Return the shapes of weights and intercepts, in this order, or nothing."""
        return []

    @abstractmethod
    def forward(self, X: Batch, parameters: list[NDArray[Any]]) -> tuple[Batch, Any]:
        """Return the output, and what `backward` needs."""

    @abstractmethod
    def backward(
        self,
        delta: Batch,
        memory: Any,
        parameters: list[NDArray[Any]],
        gradient: list[NDArray[Any]],
        *,
        first: bool,
    ) -> Batch:
        """Write the gradient in the parameters; return that in the input.

        The latter is not needed of the `first` layer.
        """

    def lipschitz(self, parameters: list[NDArray[Any]]) -> float:
        """Return a bound on ‖output difference‖ / ‖input difference‖."""
        return 1.0

    def fans(self, shape: Shape) -> tuple[int, int]:
        """Return how many numbers a unit reads, and how many units read a number."""
        return 1, 1


@dataclass(frozen=True)
class Dense(Layer):
    """Every unit reads every number: σ(x W + b).

    Examples
    --------
    >>> layer = Dense(2, "relu")
    >>> W, b = np.array([[1.0, -1.0], [0.0, 2.0]]), np.array([0.5, 0.0])
    >>> layer.forward(np.array([[1.0, 0.0]]), [W, b])[0]
    array([[1.5, 0. ]])
    """

    units: int = field(metadata={"domain": whole(1)})
    activation: str | Activation = field(default_factory=Identity)

    @property
    def function(self) -> Activation:
        """The activation behind the linear map."""
        return activation_of("Dense", self.activation)

    def output(self, shape: Shape) -> Shape:
        if len(shape) != 1:
            raise DataError(
                f"Dense({self.units}) reads vectors, the layer before gives arrays of "
                f"shape {shape}: put Flatten() between them."
            )
        return (self.units,)

    def parameters(self, shape: Shape) -> list[Shape]:
        return [(shape[0], self.units), (self.units,)]

    def fans(self, shape: Shape) -> tuple[int, int]:
        return shape[0], self.units

    def forward(self, X: Batch, parameters: list[NDArray[Any]]) -> tuple[Batch, Any]:
        out = self.function.forward(X @ parameters[0], parameters[1])
        return out, (X, out)

    def backward(
        self,
        delta: Batch,
        memory: Any,
        parameters: list[NDArray[Any]],
        gradient: list[NDArray[Any]],
        *,
        first: bool,
    ) -> Batch:
        X, out = memory
        self.function.backward(out, delta, gradient[1])
        if isinstance(X, np.ndarray):
            np.matmul(X.T, delta, out=gradient[0])
        else:
            gradient[0][...] = X.T @ delta
        return None if first else delta @ parameters[0].T

    def lipschitz(self, parameters: list[NDArray[Any]]) -> float:
        return self.function.lipschitz * spectral_bound(parameters[0])


@dataclass(frozen=True)
class Flatten(Layer):
    """The numbers of a sample one after the other."""

    def output(self, shape: Shape) -> Shape:
        return (int(np.prod(shape)),)

    def forward(self, X: Batch, parameters: list[NDArray[Any]]) -> tuple[Batch, Any]:
        return X.reshape(len(X), -1), X.shape

    def backward(
        self,
        delta: Batch,
        memory: Any,
        parameters: list[NDArray[Any]],
        gradient: list[NDArray[Any]],
        *,
        first: bool,
    ) -> Batch:
        return delta.reshape(memory)


@dataclass(frozen=True)
class Reshape(Layer):
    """The numbers of a sample as a signal or an image."""

    shape: Shape

    def __post_init__(self) -> None:
        shape_of("Reshape.shape", self.shape)

    def output(self, shape: Shape) -> Shape:
        if prod(self.shape) != prod(shape):
            raise DataError(
                f"Reshape to {self.shape} needs {prod(self.shape)} numbers, the layer "
                f"before gives arrays of shape {shape}."
            )
        return self.shape

    def forward(self, X: Batch, parameters: list[NDArray[Any]]) -> tuple[Batch, Any]:
        return X.reshape(len(X), *self.shape), X.shape

    def backward(
        self,
        delta: Batch,
        memory: Any,
        parameters: list[NDArray[Any]],
        gradient: list[NDArray[Any]],
        *,
        first: bool,
    ) -> Batch:
        return None if first else delta.reshape(memory)


def shape_of(owner: str, given: Any) -> Shape:
    """Return the shape that a parameter names: whole numbers of 1 or more."""
    sides = list(given) if np.iterable(given) else []
    if not sides or any(not isinstance(n, Integral) or n < 1 for n in sides):
        raise InvalidParameterError(
            f"{owner} must be whole numbers of 1 or more, for instance (8, 8, 1), got "
            f"{given!r}."
        )
    return tuple(int(n) for n in sides)


def spectral_bound(W: Matrix) -> float:
    """Return a number that is at least the largest singular value.

    LAPACK's singular values are those of a matrix within a few sizes times the unit
    of rounding of the given one, relative to the largest; that much is added.
    """
    exact = np.asarray(W, dtype=np.float64)
    if not np.isfinite(exact).all():
        raise InvalidParameterError("A layer's weights are not finite.")
    largest = float(np.linalg.norm(exact, 2)) if exact.size else 0.0
    return largest * (1.0 + 100.0 * sum(exact.shape) * float(np.finfo(float).eps))
