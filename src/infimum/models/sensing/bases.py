"""Orthonormal bases in which signals are sparse: as operators, not as matrices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import fft

from infimum.data.doors import array
from infimum.errors import DataError
from infimum.parameters import Choice, check_domain
from infimum.typing import Matrix, Vector

__all__ = ["OrthonormalBasis", "orthonormal_basis"]

_KINDS = Choice(("identity", "dct", "haar", "fourier"))
_ROOT = np.sqrt(2.0)


@dataclass(frozen=True, eq=False)
class OrthonormalBasis:
    """An orthonormal basis U of signals of one shape: x = U α and α = Uᵀ x.

    Signals with two axes are transformed along both. Signals are vectors here: images
    are flattened row by row.

    Examples
    --------
    >>> haar = orthonormal_basis("haar", 4)
    >>> haar.analyze([4.0, 2.0, 5.0, 5.0]).round(3)
    array([ 8.   , -2.   ,  1.414,  0.   ])
    >>> haar.synthesize(haar.analyze([4.0, 2.0, 5.0, 5.0])).round(12)
    array([4., 2., 5., 5.])
    """

    kind: str
    shape: tuple[int, ...]
    given: Matrix | None = None

    @property
    def size(self) -> int:
        """How many numbers a signal has."""
        return int(np.prod(self.shape))

    def analyze(self, x: Any) -> Vector:
        """Return the coefficients Uᵀx of a signal, or of each column."""
        return self._along(x, forward=True)

    def synthesize(self, coefficients: Any) -> Vector:
        """Return the signal Uα of coefficients, or of each column of them."""
        return self._along(coefficients, forward=False)

    def matrix(self) -> Matrix:
        """Return U, whose columns are the basis."""
        return self.synthesize(np.eye(self.size))

    def _along(self, x: Any, *, forward: bool) -> Vector:
        values = np.asarray(x, dtype=np.float64)
        if values.shape[:1] != (self.size,) and values.shape == self.shape:
            values = values.ravel()
        if values.shape[:1] != (self.size,):
            raise DataError(
                f"OrthonormalBasis: a signal has {self.size} numbers, got shape "
                f"{values.shape}."
            )
        if self.given is not None:
            return np.asarray((self.given.T if forward else self.given) @ values)
        if self.kind == "identity":
            return values.copy()
        whole = values.reshape(*self.shape, *values.shape[1:])
        turn: Callable[..., Any] = _TURNS[self.kind][0 if forward else 1]
        for axis in range(len(self.shape)):
            whole = turn(whole, axis)
        return np.asarray(whole).reshape(values.shape)


def orthonormal_basis(kind: Any, shape: int | tuple[int, ...]) -> OrthonormalBasis:
    """Return a basis by its name, or from a square matrix with orthonormal columns.

    Parameters
    ----------
    kind : {'identity', 'dct', 'haar', 'fourier'} or matrix
        'fourier' is the real one: the mean, then cosines and sines. 'haar' needs
        sides that are powers of two.
    shape : int or tuple
        The length of a signal, or the sides of an image.

    Examples
    --------
    >>> U = orthonormal_basis("fourier", 6).matrix()
    >>> bool(abs(U.T @ U - np.eye(6)).max() < 1e-12)
    True
    """
    sides = (int(shape),) if np.ndim(shape) == 0 else tuple(int(s) for s in shape)  # type: ignore[arg-type, union-attr]
    if not sides or min(sides) < 1:
        raise DataError(f"orthonormal_basis: sides must be at least 1, got {shape}.")
    if not isinstance(kind, str):
        return OrthonormalBasis("given", sides, _checked(kind, int(np.prod(sides))))
    check_domain("orthonormal_basis.kind", kind, _KINDS)
    if kind == "haar" and any(side & (side - 1) for side in sides):
        raise DataError(
            "orthonormal_basis: 'haar' needs sides that are powers of two, got "
            f"{sides}."
        )
    return OrthonormalBasis(kind, sides)


def _checked(U: Any, size: int) -> Matrix:
    U = array(U)
    if U.shape != (size, size):
        raise DataError(
            f"orthonormal_basis: {size} columns of {size} numbers are needed, got "
            f"shape {U.shape}."
        )
    off = float(np.abs(U.T @ U - np.eye(size)).max())
    if off > 1e-8:
        raise DataError(
            "orthonormal_basis: the columns are not orthonormal, UᵀU is off by "
            f"{off:.2g}."
        )
    return np.asarray(U)


def _cosines(x: Any, axis: int) -> Any:
    return fft.dct(x, axis=axis, norm="ortho")


def _from_cosines(x: Any, axis: int) -> Any:
    return fft.idct(x, axis=axis, norm="ortho")


def _waves(x: Any, axis: int) -> Any:
    """Return mean, then √2 times real and minus imaginary parts, frequency by turn."""
    n = x.shape[axis]
    found = np.moveaxis(fft.rfft(x, axis=axis, norm="ortho"), axis, 0)
    out = np.empty((n, *found.shape[1:]))
    out[0] = found[0].real
    pairs = (n - 1) // 2
    out[1 : 2 * pairs : 2] = _ROOT * found[1 : pairs + 1].real
    out[2 : 2 * pairs + 1 : 2] = -_ROOT * found[1 : pairs + 1].imag
    if n % 2 == 0 and n > 1:
        out[-1] = found[-1].real
    return np.moveaxis(out, 0, axis)


def _from_waves(x: Any, axis: int) -> Any:
    n = x.shape[axis]
    parts = np.moveaxis(x, axis, 0)
    found = np.zeros((n // 2 + 1, *parts.shape[1:]), dtype=complex)
    found[0] = parts[0]
    pairs = (n - 1) // 2
    found[1 : pairs + 1] = parts[1 : 2 * pairs : 2] / _ROOT
    found[1 : pairs + 1] -= 1j * parts[2 : 2 * pairs + 1 : 2] / _ROOT
    if n % 2 == 0 and n > 1:
        found[-1] = parts[-1]
    return np.moveaxis(fft.irfft(found, n, axis=0, norm="ortho"), 0, axis)


def _haar(x: Any, axis: int) -> Any:
    """Return the mean first, then details from coarse to fine."""
    parts, details = np.moveaxis(x, axis, 0), []
    while len(parts) > 1:
        details.append((parts[::2] - parts[1::2]) / _ROOT)
        parts = (parts[::2] + parts[1::2]) / _ROOT
    return np.moveaxis(np.concatenate([parts, *details[::-1]]), 0, axis)


def _from_haar(x: Any, axis: int) -> Any:
    parts = np.moveaxis(x, axis, 0)
    made = parts[:1]
    while len(made) < len(parts):
        fine = parts[len(made) : 2 * len(made)]
        wider = np.empty((2 * len(made), *made.shape[1:]))
        wider[::2], wider[1::2] = (made + fine) / _ROOT, (made - fine) / _ROOT
        made = wider
    return np.moveaxis(made, 0, axis)


_TURNS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "dct": (_cosines, _from_cosines),
    "fourier": (_waves, _from_waves),
    "haar": (_haar, _from_haar),
}
