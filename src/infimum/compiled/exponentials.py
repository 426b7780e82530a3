"""Exponentials of whole rows, fast enough to keep up with a matrix product.

NumPy's loop is the slowest part of a Gaussian kernel. Here 2ᵏ is read off the bits of
a rounded sum and eʳ is a polynomial on |r| ≤ ln(2)/2, so that the compiler can run
eight (float32) or four (float64) at a time; errors stay within 2 units of the last
place. Arguments below the smallest normal number give that number, not 0.
"""

from typing import Any

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["exponentiate_into"]

_FAST = {"contract", "nsz", "nnan", "ninf"}
#: Numbers at a time: few enough to stay in the nearest cache.
RUN = 1024

_f = np.float32
_LOW, _PER, _ROUND = _f(-87.0), _f(1.4426950408889634), _f(12582912.0)
_LOG_HIGH, _LOG_LOW = _f(0.693359375), _f(-2.12194440e-4)
_P5, _P4, _P3 = _f(1.9875691500e-4), _f(1.3981999507e-3), _f(8.3334519073e-3)
_P2, _P1, _HALF, _ONE = _f(4.1665795894e-2), _f(1.6666665459e-1), _f(0.5), _f(1.0)


@inner_loop(fastmath=_FAST)
def _single(x: Vector, out: Vector, bits: Indices, powers: Vector) -> None:
    size = x.size
    for t in range(size):
        v = x[t]
        v = v if v > _LOW else _LOW
        powers[t] = v * _PER + _ROUND
    for t in range(size):
        bits[t] = (bits[t] + np.int32(127)) << np.int32(23)
    for t in range(size):
        v = x[t]
        v = v if v > _LOW else _LOW
        k = v * _PER + _ROUND - _ROUND
        r = v - k * _LOG_HIGH
        r = r - k * _LOG_LOW
        p = _P5 * r + _P4
        p = p * r + _P3
        p = p * r + _P2
        p = p * r + _P1
        p = p * r + _HALF
        powers[t] *= (p * r) * r + r + _ONE
    for t in range(size):
        out[t] = powers[t]


@inner_loop(fastmath=_FAST)
def _double(x: Vector, out: Vector, bits: Indices, powers: Vector) -> None:
    size = x.size
    for t in range(size):
        v = x[t]
        v = v if v > -708.0 else -708.0
        powers[t] = v * 1.4426950408889634 + 6755399441055744.0
    for t in range(size):
        bits[t] = (bits[t] + 1023) << 52
    for t in range(size):
        v = x[t]
        v = v if v > -708.0 else -708.0
        k = v * 1.4426950408889634 + 6755399441055744.0 - 6755399441055744.0
        r = v - k * 0.6931471803691238
        r = r - k * 1.9082149292705877e-10
        p = 2.08767569878681e-09 * r + 2.505210838544172e-08
        p = p * r + 2.755731922398589e-07
        p = p * r + 2.7557319223985893e-06
        p = p * r + 2.48015873015873e-05
        p = p * r + 0.0001984126984126984
        p = p * r + 0.001388888888888889
        p = p * r + 0.008333333333333333
        p = p * r + 0.041666666666666664
        p = p * r + 0.16666666666666666
        p = p * r + 0.5
        p = p * r + 1.0
        powers[t] *= p * r + 1.0
    for t in range(size):
        out[t] = powers[t]


@loop()
def _rows_single(x: Matrix, out: Matrix, rows: Indices, start: int) -> None:
    bits = np.empty(RUN, dtype=np.int32)
    powers = bits.view(np.float32)
    width = x.shape[1]
    for i in range(x.shape[0]):
        for low in range(0, width, RUN):
            high = min(width, low + RUN)
            part = out[rows[i], start + low : start + high]
            _single(x[i, low:high], part, bits, powers)


@loop()
def _rows_double(x: Matrix, out: Matrix, rows: Indices, start: int) -> None:
    bits = np.empty(RUN, dtype=np.int64)
    powers = bits.view(np.float64)
    width = x.shape[1]
    for i in range(x.shape[0]):
        for low in range(0, width, RUN):
            high = min(width, low + RUN)
            part = out[rows[i], start + low : start + high]
            _double(x[i, low:high], part, bits, powers)


def exponentiate_into(x: Matrix, out: Any, rows: Indices, start: int) -> None:
    """Write exp of row i of `x` into row ``rows[i]`` of `out`, from column `start`."""
    (_rows_single if x.dtype == np.float32 else _rows_double)(x, out, rows, start)
