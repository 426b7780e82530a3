"""Adaptive rejection: draws of a log-concave law under an envelope that it teaches.

The logarithm of the density is concave, so that a chord through two of its points,
extended, lies above it. Pieces of chords make an envelope of exponentials; proposals
that are rejected join the points, and the envelope comes down.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.distributions._distribution import Distribution
from infimum.distributions._given import function, generator, numbers
from infimum.distributions.sampling.rejection import ROUNDING, Accepted
from infimum.errors import DataError
from infimum.parameters import check_domain, whole
from infimum.typing import Vector

__all__ = ["reject_adaptively"]

#: Points of the envelope, at most; and those that one round of proposals adds.
MOST_POINTS, PER_ROUND = 200, 20
#: How often an outer point moves outwards in search of a density that falls.
REACH = 60


def reject_adaptively(
    target: Distribution | Callable[[Vector], Vector],
    points: ArrayLike,
    n: int,
    ends: tuple[float, float] | None = None,
    random_state: Any = None,
) -> Accepted:
    """Draw from a law whose log-density is concave, known up to a constant.

    No derivative and no constant is asked for. A point that lies above the envelope
    shows that the log-density is not concave, and is refused by name.

    Parameters
    ----------
    target : Distribution, or callable
        The law, or the logarithm of its density at each of several numbers.
    points : array-like of three numbers or more
        Where the density is positive; from there the envelope finds its way.
    n : int
        How many draws to accept.
    ends : (float, float), optional
        Where the support begins and ends; a law knows its own, else all numbers.
    random_state : int, Generator or None

    References
    ----------
    Gilks (1992), Bayesian Statistics 4. Gilks & Wild (1992), Applied Statistics 41.

    Examples
    --------
    >>> from infimum.distributions import Gamma
    >>> found = reject_adaptively(Gamma(3.0), [1.0, 2.0, 4.0], 10_000, random_state=0)
    >>> abs(float(found.values.mean()) - 3.0) < 0.07, found.acceptance > 0.9
    (True, True)
    """
    check_domain("reject_adaptively.n", n, whole(1))
    low, high = -np.inf, np.inf
    logs_at = function(
        "reject_adaptively.target", getattr(target, "log_density", target)
    )
    if isinstance(target, Distribution):
        if target.discrete or target.event_axes:
            raise DataError("reject_adaptively draws numbers with a density.")
        low, high = target.ends
    low, high = ends or (low, high)
    rng = generator("reject_adaptively", random_state)
    envelope = _begun(logs_at, points, (float(low), float(high)))
    kept: list[Vector] = []
    found = tried = 0
    while found < n:
        size = int(np.clip(1.1 * (n - found), 50, 100_000))
        size = min(size, 20 * len(envelope.x))  # few, until the envelope is close
        y, heights = envelope.draw(size, rng)
        logs = np.asarray(logs_at(y), dtype=np.float64)
        _refuse_above(y, logs - heights)
        passed = np.log(rng.random(size)) <= logs - heights
        places = np.flatnonzero(passed)[: n - found]
        tried += int(places[-1]) + 1 if found + len(places) == n else size
        found += len(places)
        kept.append(y[places])
        if len(envelope.x) < MOST_POINTS:
            missed = np.flatnonzero(~passed & np.isfinite(logs))[:PER_ROUND]
            envelope = _Envelope.through(
                np.append(envelope.x, y[missed]),
                np.append(envelope.h, logs[missed]),
                envelope.ends,
            )
        elif not found:
            raise DataError(f"reject_adaptively: none of {tried:,} was accepted.")
    return Accepted(np.concatenate(kept), tried)


@dataclass(frozen=True, eq=False)
class _Envelope:
    """Lines over consecutive pieces [left, right]: height at `left`, and slope."""

    x: Vector
    h: Vector
    ends: tuple[float, float]
    left: Vector
    right: Vector
    at: Vector
    height: Vector
    slope: Vector

    @classmethod
    def through(cls, x: Vector, h: Vector, ends: tuple[float, float]) -> _Envelope:
        """Return the pieces of chords above a concave function through points."""
        order = np.unique(x, return_index=True)[1]
        x, h = x[order], h[order]
        chord = np.diff(h) / np.diff(x)
        # Over an interval the chord from the left meets the chord from the right.
        a, b = chord[:-2], chord[2:]
        x1, x2, h1, h2 = x[1:-2], x[2:-1], h[1:-2], h[2:-1]
        bends = a - b
        flat = bends <= 1e-12 * (np.abs(a) + np.abs(b))
        apart = (h2 - h1 - b * (x2 - x1)) / np.where(flat, 1.0, bends)
        meet = np.clip(np.where(flat, x2, x1 + apart), x1, x2)
        left = np.concatenate([[ends[0]], x[:1], x1, meet, x[-2:]])
        right = np.concatenate([x[:1], x[1:2], meet, x2, x[-1:], [ends[1]]])
        at = np.concatenate([x[:1], x[1:2], x1, x2, x[-2:]])
        height = np.concatenate([h[:1], h[1:2], h1, h2, h[-2:]])
        slope = np.concatenate([chord[:2], a, b, chord[-2:]])
        return cls(x, h, ends, left, right, at, height, slope)

    def draw(self, size: int, rng: Any) -> tuple[Vector, Vector]:
        """Draw from the exponentials under the lines; return the lines' heights too."""
        # Each piece is seen from its higher end, from which its exponential falls.
        down = self.slope <= 0
        top = np.where(down, self.left, self.right)
        width = self.right - self.left
        height = self.height + self.slope * (top - self.at)
        fall = np.abs(self.slope)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            steep = fall * width > 1e-9
            mass = np.where(steep, -np.expm1(-fall * width) / fall, width)
        mass = mass * np.exp(height - height.max())
        cell = rng.choice(len(mass), size, p=mass / mass.sum())
        u = rng.random(size)
        with np.errstate(divide="ignore", invalid="ignore"):
            whole_ = -np.expm1(-fall[cell] * width[cell])
            far = np.where(
                steep[cell], -np.log1p(-u * whole_) / fall[cell], u * width[cell]
            )
        y = np.where(down[cell], top[cell] + far, top[cell] - far)
        return y, height[cell] - fall[cell] * far


def _begun(
    logs_at: Callable[[Vector], Vector], points: ArrayLike, ends: tuple[float, float]
) -> _Envelope:
    x = np.unique(numbers("reject_adaptively.points", points))
    inside = x.ndim == 1 and len(x) > 2 and np.isfinite(x).all()  # noqa: PLR2004
    if not inside or x[0] < ends[0] or x[-1] > ends[1]:
        raise DataError(
            "reject_adaptively.points must be three different numbers or more of the "
            f"support, got {points!r}."
        )
    for end, side in ((ends[0], -1.0), (ends[1], 1.0)):
        step = float(x[-1] - x[0])
        for _ in range(REACH * bool(np.isinf(end))):
            edge = x[[0, 1]] if side < 0 else x[[-1, -2]]
            outer, inner = np.asarray(logs_at(edge), dtype=np.float64)
            _refuse_above(edge, np.minimum([outer, inner], 0.0))
            if outer < inner:
                break
            x = np.sort(np.append(x, edge[0] + side * step))
            step *= 2.0
        else:
            if np.isinf(end):
                raise DataError(
                    f"reject_adaptively: the density does not fall towards {end}."
                )
    h = np.asarray(logs_at(x), dtype=np.float64)
    x, h = x[np.isfinite(h)], h[np.isfinite(h)]
    if len(x) < 3:  # noqa: PLR2004
        raise DataError("reject_adaptively: the density is 0 at too many points.")
    return _Envelope.through(x, h, ends)


def _refuse_above(y: Vector, above: Vector) -> None:
    if np.isnan(above).any():
        raise DataError(
            f"reject_adaptively: the log-density is NaN at {y[np.isnan(above)][0]}."
        )
    if (above > ROUNDING * (1.0 + np.abs(above))).any():
        raise DataError(
            "reject_adaptively: the log-density is not concave, for it lies above a "
            f"chord at {y[int(np.argmax(above))]}."
        )
