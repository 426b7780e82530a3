"""Chains of a sampler in lock-step, with a budget, a callback, and Ctrl-C."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from infimum.distributions._given import function, generator
from infimum.distributions.sampling.draws import Draws
from infimum.errors import DataError
from infimum.limits import end_after
from infimum.parameters import check_domain, check_domains, positive, whole

__all__ = ["ChainSampler", "State"]

Points = NDArray[np.float64]


@dataclass
class State:
    """Where all chains are after a step, and what it cost."""

    points: Points
    accepted: NDArray[Any]
    diverged: NDArray[Any]


@dataclass(frozen=True)
class ChainSampler(ABC):
    """A way to draw from a density that is known up to a factor.

    All chains move together, so that their densities are one call: the density takes
    an array of shape (chains, d) and returns one logarithm for each row.
    """

    draws: int = field(default=1000, metadata={"domain": whole(4)})
    warmup: int = field(default=1000, metadata={"domain": whole(0)})

    def __post_init__(self) -> None:
        check_domains(self)

    def sample(
        self,
        target: Any,
        start: ArrayLike,
        *,
        names: tuple[str, ...] = (),
        max_seconds: float | None = None,
        callback: Callable[[int, Points], bool | None] | None = None,
        random_state: Any = None,
    ) -> Draws:
        """Run the chains from the rows of `start`; return the draws after the warm-up.

        Parameters
        ----------
        target : callable, or what the sampler asks for
            The log-density.
        start : array-like of shape (chains, d)
            Where each chain starts; its density must not be 0.
        names : tuple of str, optional
            Names of the d parameters.
        max_seconds : float, optional
            When to stop with the draws so far.
        callback : callable, optional
            Called after every step with the number of draws, 0 in the warm-up, and the
            points of all chains; returning True stops.
        random_state : int, Generator or None
            The same seed gives the same draws.
        """
        points = self._started(start)
        if callback is not None:
            function(f"{type(self).__name__}.callback", callback)
        if max_seconds is not None:
            check_domain(f"{type(self).__name__}.max_seconds", max_seconds, positive)
        rng = generator(type(self).__name__, random_state)
        run, limit = self._run(target, points, rng), end_after(max_seconds)
        return self._collected(run, points.shape, names, limit, callback)

    def _started(self, start: ArrayLike) -> Points:
        """Return the rows that chains start from, or say what is wrong with them."""
        rule = (
            f"{type(self).__name__}.start must have a row of finite numbers for each "
            "chain, got "
        )
        try:
            points = np.array(start, dtype=np.float64)
        except (TypeError, ValueError):
            raise DataError(f"{rule}{start!r}.") from None
        if points.ndim != 2 or not points.size:  # noqa: PLR2004
            raise DataError(f"{rule}the shape {points.shape}.")
        if not np.isfinite(points).all():
            chain = int(np.argmin(np.isfinite(points).all(axis=1)))
            raise DataError(f"{rule}{points[chain].tolist()} for chain {chain}.")
        return points

    @abstractmethod
    def _run(
        self, target: Any, points: Points, rng: Any
    ) -> Generator[State, None, None]:
        """Yield the state of all chains after every step, the warm-up first."""

    def _collected(
        self,
        run: Generator[State, None, None],
        shape: tuple[int, ...],
        names: tuple[str, ...],
        limit: float,
        callback: Callable[[int, Points], bool | None] | None,
    ) -> Draws:
        kept = np.empty((shape[0], int(self.draws), shape[1]))
        accepted, diverged = np.zeros(shape[0]), np.zeros(shape[0], dtype=np.intp)
        made, reason = 0, "all draws made"
        try:
            for step, state in enumerate(run):
                if step >= self.warmup:
                    kept[:, made] = state.points
                    accepted += state.accepted
                    diverged += state.diverged
                    made += 1
                if callback is not None and callback(made, state.points):
                    reason = "stopped by the callback"
                    break
                if time.perf_counter() > limit:
                    reason = "time limit"
                    break
                if made == self.draws:
                    break
        except KeyboardInterrupt:
            reason = "interrupted"
        return Draws(kept[:, :made], names, accepted / max(made, 1), diverged, reason)


def checked(owner: str, logs: Any, points: Points, *, first: bool = False) -> Any:
    """Return log-densities; refuse NaN, ∞, and a start where the density is 0."""
    found = np.asarray(logs, dtype=np.float64)
    if found.shape != points.shape[:1]:
        raise DataError(
            f"{owner}: the log-density must return one number for each of "
            f"{len(points)} rows, got the shape {found.shape}."
        )
    if np.isnan(found).any():
        place = points[int(np.argmax(np.isnan(found)))].tolist()
        raise DataError(f"{owner}: the log-density is NaN at {place}.")
    if np.isposinf(found).any():
        place = points[int(np.argmax(np.isposinf(found)))].tolist()
        raise DataError(f"{owner}: the density is infinite at {place}.")
    if first and np.isneginf(found).any():
        chain = int(np.argmax(np.isneginf(found)))
        raise DataError(
            f"{owner}: chain {chain} starts at {points[chain].tolist()}, where the "
            "density is 0."
        )
    return found
