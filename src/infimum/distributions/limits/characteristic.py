"""Characteristic functions: of samples, of means, their inversion and their moments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from infimum.distributions._distribution import Distribution
from infimum.distributions._given import function as known
from infimum.distributions._given import numbers
from infimum.errors import DataError
from infimum.parameters import check_domain, positive, whole
from infimum.typing import Vector

__all__ = [
    "characteristic_of_mean",
    "characteristic_of_standardised_sum",
    "density_from_characteristic",
    "empirical_characteristic",
    "fourier_transform",
    "inverse_fourier_transform",
    "moments_from_characteristic",
]


#: Waves held at once, and frequencies of one inversion, at most.
ENTRIES, MOST_NODES = 1 << 22, 10_000_000


def fourier_transform(
    function: Callable[[Any], Any], frequencies: ArrayLike, grid: ArrayLike
) -> NDArray[np.complex128]:
    """Return (2π)^(-1/2) ∫ f(x) exp(-iωx) dx by the trapezoid rule on a grid.

    For functions that vanish at the ends of the grid the rule converges faster than
    any power of the step.

    Examples
    --------
    >>> import numpy as np
    >>> grid = np.linspace(-12, 12, 2001)
    >>> fourier_transform(lambda x: np.exp(-x**2 / 2), [0.0, 1.0], grid).real.round(4)
    array([1.    , 0.6065])
    """
    return _transform(function, frequencies, grid, -1.0)


def inverse_fourier_transform(
    function: Callable[[Any], Any], points: ArrayLike, grid: ArrayLike
) -> NDArray[np.complex128]:
    """Return (2π)^(-1/2) ∫ F(ω) exp(+iωx) dω by the trapezoid rule on a grid.

    Examples
    --------
    >>> import numpy as np
    >>> grid = np.linspace(-12, 12, 2001)
    >>> found = inverse_fourier_transform(lambda w: np.exp(-w**2 / 2), [1.0], grid)
    >>> found.real.round(4)
    array([0.6065])
    """
    return _transform(function, points, grid, 1.0)


def _transform(
    function: Callable[[Any], Any], out: ArrayLike, grid: ArrayLike, sign: float
) -> NDArray[np.complex128]:
    owner = "fourier_transform"
    x, w = numbers(f"{owner}.grid", grid), numbers(f"{owner}.frequencies", out)
    if x.ndim != 1 or len(x) < 2 or not (np.diff(x) > 0).all():  # noqa: PLR2004
        raise DataError(
            "fourier_transform.grid must be two or more increasing numbers."
        )
    gaps = np.diff(x)
    widths = 0.5 * (np.append(gaps, 0.0) + np.append(0.0, gaps))
    values = np.asarray(known(f"{owner}.function", function)(x))
    if values.shape != x.shape:
        raise DataError(
            f"{owner}.function must return {len(x)} values, got the shape "
            f"{values.shape}."
        )
    values = values * widths
    flat = np.ravel(w)
    found, some = np.empty(flat.size, np.complex128), max(1, ENTRIES // len(x))
    for first in range(0, flat.size, some):
        waves = np.exp(sign * 1j * np.multiply.outer(flat[first : first + some], x))
        found[first : first + some] = waves @ values / np.sqrt(2.0 * np.pi)
    return found.reshape(w.shape)


def empirical_characteristic(
    y: ArrayLike, frequencies: ArrayLike
) -> NDArray[np.complex128]:
    """Return the mean of exp(iωy) over a sample.

    Examples
    --------
    >>> empirical_characteristic([0.0, 0.0], [3.0])
    array([1.+0.j])
    """
    values = np.ravel(numbers("empirical_characteristic", y))
    if not len(values) or not np.isfinite(values).all():
        raise DataError("empirical_characteristic takes one finite number or more.")
    waves = np.multiply.outer(numbers("empirical_characteristic", frequencies), values)
    return np.asarray(np.exp(1j * waves).mean(axis=-1))


def characteristic_of_mean(
    law: Distribution, size: int, frequencies: ArrayLike
) -> NDArray[np.complex128]:
    """Return φ(ω/m)ᵐ, the characteristic function of the mean of m values.

    It tends to exp(iωμ): the law of large numbers.

    Examples
    --------
    >>> from infimum.distributions import Exponential
    >>> characteristic_of_mean(Exponential(), 10**6, [1.0]).round(4)
    array([0.5403+0.8415j])
    """
    check_domain("characteristic_of_mean.size", size, whole(1))
    omega = numbers("characteristic_of_mean", frequencies)
    return np.asarray(law.characteristic(omega / size) ** size)


def characteristic_of_standardised_sum(
    law: Distribution, size: int, frequencies: ArrayLike
) -> NDArray[np.complex128]:
    """Return the characteristic function of Σ(Xᵢ - μ)/(σ√m).

    It tends to exp(-ω²/2): the central limit theorem.

    Examples
    --------
    >>> from infimum.distributions import Uniform
    >>> characteristic_of_standardised_sum(Uniform(), 10**4, [1.0]).real.round(4)
    array([0.6065])
    """
    owner = "characteristic_of_standardised_sum"
    check_domain(f"{owner}.size", size, whole(1))
    omega, spread = numbers(owner, frequencies), float(law.deviation)
    if not 0 < spread < np.inf:
        raise DataError(f"{owner} needs a finite variance above 0, got {spread**2:g}.")
    scaled = omega / (spread * np.sqrt(size))
    centred = law.characteristic(scaled) * np.exp(-1j * scaled * float(law.mean))
    return np.asarray(centred**size)


def density_from_characteristic(
    characteristic: Callable[[Any], Any], y: ArrayLike, cut: float = 60.0
) -> Vector:
    """Return the density whose characteristic function is given.

    The integral over frequencies ends at ±`cut`; what lies beyond is lost.

    Examples
    --------
    >>> import numpy as np
    >>> density_from_characteristic(lambda w: np.exp(-w**2 / 2), [0.0]).round(4)
    array([0.3989])
    """
    owner = "density_from_characteristic"
    check_domain(f"{owner}.cut", cut, positive)
    points = numbers(owner, y)
    far = float(np.abs(points).max(initial=1.0))
    if not 8 * cut * far <= MOST_NODES:
        raise DataError(
            f"{owner}: points as far from 0 as {far:g} take more than {MOST_NODES:,} "
            "frequencies; shift or scale the law, or lower cut."
        )
    grid = np.linspace(-cut, cut, int(max(4001, 8 * cut * far)))
    # The forward transform recovers the density, divided by the root of 2π.
    found = fourier_transform(characteristic, points, grid)
    return np.asarray(found.real / np.sqrt(2.0 * np.pi))


def moments_from_characteristic(
    characteristic: Callable[[Any], Any], order: int, step: float = 0.3
) -> Vector:
    """Return E[Y], …, E[Yᵏ] from derivatives at 0: φ⁽ⁿ⁾(0) = iⁿE[Yⁿ].

    The derivatives are Cauchy's integrals along a circle of radius `step`, so that φ
    must take complex arguments, and be analytic within the circle.

    Examples
    --------
    >>> moments_from_characteristic(lambda w: 1 / (1 - 1j * w), 4).round(6)
    array([ 1.,  2.,  6., 24.])
    """
    check_domain("moments_from_characteristic.order", order, whole(1, 100))
    check_domain("moments_from_characteristic.step", step, positive)
    count = 128
    turn = np.exp(2j * np.pi * np.arange(count) / count)
    values = np.asarray(characteristic(step * turn))
    coefficients = np.fft.fft(values) / count
    powers = np.arange(1, order + 1)
    factorials = np.cumprod(powers.astype(np.float64))
    derivatives = coefficients[1 : order + 1] * factorials / step**powers
    return np.asarray((derivatives / 1j**powers).real)
