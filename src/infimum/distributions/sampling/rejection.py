"""Rejection: draws of one law from those of another, or of a law inside a set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.distributions._distribution import Distribution
from infimum.distributions._given import function, generator, law, numbers
from infimum.errors import DataError
from infimum.parameters import Interval, check_domain, whole
from infimum.typing import Mask, Vector

__all__ = ["Accepted", "envelope_constant", "reject", "restrict"]

#: Proposals in a row without an acceptance after which the search ends.
PATIENCE = 10_000_000
#: How far rounding may lift a density above its envelope.
ROUNDING = 1e-9
#: How much the logarithm of a ratio may rise when its grid becomes 10,000 times finer.
STEADY = 1e-3
#: Standard errors by which chance does not miss a share.
UNLIKELY = 7.0


@dataclass(frozen=True, eq=False)
class Accepted:
    """Draws that were accepted, and how many proposals they took.

    Attributes
    ----------
    values : ndarray
    proposals : int
    """

    values: Vector
    proposals: int

    @property
    def acceptance(self) -> float:
        """The share of proposals that were accepted."""
        return len(self.values) / self.proposals

    @property
    def acceptance_error(self) -> float:
        """The standard error of that share."""
        rate = self.acceptance
        return float(np.sqrt(rate * (1.0 - rate) / self.proposals))


def restrict(
    proposal: Distribution | Callable[[int, Any], Vector],
    inside: Callable[[Vector], Mask],
    n: int,
    random_state: Any = None,
) -> Accepted:
    """Draw from a law given that the value lies in a set.

    Parameters
    ----------
    proposal : Distribution, or callable of (n, generator)
        Where proposals come from.
    inside : callable
        Tells for each proposal whether it lies in the set.
    n : int
        How many draws to accept.

    Examples
    --------
    >>> from infimum.distributions import Normal
    >>> found = restrict(Normal(), lambda y: y > 1.0, 1000, random_state=0)
    >>> float(found.values.min()) > 1.0, round(found.acceptance, 2)
    (True, 0.16)
    """
    function("restrict.inside", inside)
    return _accepted(proposal, lambda y, _: inside(y), n, random_state)


def reject(
    target: Distribution,
    proposal: Distribution,
    constant: float,
    n: int,
    random_state: Any = None,
) -> Accepted:
    """Draw from `target` by accepting proposals x with probability p(x)/(c q(x)).

    The envelope c·q must not lie below the density p. Where a proposal shows that it
    does, the run is refused with the point: its draws would follow another law. A
    proposal that never comes where the target lives is refused, too: it accepts fewer
    than one of c.

    Examples
    --------
    >>> from infimum.distributions import Beta, Uniform
    >>> found = reject(Beta(2.0, 5.0), Uniform(), 2.4576, 10_000, random_state=0)
    >>> abs(found.acceptance - 1 / 2.4576) < 4 * found.acceptance_error
    True
    """
    law("reject.target", target)
    if constant not in Interval(1.0 - ROUNDING, np.inf):
        raise DataError(f"reject.constant must be at least 1, got {constant!r}.")

    def test(y: Vector, rng: Any) -> Mask:
        with np.errstate(invalid="ignore"):
            logs = target.log_density(y) - proposal.log_density(y) - np.log(constant)
        if (logs > ROUNDING).any():
            worst = np.asarray(y)[int(np.argmax(logs))]
            raise DataError(
                f"reject: the envelope is too low at {worst!s}, by a factor of "
                f"{np.exp(logs.max()):.4g}; raise the constant."
            )
        return np.asarray(np.log(rng.random(len(logs))) <= logs)

    found = _accepted(proposal, test, n, random_state)
    rate = 1.0 / constant
    error = np.sqrt(rate * (1.0 - rate) / found.proposals) + 1.0 / found.proposals
    if found.acceptance < rate - UNLIKELY * error:
        raise DataError(
            f"reject: {found.acceptance:.4g} of the proposals were accepted instead of "
            f"1/c = {rate:.4g}; the envelope misses a part of the target."
        )
    return found


def envelope_constant(
    target: Distribution, proposal: Distribution, low: float, high: float
) -> tuple[float, float]:
    """Return the least c with c·q ≥ p between two numbers, and where they touch.

    The ratio is looked at on a grid of 20,001 points, then refined around the best.

    Examples
    --------
    >>> from infimum.distributions import Beta, Uniform
    >>> constant, place = envelope_constant(Beta(2.0, 5.0), Uniform(), 0.0, 1.0)
    >>> round(constant, 4), round(place, 3)
    (2.4576, 0.2)
    """
    law("envelope_constant.target", target, scalar=True)
    law("envelope_constant.proposal", proposal, scalar=True)
    first, last = numbers("envelope_constant", [low, high])
    if not (np.isfinite(first) and np.isfinite(last) and first < last):
        raise DataError(
            f"envelope_constant takes low below high, got {low!r} and {high!r}."
        )
    before = -np.inf
    for _ in range(4):
        grid = np.linspace(low, high, 20_001)
        with np.errstate(invalid="ignore"):
            logs = target.log_density(grid) - proposal.log_density(grid)
        logs = np.where(np.isnan(logs), -np.inf, logs)
        best = int(np.argmax(logs))
        risen, before = logs[best] - before, logs[best]
        step = (high - low) / 20_000
        low, high = max(grid[best] - step, low), min(grid[best] + step, high)
    if np.isposinf(logs[best]):
        raise DataError(
            f"envelope_constant: the proposal never draws {grid[best]:g}, which the "
            "target does."
        )
    if risen > STEADY:
        raise DataError(
            f"envelope_constant: the ratio of the densities still rises at "
            f"{grid[best]:g}; it may have no bound."
        )
    return float(np.exp(logs[best])), float(grid[best])


def _accepted(
    proposal: Any, test: Callable[[Vector, Any], Mask], n: int, random_state: Any
) -> Accepted:
    check_domain("sampling.n", n, whole(1))
    n, rng = int(n), generator("sampling", random_state)
    known = isinstance(proposal, Distribution)
    draw = proposal.sample if known else function("sampling.proposal", proposal)
    parts: list[Vector] = []
    found = tried = 0
    while found < n:
        size = int(
            min(max(1000, 1.2 * (n - found) * max(tried, 1) / max(found, 1)), 1e6)
        )
        y = np.asarray(draw(size, rng))
        passed = np.asarray(test(y, rng))
        if passed.dtype != np.bool_ or passed.shape != y.shape[:1]:
            raise DataError(
                "sampling: the set must answer yes or no for each proposal, "
                f"got {passed.dtype} of the shape {passed.shape} for {len(y)}."
            )
        kept = np.flatnonzero(passed)[: n - found]
        last = kept[-1] + 1 if found + len(kept) == n else size
        tried += int(last)
        found += len(kept)
        parts.append(y[kept])
        if not found and tried > PATIENCE:
            raise DataError(
                f"sampling: none of {tried:,} proposals was accepted; the set may have "
                "probability 0."
            )
    return Accepted(np.concatenate(parts), tried)
