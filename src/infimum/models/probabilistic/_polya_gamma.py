"""Draws of the Pólya-Gamma law PG(1, z), exactly (Polson, Scott and Windle, 2013)."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import log_ndtr

from infimum.typing import Vector

__all__ = ["polya_gamma"]

#: Where the two series of the density meet.
CUT = 0.64


def polya_gamma(z: Vector, rng: Any) -> Vector:
    """Return one draw of PG(1, z) for each number: a quarter of a tilted Jacobi law."""
    tilt = 0.5 * np.abs(np.asarray(z, dtype=np.float64))
    rate = 0.125 * np.pi**2 + 0.5 * tilt**2
    right = np.log(np.pi / (2.0 * rate)) - rate * CUT
    left = np.log(2.0) - tilt + _log_below(tilt)
    share = 1.0 / (1.0 + np.exp(left - right))
    out = np.empty(len(tilt))
    open_ = np.arange(len(tilt))
    while len(open_):
        x = np.empty(len(open_))
        far = rng.random(len(open_)) < share[open_]
        tail = open_[far]
        x[far] = CUT + rng.standard_exponential(len(tail)) / rate[tail]
        x[~far] = _short_waits(tilt[open_[~far]], rng)
        good = _squeezed(x, rng)
        out[open_[good]] = 0.25 * x[good]
        open_ = open_[~good]
    return out


def _log_below(tilt: Vector) -> Vector:
    """Return log P(IG(1/z, 1) < CUT)."""
    root = np.sqrt(1.0 / CUT)
    near = log_ndtr(root * (CUT * tilt - 1.0))
    mirrored = 2.0 * tilt + log_ndtr(-root * (CUT * tilt + 1.0))
    return np.asarray(np.logaddexp(near, mirrored))


def _short_waits(tilt: Vector, rng: Any) -> Vector:
    """Return inverse Gaussian draws of mean 1/z and shape 1 below CUT."""
    out = np.empty(len(tilt))
    open_ = np.arange(len(tilt))
    while len(open_):
        z = tilt[open_]
        x = np.empty(len(z))
        slow = z * CUT < 1.0  # a mean beyond the cut
        x[~slow] = rng.wald(1.0 / z[~slow], 1.0) if (~slow).any() else 0.0
        good = ~slow & (x <= CUT)
        first, second = rng.standard_exponential((2, int(slow.sum())))
        tried = CUT / (1.0 + CUT * first) ** 2
        lucky = rng.random(len(tried)) < np.exp(-0.5 * z[slow] ** 2 * tried)
        x[slow] = tried
        good[slow] = (first**2 <= 2.0 * second / CUT) & lucky
        out[open_[good]] = x[good]
        open_ = open_[~good]
    return out


def _squeezed(x: Vector, rng: Any) -> Any:
    """Tell which proposals pass, by partial sums above and below the density."""
    total = _term(0, x)
    level = rng.random(len(x)) * total
    decided = np.zeros(len(x), dtype=np.bool_)
    passed = np.zeros(len(x), dtype=np.bool_)
    for k in range(1, 200):
        total = total + (-1.0) ** k * _term(k, x)
        if k % 2:
            now = ~decided & (level <= total)
            passed |= now
        else:
            now = ~decided & (level > total)
        decided |= now
        if decided.all():
            break
    return passed


def _term(k: int, x: Vector) -> Vector:
    half = k + 0.5
    small = 1.5 * np.log(2.0 / (np.pi * x)) - 2.0 * half**2 / x
    large = -0.5 * (half * np.pi) ** 2 * x
    return np.asarray(np.pi * half * np.exp(np.where(x <= CUT, small, large)))
