"""Hamiltonian Monte Carlo: follow the gradient, then accept by the energy."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.distributions._given import function
from infimum.distributions.sampling.chains import (
    ChainSampler,
    Points,
    State,
    checked,
)
from infimum.errors import DataError
from infimum.parameters import opened, positive, whole

__all__ = ["Hamiltonian"]

#: An energy error beyond which a trajectory cannot be trusted.
DIVERGENT = 1000.0
#: An energy error of one step that shows how wide a law is, and units tried in search
#: of it.
EXACT, UNITS = 0.01, 60
#: How many lengths of a trajectory its end may lie from its start in each direction.
REACH = 10.0


@dataclass(frozen=True)
class Hamiltonian(ChainSampler):
    """Hamiltonian Monte Carlo with adapted steps and scales.

    The target returns the log-density and its gradient, of shapes (chains,) and
    (chains, d), so that the gradients of all chains are one matrix product. In the
    warm-up the step is adapted to the acceptance asked for, and each parameter is
    measured in its own standard deviation. The length of a trajectory is random.

    Attributes
    ----------
    draws, warmup : int
        Draws kept of each chain, and steps before them.
    acceptance : float
        The share of trajectories that is to be accepted.
    length : float
        The longest trajectory, in standard deviations.
    most_steps : int
        The most gradients of a trajectory.
    rotate : bool
        For a target close to the standard normal law: that part of its motion, a
        rotation, is exact, and steps go wrong only by what the target differs from it.
        Scales are not adapted then.

    Examples
    --------
    >>> import numpy as np
    >>> def normal(x):
    ...     return -0.5 * (x**2).sum(axis=1), -x
    >>> found = Hamiltonian(draws=500, warmup=300).sample(
    ...     normal, np.zeros((4, 3)), random_state=0
    ... )
    >>> bool(found.summary().rhat.max() < 1.03)
    True
    """

    acceptance: float = field(default=0.8, metadata={"domain": opened(0, 1)})
    length: float = field(default=3.0, metadata={"domain": positive})
    most_steps: int = field(default=256, metadata={"domain": whole(1)})
    rotate: bool = False

    def _run(
        self, target: Any, points: Points, rng: Any
    ) -> Generator[State, None, None]:
        owner = type(self).__name__
        here, slope = _both(owner, function(f"{owner}.target", target)(points), points)
        unit = 1.0 if self.rotate else _first_unit(target, points, here, slope)
        scale, pace = np.full(points.shape[1], unit), _Pace(self.acceptance)
        seen: list[Points] = []
        step = 0
        while True:
            size = pace.step if step < self.warmup else pace.settled
            size, count = self._steps(size, rng)
            pushed = rng.standard_normal(points.shape)
            there, logs, bend, pulled = self._leap(
                target, points, slope, pushed, size, scale, count
            )
            with np.errstate(over="ignore", invalid="ignore"):
                before = here - 0.5 * (pushed**2).sum(axis=1)
                change = logs - 0.5 * (pulled**2).sum(axis=1) - before
            change = np.where(np.isfinite(change), change, -np.inf)
            taken = np.log(rng.random(len(points))) < change
            points = np.where(taken[:, None], there, points)
            here = np.where(taken, logs, here)
            slope = np.where(taken[:, None], bend, slope)
            step += 1
            if step <= self.warmup:
                pace.learn(float(np.exp(np.minimum(change, 0.0)).mean()))
                seen.append(points)
                if step in (self.warmup // 4, self.warmup // 2) and not self.rotate:
                    scale = _spread(np.concatenate(seen[len(seen) // 2 :]), scale)
                    pace.restart()
            yield State(points, taken, change < -DIVERGENT)

    def _steps(self, size: float, rng: Any) -> tuple[float, int]:
        """Return steps of equal size, and their number, for a random length."""
        longest = self.length * rng.uniform(0.2, 1.0)
        count = int(np.clip(np.ceil(longest / size), 1, self.most_steps))
        return min(size, longest / count), count

    def _leap(
        self,
        target: Any,
        points: Points,
        slope: Any,
        pushed: Any,
        size: float,
        scale: Any,
        count: int,
    ) -> tuple[Points, Any, Any, Any]:
        """Return the end of a trajectory by leapfrog steps, in scaled parameters."""
        there, bend = points, slope
        with np.errstate(over="ignore", invalid="ignore"):
            moved = pushed + 0.5 * size * scale * self._force(there, bend)
            for k in range(count):
                if self.rotate:
                    turned = np.cos(size) * there + np.sin(size) * moved
                    moved = np.cos(size) * moved - np.sin(size) * there
                    there = turned
                else:
                    there = there + size * scale * moved
                logs, bend = target(there)
                self._refuse_nan(np.asarray(logs), bend, there, points, scale)
                share = 1.0 if k < count - 1 else 0.5
                moved = moved + share * size * scale * self._force(there, bend)
        return there, np.asarray(logs, dtype=np.float64), np.asarray(bend), moved

    def _refuse_nan(
        self, logs: Any, bend: Any, there: Points, points: Points, scale: Any
    ) -> None:
        """Refuse NaN within the reach of a trajectory; one that diverged goes on."""
        # Where the density is 0 nobody asks for its gradient.
        flat = np.isfinite(logs) & np.isnan(bend).any(axis=1)
        broken = np.isnan(logs) | flat
        if not broken.any():
            return
        near = (np.abs(there - points) <= REACH * self.length * scale).all(axis=1)
        for chain in np.flatnonzero(broken & near):
            what = "log-density" if np.isnan(logs[chain]) else "gradient"
            raise DataError(
                f"{type(self).__name__}: the {what} is NaN at {there[chain].tolist()}."
            )

    def _force(self, there: Points, bend: Any) -> Any:
        """Return what the kicks follow: the gradient, less that of the rotation."""
        return bend + there if self.rotate else bend


def _both(owner: str, found: Any, points: Points) -> tuple[Any, Any]:
    """Return log-densities and gradients at the start, if the target gave both."""
    given = isinstance(found, tuple) and len(found) == 2  # noqa: PLR2004
    if not given or np.shape(found[1]) != points.shape:
        got = f"the shape {np.shape(found[1])}" if given else "one result"
        raise DataError(
            f"{owner}: the target must return log-densities and gradients of the shape "
            f"{points.shape}, got {got}."
        )
    logs = checked(owner, found[0], points, first=True)
    slopes = np.asarray(found[1], dtype=np.float64)
    if np.isnan(slopes).any():
        place = points[int(np.argmax(np.isnan(slopes).any(axis=1)))].tolist()
        raise DataError(f"{owner}: the gradient is NaN at {place}.")
    return logs, slopes


def _first_unit(target: Any, points: Points, here: Any, slope: Any) -> float:
    """Return 1, or a larger unit in which one step still has hardly an error.

    A law that is 10¹⁰ wide would else look flat until the warm-up is over.
    """
    unit, pushed = 1.0, np.where(np.indices(points.shape).sum(axis=0) % 2, 1.0, -1.0)
    before = here - 0.5 * (pushed**2).sum(axis=1)
    for _ in range(UNITS):
        wider = 4.0 * unit
        with np.errstate(over="ignore", invalid="ignore"):
            half = pushed + 0.5 * wider * slope
            logs, bend = target(points + wider * half)
            pulled = half + 0.5 * wider * np.asarray(bend)
            change = np.asarray(logs) - 0.5 * (pulled**2).sum(axis=1) - before
        if not (np.abs(change) < EXACT).all():
            return unit
        unit = wider
    return 1.0


class _Pace:
    """The step of dual averaging (Hoffman and Gelman, 2014)."""

    def __init__(self, acceptance: float) -> None:
        self.acceptance, self.step = acceptance, 0.1
        self.restart()

    def restart(self) -> None:
        """Forget the past; the step of now is where to start."""
        self.anchor = np.log(10.0 * self.step)
        self.count, self.error, self.average = 0, 0.0, np.log(self.step)

    def learn(self, accepted: float) -> None:
        """Lengthen the step if more was accepted than asked for."""
        self.count += 1
        weight = 1.0 / (self.count + 10.0)
        self.error += weight * (self.acceptance - accepted - self.error)
        log_step = self.anchor - np.sqrt(self.count) / 0.05 * self.error
        share = self.count**-0.75
        self.average = share * log_step + (1.0 - share) * self.average
        self.step = float(np.exp(np.clip(log_step, -30.0, 10.0)))

    @property
    def settled(self) -> float:
        """The averaged step, for draws that are kept."""
        return float(np.exp(self.average))


def _spread(points: Points, before: Any) -> Any:
    """Return the standard deviation of each parameter, pulled towards the last one."""
    found = points.std(axis=0)
    return np.where(found > 0, 0.9 * found + 0.1 * np.minimum(before, found), before)
