"""Mixtures of any family by expectation and maximisation."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from infimum.distributions._distribution import Distribution
from infimum.distributions._given import function, generator
from infimum.distributions.mixture import Mixture
from infimum.errors import DataError, InfimumError
from infimum.limits import end_after
from infimum.parameters import check_domain, nonnegative, positive, whole
from infimum.typing import Vector

__all__ = ["MixtureFit", "fit_mixture"]


@dataclass(frozen=True, eq=False)
class MixtureFit:
    """A mixture found by EM.

    Attributes
    ----------
    law : Mixture
    log_likelihoods : tuple of float
        The mean log-likelihood after each iteration of the best start; never falls.
    starts : tuple of float
        Where each start ended.
    reason : str
        Why the run ended.
    """

    law: Mixture
    log_likelihoods: tuple[float, ...]
    starts: tuple[float, ...]
    reason: str


def fit_mixture(
    kind: type[Distribution],
    n_components: int,
    y: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    n_init: int = 5,
    max_iter: int = 500,
    tol: float = 1e-9,
    max_seconds: float | None = None,
    callback: Callable[[int, float], bool | None] | None = None,
    random_state: Any = None,
) -> MixtureFit:
    """Fit a mixture of laws of one kind, from several starts; keep the likeliest.

    Each iteration asks how probable every law is for every value, then refits each law
    with these weights. The likelihood never falls. Ctrl-C, the callback and the time
    limit return the best mixture so far.

    Parameters
    ----------
    kind : type of Distribution
        Any law of this room with a `fit`.
    n_components : int
    y : array-like
    sample_weight : array-like, optional
        A weight of k means the same as k copies of the value.
    n_init : int, default=5
        Random starts.
    max_iter : int, default=500
        Most iterations of a start.
    tol : float, default=1e-9
        Stop when the mean log-likelihood rises by less.
    max_seconds : float, optional
    callback : callable, optional
        Called with iteration and mean log-likelihood; returning True stops.
    random_state : int, Generator or None

    Examples
    --------
    >>> from infimum.distributions import Poisson
    >>> y = [0, 1, 0, 2, 1, 20, 25, 22, 19, 1]
    >>> law = fit_mixture(Poisson, 2, y, random_state=0).law
    >>> sorted(round(each.rate, 2) for each in law.laws)
    [0.83, 21.5]
    """
    check_domain("fit_mixture.n_components", n_components, whole(1))
    check_domain("fit_mixture.n_init", n_init, whole(1))
    check_domain("fit_mixture.max_iter", max_iter, whole(1))
    check_domain("fit_mixture.tol", tol, nonnegative)
    _refuse_unless_usable(kind, max_seconds, callback)
    values, weights = kind._accepted(y, sample_weight)
    if len(np.unique(values, axis=0)) < n_components:
        raise DataError(
            f"fit_mixture needs {n_components} different values, one for each law."
        )
    limits = (int(max_iter), tol, end_after(max_seconds))
    run = _Run(kind, values, weights, limits, callback)
    rng = generator("fit_mixture", random_state)
    ends = []
    for _ in range(int(n_init)):
        try:
            ends.append(run.climb(_first(rng, values, int(n_components))))
        except KeyboardInterrupt:
            run.reason = "interrupted"
        if run.reason in ("interrupted", "stopped by the callback", "time limit"):
            break
    if run.best is None:
        raise DataError("fit_mixture: no start led to a mixture; use fewer laws.")
    return MixtureFit(run.best, tuple(run.history), tuple(ends), run.reason)


def _refuse_unless_usable(kind: Any, max_seconds: Any, callback: Any) -> None:
    if not (isinstance(kind, type) and issubclass(kind, Distribution)):
        raise DataError(f"fit_mixture.kind must be a class of laws, got {kind!r}.")
    if max_seconds is not None:
        check_domain("fit_mixture.max_seconds", max_seconds, positive)
    if callback is not None:
        function("fit_mixture.callback", callback)


class _Run:
    """The best mixture so far, and when to stop."""

    def __init__(
        self,
        kind: type[Distribution],
        y: Vector,
        weights: Vector,
        limits: tuple[int, float, float],
        callback: Callable[[int, float], bool | None] | None,
    ) -> None:
        self.kind, self.y, self.weights = kind, y, weights
        self.max_iter, self.tol, self.deadline = limits
        self.callback = callback
        self.best: Mixture | None = None
        self.history: list[float] = []
        self.reason = "the likelihood settled"

    def climb(self, shares: Any) -> float:
        """Alternate from responsibilities; return the last mean log-likelihood."""
        heights: list[float] = []
        for iteration in range(self.max_iter):
            try:
                law = self._refitted(shares)
            except InfimumError:
                break  # a law was left with too few values: this start has ended
            joint = law.joint_log_density(self.y)
            logs = logsumexp(joint, axis=0)
            height = float(self.weights @ logs)
            if heights and height < heights[-1]:
                break  # rounding
            heights.append(height)
            if not self.history or height > self.history[-1]:
                self.best, self.history = law, list(heights)
            if self._ended(heights, iteration):
                break
            shares = np.exp(joint - logs)
        return heights[-1] if heights else -np.inf

    def _ended(self, heights: list[float], iteration: int) -> bool:
        if self.callback is not None and self.callback(iteration, heights[-1]):
            self.reason = "stopped by the callback"
            return True
        if time.perf_counter() > self.deadline:
            self.reason = "time limit"
            return True
        return len(heights) > 1 and heights[-1] - heights[-2] <= self.tol

    def _refitted(self, shares: Any) -> Mixture:
        pulled = shares * self.weights
        masses = pulled.sum(axis=1)
        laws = tuple(self.kind.fit(self.y, pull) for pull in pulled)
        return Mixture(laws, tuple((masses / masses.sum()).tolist()))


def _first(rng: Any, y: Vector, count: int) -> Any:
    """Return soft responsibilities by the distance to values drawn as centres."""
    rows = y.reshape(len(y), -1)
    different = np.unique(rows, axis=0)
    centres = different[rng.choice(len(different), size=count, replace=False)]
    spread = rows.var(axis=0) + 1e-300
    far = ((rows[None] - centres[:, None]) ** 2 / spread).sum(axis=2)
    near = np.exp(-2.0 * count * (far - far.min(axis=0)))
    return near / near.sum(axis=0)
