"""Sums, integrals and searches that answer for a law which knows its density only."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.typing import Vector

__all__ = ["accumulated", "atoms", "bisected", "expectation", "transformed"]

#: Levels at which an integral over a support is cut into pieces.
CUTS = (1e-9, 1e-4, 0.05, 0.5, 0.95, 1.0 - 1e-4, 1.0 - 1e-9)
MOST_ATOMS = 20_000_000
#: How far from 1 the integral of a density may be that is known exactly, or roughly.
SEEN, ROUGH = 1e-7, 1e-3
#: The error of an integral that may be left where quadrature tells of rounding.
LOOSE = 1e-5


def expectation(law: Any, function: Callable[[Any], Any]) -> tuple[float, float]:
    """Return E[f(Y)] and a bound on its numerical error."""
    if law.discrete:
        values = law.atoms()
        shares = law.density(values)
        terms = shares * function(values)
        rest = abs(1.0 - float(shares.sum())) * float(np.abs(function(values[-1:]))[0])
        return float(terms.sum()), rest + 1e-16 * float(np.abs(terms).sum())

    def weighed(y: float) -> float:
        share = float(law.density(np.array([y]))[0])
        return share * float(np.ravel(function(np.float64(y)))[0]) if share else 0.0

    def at_level(u: float) -> float:
        return float(np.ravel(function(np.float64(law.quantile(u))))[0])

    from infimum.distributions._distribution import Distribution

    known = type(law)._quantile is not Distribution._quantile
    try:
        missed = _missed(law)
        if missed <= (SEEN if known else ROUGH):
            return _integral(law, weighed, _places(law))
        told = DataError(f"Quadrature misses {missed:.2g} of the density of {law!r}.")
    except DataError as error:
        told = error
    if not known:
        raise told
    return _integral(law, at_level, [0.0, *CUTS, 1.0])


def _missed(law: Any) -> float:
    """Return what quadrature does not see of a density that is steep at an end."""
    if "_missed" not in law.__dict__:
        total = _integral(law, lambda y: float(law.density(y)), _places(law))[0]
        law.__dict__["_missed"] = abs(total - 1.0)
    return float(law.__dict__["_missed"])


def transformed(law: Any, omega: Vector) -> Any:
    """Return E[exp(iωY)] by summation or quadrature."""
    flat = np.ravel(omega)
    if law.discrete:
        values = law.atoms()
        waves = np.exp(1j * np.multiply.outer(flat, values)) @ law.density(values)
        return waves.reshape(omega.shape)
    parts = [
        complex(
            expectation(law, lambda y, w=w: np.cos(w * y))[0],  # type: ignore[misc]
            expectation(law, lambda y, w=w: np.sin(w * y))[0],  # type: ignore[misc]
        )
        for w in flat.tolist()
    ]
    return np.array(parts, dtype=np.complex128).reshape(omega.shape)


def accumulated(law: Any, y: Vector) -> Vector:
    """Return P(Y ≤ y) from the density alone."""
    if law.discrete:
        low = law.ends[0]
        grid = np.arange(low, y.max(initial=low) + 1.0)
        sums = np.minimum(np.cumsum(law.density(grid)), 1.0)
        return np.asarray(sums[(y - low).astype(np.intp)])
    from scipy.integrate import quad

    low = law.ends[0]
    found = [
        quad(lambda t: float(law.density([t])[0]), low, end, limit=200)[0]
        for end in y.tolist()
    ]
    return np.clip(found, 0.0, 1.0)


def bisected(law: Any, q: Vector) -> Vector:
    """Return the least x with P(Y ≤ x) ≥ q by doubling and halving a bracket."""
    low, high = _bracket(law, q)
    for _ in range(2100):
        middle = np.floor(0.5 * (low + high)) if law.discrete else 0.5 * (low + high)
        done = (middle <= low) | (middle >= high)
        if done.all():
            break
        above = law.cdf(middle) >= q
        high = np.where(above & ~done, middle, high)
        low = np.where(~above & ~done, middle, low)
    return np.asarray(high)


def atoms(law: Any, beyond: float) -> Vector:
    """Return whole numbers from the least on, until the rest is rarer than `beyond`."""
    low, high = law.ends
    if not np.isfinite(high):
        high = float(law.quantile(1.0 - 1e-9))
        while float(law.density([np.floor(high)])[0]) > beyond:
            high = 1.2 * high + 20.0
            if high - low > MOST_ATOMS:
                raise DataError(
                    f"{law!r} spreads over more than {MOST_ATOMS:,} values."
                )
    return np.arange(low, np.floor(high) + 1.0)


def _bracket(law: Any, q: Vector) -> tuple[Vector, Vector]:
    """Return values below and at or above the quantiles."""
    first, last = law.ends
    step = 1.0
    low = np.full(q.shape, first - 1.0 if law.discrete else max(first, -1.0))
    high = np.full(q.shape, min(last, max(first, 0.0) + 1.0))
    while (short := law.cdf(high) < q).any():
        step *= 2.0
        low = np.where(short, high, low)
        high = np.where(short, np.minimum(high + step, last), high)
    step = 1.0
    while np.isneginf(first) and (long := law.cdf(low) >= q).any():
        step *= 2.0
        low = np.where(long, low - step, low)
    return low, high


def _places(law: Any) -> list[float]:
    """Return the ends of the support, and the quantiles between them."""
    first, last = law.ends
    inner = np.unique(law.quantile(np.array(CUTS)))
    return [first, *inner[(inner > first) & (inner < last)].tolist(), last]


def _integral(
    law: Any, weighed: Callable[[float], float], cuts: list[float]
) -> tuple[float, float]:
    from scipy.integrate import quad

    total = error = 0.0
    for k, (left, right) in enumerate(pairwise(cuts)):
        with np.errstate(over="ignore"):
            part, doubt, *told = quad(weighed, left, right, limit=400, full_output=1)
        # Between the tails trouble may only mean that rounding hides the last digits.
        allowed = LOOSE * (1.0 + abs(part)) if 0 < k < len(cuts) - 2 else 0.0
        if len(told) > 1 and not doubt <= allowed:
            raise DataError(
                f"The expectation under {law!r} may not exist: its integral does "
                f"not converge between {left:g} and {right:g}."
            )
        total, error = total + part, error + doubt
    return total, error
