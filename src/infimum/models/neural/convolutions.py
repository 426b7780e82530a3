"""Layers for signals and images: convolutions and the largest of blocks."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from infimum.errors import DataError
from infimum.models.neural.activations import Activation, Identity, activation_of
from infimum.models.neural.layers import Batch, Layer, Shape, spectral_bound
from infimum.parameters import Choice, or_none, whole

__all__ = ["Convolution", "MaxPool"]

_MODES = Choice(("valid", "full", "circular"))


@dataclass(frozen=True)
class Convolution(Layer):
    r"""Filters that move over a signal or an image.

    .. math:: (t * x)^j = \sum_i t^{\,j-i}\, x^i

    for each filter t, summed over the channels of x; then an intercept for each filter
    and an activation.

    Parameters
    ----------
    filters : int
        How many filters there are: the channels of the output.
    size : int
        Their length; images have filters of this height and width.
    mode : {'valid', 'full', 'circular'}
        Only where the filter lies inside; wherever it touches, with zeros around; or
        as if the signal began again at its end.
    activation : str or Activation
        What follows.

    Examples
    --------
    >>> layer = Convolution(1, 2, mode="full")
    >>> t, b = np.array([1.0, 10.0]).reshape(2, 1, 1), np.zeros(1)
    >>> layer.forward(np.array([[[1.0], [2.0], [3.0]]]), [t, b])[0].ravel()
    array([ 1., 12., 23., 30.])
    """

    filters: int = field(metadata={"domain": whole(1)})
    size: int = field(metadata={"domain": whole(1)})
    mode: str = field(default="valid", metadata={"domain": _MODES})
    activation: str | Activation = field(default_factory=Identity)

    @property
    def function(self) -> Activation:
        """The activation behind the sums."""
        return activation_of("Convolution", self.activation)

    def output(self, shape: Shape) -> Shape:
        if len(shape) not in (2, 3):
            raise DataError(
                f"Convolution reads signals (length, channels) or images (height, "
                f"width, channels), the layer before gives shape {shape}."
            )
        if self.mode != "full" and min(shape[:-1]) < self.size:
            raise DataError(
                f"Convolution of size {self.size} is longer than its input of shape "
                f"{shape}."
            )
        grow = {"valid": 1 - self.size, "full": self.size - 1, "circular": 0}[self.mode]
        return (*(side + grow for side in shape[:-1]), self.filters)

    def parameters(self, shape: Shape) -> list[Shape]:
        sides = (self.size,) * (len(shape) - 1)
        return [(*sides, shape[-1], self.filters), (self.filters,)]

    def fans(self, shape: Shape) -> tuple[int, int]:
        area = int(self.size ** (len(shape) - 1))
        return area * shape[-1], area * self.filters

    def forward(self, X: Batch, parameters: list[NDArray[Any]]) -> tuple[Batch, Any]:
        patches = self._patches(X)
        rows = patches.reshape(-1, np.prod(patches.shape[-X.ndim + 1 :], dtype=int))
        sums = rows @ self._matrix(parameters[0])
        out = self.function.forward(sums, parameters[1])
        sides = patches.shape[: X.ndim - 1]
        return out.reshape(*sides, self.filters), (X.shape, rows, out)

    def backward(
        self,
        delta: Batch,
        memory: Any,
        parameters: list[NDArray[Any]],
        gradient: list[NDArray[Any]],
        *,
        first: bool,
    ) -> Batch:
        shape, rows, out = memory
        flat = np.ascontiguousarray(delta).reshape(-1, self.filters)
        self.function.backward(out, flat, gradient[1])
        W = parameters[0]
        turned = (rows.T @ flat).reshape(W.shape)
        gradient[0][...] = np.flip(turned, axis=tuple(range(W.ndim - 2)))
        if first:
            return None
        spread = (flat @ self._matrix(W).T).reshape(*delta.shape[:-1], *W.shape[:-1])
        return self._gathered(spread, shape)

    def lipschitz(self, parameters: list[NDArray[Any]]) -> float:
        # A number of the input stands in at most size^d patches.
        W = parameters[0]
        often = float(np.prod(W.shape[:-2])) ** 0.5
        return float(self.function.lipschitz * often * spectral_bound(self._matrix(W)))

    def _matrix(self, W: NDArray[Any]) -> NDArray[Any]:
        """Return the filters as columns, reversed: a convolution reads backwards."""
        axes = tuple(range(W.ndim - 2))
        return np.ascontiguousarray(np.flip(W, axis=axes)).reshape(-1, self.filters)

    def _margins(self, dims: int) -> list[tuple[int, int]]:
        """Return how many numbers are added before and behind each side."""
        add = self.size - 1
        each = {"valid": (0, 0), "full": (add, add), "circular": (add, 0)}[self.mode]
        return [(0, 0), *([each] * dims), (0, 0)]

    def _patches(self, X: Batch) -> NDArray[Any]:
        """Return the numbers under the filter at each place: (n, *places, *size, c)."""
        dims = X.ndim - 2
        kind = "wrap" if self.mode == "circular" else "constant"
        wide = np.pad(X, self._margins(dims), mode=kind)  # type: ignore[call-overload]
        axes = tuple(range(1, dims + 1))
        found = sliding_window_view(wide, (self.size,) * dims, axis=axes)
        return np.moveaxis(found, dims + 1, -1)

    def _gathered(self, spread: NDArray[Any], shape: Shape) -> NDArray[Any]:
        """Add what each place gives back to the numbers that it read."""
        dims = len(shape) - 2
        margins = self._margins(dims)
        wide = np.zeros(
            [side + sum(add) for side, add in zip(shape, margins, strict=True)],
            dtype=spread.dtype,
        )
        places = spread.shape[1 : dims + 1]
        for offset in product(range(self.size), repeat=dims):
            where = tuple(
                slice(o, o + side) for o, side in zip(offset, places, strict=True)
            )
            read: Any = (Ellipsis, *offset, slice(None))
            wide[(slice(None), *where)] += spread[read]
        for axis in range(1, dims + 1):
            before, behind = margins[axis]
            middle = np.moveaxis(wide, axis, 0)
            if self.mode == "circular" and before:
                middle[-before:] += middle[:before]
            wide = np.moveaxis(middle[before : len(middle) - behind], 0, axis)
        return wide


@dataclass(frozen=True)
class MaxPool(Layer):
    """The largest number of each block, or of the whole signal, for each channel.

    Parameters
    ----------
    size : int, optional
        Side of the blocks, which do not overlap; what does not fill one is left out.
        By default one block is everything.

    Examples
    --------
    >>> MaxPool().forward(np.array([[[1.0], [5.0], [2.0]]]), [])[0]
    array([[5.]])
    """

    size: int | None = field(default=None, metadata={"domain": or_none(whole(1))})

    def output(self, shape: Shape) -> Shape:
        if len(shape) not in (2, 3):
            raise DataError(
                "MaxPool reads signals or images, the layer before gives shape "
                f"{shape}."
            )
        if self.size is None:
            return (shape[-1],)
        if min(shape[:-1]) < self.size:
            raise DataError(
                f"MaxPool of size {self.size} does not fit an input of shape {shape}."
            )
        return (*(side // self.size for side in shape[:-1]), shape[-1])

    def forward(self, X: Batch, parameters: list[NDArray[Any]]) -> tuple[Batch, Any]:
        blocks = self._blocks(X)
        best = blocks.argmax(axis=-1)
        out = np.take_along_axis(blocks, best[..., None], axis=-1)[..., 0]
        return out, (X.shape, best)

    def backward(
        self,
        delta: Batch,
        memory: Any,
        parameters: list[NDArray[Any]],
        gradient: list[NDArray[Any]],
        *,
        first: bool,
    ) -> Batch:
        shape, best = memory
        back = np.zeros(shape, dtype=delta.dtype)
        if self.size is None:
            flat = back.reshape(shape[0], -1, shape[-1])
            np.put_along_axis(flat, best[:, None, :], delta[:, None, :], axis=1)
            return back
        places = np.indices(best.shape, sparse=True)
        inside = np.unravel_index(best, (self.size,) * (len(shape) - 2))
        sides = [
            place * self.size + step
            for place, step in zip(places[1:-1], inside, strict=True)
        ]
        back[(places[0], *sides, places[-1])] = delta
        return back

    def _blocks(self, X: Batch) -> NDArray[Any]:
        """Return the blocks, their numbers last: (n, *places, channels, size^d)."""
        n, dims, channels = len(X), X.ndim - 2, X.shape[-1]
        if self.size is None:
            return np.moveaxis(X.reshape(n, -1, channels), 1, -1)
        counts = [side // self.size for side in X.shape[1:-1]]
        cut = tuple(slice(0, count * self.size) for count in counts)
        split = [part for count in counts for part in (count, self.size)]
        found = X[(slice(None), *cut)].reshape(n, *split, channels)
        order = [0, *range(1, 2 * dims, 2), 2 * dims + 1, *range(2, 2 * dims + 1, 2)]
        return np.asarray(found.transpose(order).reshape(n, *counts, channels, -1))
