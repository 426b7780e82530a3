"""Metropolis: propose a step, accept it by the ratio of densities."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.compiled.threads import one_blas_thread
from infimum.distributions._given import function, numbers
from infimum.distributions.sampling.chains import (
    ChainSampler,
    Points,
    State,
    checked,
)
from infimum.errors import DataError

__all__ = ["Gibbs", "Metropolis"]

#: The share of normal proposals that is best accepted in many dimensions.
BEST_ACCEPTANCE = 0.234
#: Proposals in a row that chance does not refuse if steps are about as long as the law.
IDLE = 50


@dataclass(frozen=True)
class Metropolis(ChainSampler):
    """Random-walk Metropolis whose steps take the shape of the law in the warm-up.

    Attributes
    ----------
    draws, warmup : int
        Draws kept of each chain, and steps before them.

    Examples
    --------
    >>> import numpy as np
    >>> sampler = Metropolis(draws=2000, warmup=500)
    >>> found = sampler.sample(
    ...     lambda x: -0.5 * (x**2).sum(axis=1), np.zeros((4, 1)), random_state=0
    ... )
    >>> found.values.shape, bool(abs(found.values.mean()) < 0.15)
    ((4, 2000, 1), True)
    """

    def _run(
        self, target: Any, points: Points, rng: Any
    ) -> Generator[State, None, None]:
        owner, (chains, d) = type(self).__name__, points.shape
        here = checked(
            owner, function(f"{owner}.target", target)(points), points, first=True
        )
        best = 2.38 / np.sqrt(d)
        lower, scale, idle = np.eye(d), best, 0
        seen: list[Points] = []
        never = np.zeros(chains, dtype=np.bool_)
        step = 0
        while True:
            with one_blas_thread():  # the same steps, however many threads it has
                there = points + scale * rng.standard_normal((chains, d)) @ lower.T
            logs = checked(owner, target(there), there)
            taken = np.log(rng.random(chains)) < logs - here
            points = np.where(taken[:, None], there, points)
            here = np.where(taken, logs, here)
            step += 1
            if step <= self.warmup:
                scale *= np.exp((taken.mean() - BEST_ACCEPTANCE) / np.sqrt(step))
                idle = 0 if taken.any() else idle + chains
                scale *= 0.5 if idle > IDLE else 1.0
                seen.append(points)
                if step % 100 == 0 and 2 * step <= self.warmup + 100:
                    lower = _shape(np.concatenate(seen[len(seen) // 2 :]), lower)
                    scale = scale if best / 99 < scale < best * 99 else best
            yield State(points, taken, never)


@dataclass(frozen=True)
class Gibbs(ChainSampler):
    """Gibbs: draw each part from its law given the others, in turn.

    The target is a list of functions of (points, generator). Each returns new points,
    of which it has drawn some columns given the others.

    Examples
    --------
    >>> import numpy as np
    >>> def first(x, rng):
    ...     new = 0.8 * x[:, 1] + 0.6 * rng.normal(size=len(x))
    ...     return np.column_stack([new, x[:, 1]])
    >>> def second(x, rng):
    ...     return first(x[:, ::-1], rng)[:, ::-1]
    >>> sampler = Gibbs(draws=2000)
    >>> found = sampler.sample([first, second], np.zeros((4, 2)), random_state=0)
    >>> round(float(np.corrcoef(found.pooled.T)[0, 1]), 1)
    0.8
    """

    def _run(
        self, target: Any, points: Points, rng: Any
    ) -> Generator[State, None, None]:
        owner, shape = type(self).__name__, points.shape
        always = np.ones(len(points), dtype=np.bool_)
        parts = [function(f"{owner}.target", each) for each in _listed(owner, target)]
        while True:
            for k, part in enumerate(parts):
                points = numbers(f"{owner}: part {k}", part(points, rng))
                if points.shape != shape or not np.isfinite(points).all():
                    got = points.tolist() if points.shape == shape else points.shape
                    raise DataError(
                        f"{owner}: part {k} must return finite points of the shape "
                        f"{shape}, got {got}."
                    )
            yield State(points, always, ~always)


def _listed(owner: str, target: Any) -> list[Any]:
    parts = list(target) if isinstance(target, list | tuple) else []
    if not parts:
        raise DataError(
            f"{owner}.target must be a list of functions of (points, generator), got "
            f"{target!r}."
        )
    return parts


def _shape(points: Points, before: Any) -> Any:
    """Return the Cholesky factor of the covariance of points, a little rounded."""
    with one_blas_thread():
        covariance = np.atleast_2d(np.cov(points.T))
        size = float(np.trace(covariance)) / len(covariance)
        if not size > 0:
            return before
        try:
            rounded = covariance + 1e-6 * size * np.eye(len(covariance))
            return np.linalg.cholesky(rounded)
        except np.linalg.LinAlgError:
            return before
