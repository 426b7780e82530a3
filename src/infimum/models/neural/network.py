"""Network: layers one behind the other, all their parameters in one vector."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.models.neural.layers import Batch, Dense, Layer, Shape
from infimum.typing import Vector

__all__ = ["Network"]


class Network:
    """Layers with their parameters: weights of all layers first, then intercepts.

    Parameters
    ----------
    layers : sequence of Layer
        The steps, in order.
    shape : tuple of int
        The shape of a sample.
    dtype : data type
        The precision of the parameters.

    Examples
    --------
    >>> net = Network([Dense(3, "tanh"), Dense(1)], (2,), np.float64)
    >>> len(net.theta), net.scores(np.zeros((5, 2))).shape
    (13, (5, 1))
    """

    def __init__(self, layers: Sequence[Layer], shape: Shape, dtype: Any) -> None:
        self.layers = list(layers)
        self.shape = shape
        self.shapes: list[Shape] = [shape]
        sizes: list[list[Shape]] = []
        for layer in self.layers:
            sizes.append(layer.parameters(self.shapes[-1]))
            self.shapes.append(layer.output(self.shapes[-1]))
        parts = [(i, k) for k in (0, 1) for i, own in enumerate(sizes) if own]
        counts = [int(np.prod(sizes[i][k])) for i, k in parts]
        self.n_weights = sum(counts[: len(counts) // 2])
        self.theta: Vector = np.zeros(sum(counts), dtype=dtype)
        self.gradient: Vector = np.zeros_like(self.theta)
        self._cuts = list(zip(parts, np.cumsum([0, *counts]), counts, strict=False))
        self._sizes = sizes
        self._first = next((i for i, own in enumerate(sizes) if own), 0)
        self.parameters = self.views(self.theta)
        self._gradients = self.views(self.gradient)

    def views(self, vector: Vector) -> list[list[NDArray[Any]]]:
        """Return the parts of such a vector, by layer."""
        found: list[list[NDArray[Any]]] = [[] for _ in self.layers]
        for (i, k), start, count in self._cuts:
            found[i].append(vector[start : start + count].reshape(self._sizes[i][k]))
        return found

    def twin(self) -> Network:
        """Return a network of the same parameters with a gradient of its own."""
        found = copy(self)
        found.gradient = np.zeros_like(self.theta)
        found._gradients = found.views(found.gradient)
        return found

    @property
    def finite(self) -> bool:
        """Whether all parameters are finite numbers."""
        return bool(np.isfinite(self.theta).all())

    @property
    def multiplications(self) -> int:
        """How many a sample takes on its way through."""
        found = 0
        for own, shape in zip(self.parameters, self.shapes[1:], strict=True):
            found += own[0].size * int(np.prod(shape[:-1])) if own else 0
        return found

    def start(self, rng: np.random.RandomState, factor: float) -> None:
        """Draw first parameters, evenly from ±√(factor / (fan in + fan out))."""
        for layer, shape, own in zip(
            self.layers, self.shapes, self.parameters, strict=False
        ):
            bound = np.sqrt(factor / sum(layer.fans(shape)))
            for part in own:
                part[...] = rng.uniform(-bound, bound, part.shape)

    def scores(self, X: Batch) -> NDArray[Any]:
        """Return what comes out."""
        for layer, own in zip(self.layers, self.parameters, strict=True):
            X = layer.forward(X, own)[0]
        return np.asarray(X)

    def forward(
        self, X: Batch, dropout: float = 0.0, rng: Any = None
    ) -> tuple[NDArray[Any], list[Any]]:
        """Return what comes out, and what each layer needs on the way back.

        Behind each layer but the last, numbers are dropped with the probability
        `dropout` and the others enlarged, so that their mean stays.
        """
        tape: list[Any] = []
        for i, (layer, own) in enumerate(
            zip(self.layers, self.parameters, strict=True)
        ):
            X, memory = layer.forward(X, own)
            mask = None
            if dropout > 0.0 and i + 1 < len(self.layers):
                keep = rng.random_sample(X.shape) >= dropout
                mask = (keep / (1.0 - dropout)).astype(X.dtype)
                X = X * mask
            tape.append((memory, mask))
        return np.asarray(X), tape

    def backward(self, delta: NDArray[Any], tape: list[Any]) -> Vector:
        """Return the gradient, from that in the scores; the vector is used again."""
        for i in range(len(self.layers) - 1, -1, -1):
            memory, mask = tape[i]
            if mask is not None:
                delta = delta * mask
            delta = self.layers[i].backward(
                delta,
                memory,
                self.parameters[i],
                self._gradients[i],
                first=i == self._first,
            )
            if delta is None:
                break
        return self.gradient

    def hidden(self, X: Batch) -> NDArray[Any]:
        """Return what the last layer reads."""
        for layer, own in zip(self.layers[:-1], self.parameters[:-1], strict=True):
            X = layer.forward(X, own)[0]
        return X  # type: ignore[no-any-return]

    def hidden_lipschitz(self) -> float:
        """Return a bound on how fast what the last layer reads can change."""
        bound = 1.0
        for layer, own in zip(self.layers[:-1], self.parameters[:-1], strict=True):
            bound *= layer.lipschitz(own)
        return bound

    @property
    def last(self) -> Dense:
        """The output layer."""
        layer = self.layers[-1]
        assert isinstance(layer, Dense)  # estimators put it there
        return layer
