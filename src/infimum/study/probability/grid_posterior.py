"""Bayes' rule on a grid: prior, joint, evidence and posterior of any one parameter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from infimum.distributions._distribution import Distribution
from infimum.distributions._given import function, generator, law, numbers
from infimum.errors import DataError
from infimum.parameters import Choice, Interval, check_domain, opened, whole
from infimum.typing import Vector

__all__ = ["GridPosterior", "decide_by_draws", "grid_posterior"]

#: The name of a loss, or a function of action and parameter.
Loss: TypeAlias = str | Callable[[Any, Any], Any]


@dataclass(frozen=True, eq=False)
class GridPosterior:
    """Prior and likelihood of a parameter at the points of a grid.

    Attributes
    ----------
    points : ndarray
        Values of the parameter, increasing.
    log_prior : ndarray
        log p(θ) at each.
    log_likelihood : ndarray
        log p(D | θ) at each.
    """

    points: Vector
    log_prior: Vector
    log_likelihood: Vector

    @property
    def log_joint(self) -> Vector:
        """The joint density log p(D, θ) = log p(D | θ) + log p(θ)."""
        return self.log_likelihood + self.log_prior

    @property
    def log_evidence(self) -> float:
        """The logarithm of p(D), the integral of the joint by the trapezoid rule."""
        return float(logsumexp(self.log_joint, b=self._widths))

    @property
    def log_density(self) -> Vector:
        """The posterior log p(θ | D) = log p(D, θ) - log p(D)."""
        return self.log_joint - self.log_evidence

    @property
    def density(self) -> Vector:
        """The posterior p(θ | D)."""
        return np.exp(self.log_density)

    @property
    def mean(self) -> float:
        """The mean of the posterior."""
        return float((self._widths * self.density) @ self.points)

    @property
    def mode(self) -> float:
        """The point of the grid where the posterior is largest: the MAP estimate."""
        return float(self.points[int(np.argmax(self.log_joint))])

    @property
    def median(self) -> float:
        """The point that half of the posterior lies below."""
        return float(self.quantile(0.5))

    def quantile(self, q: ArrayLike) -> Vector:
        """Return the points that shares `q` of the posterior lie below."""
        levels = numbers("GridPosterior.quantile", q)
        if not ((levels >= 0) & (levels <= 1)).all():
            raise DataError("GridPosterior.quantile takes levels of [0, 1].")
        density = self.density
        cells = 0.5 * np.diff(self.points) * (density[1:] + density[:-1])
        return np.asarray(
            np.interp(levels, np.append(0.0, np.cumsum(cells)), self.points)
        )

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the quantiles that leave the same probability on both sides."""
        check_domain("GridPosterior.interval.level", level, opened(0, 1))
        low, high = self.quantile([0.5 - 0.5 * level, 0.5 + 0.5 * level]).tolist()
        return low, high

    def sample(self, n: int, random_state: Any = None) -> Vector:
        """Draw n independent values of the parameter, between the points as well."""
        check_domain("GridPosterior.sample.n", n, whole(0))
        rng = generator("GridPosterior.sample", random_state)
        return self.quantile(rng.uniform(size=int(n)))

    def risk(self, action: float, loss: Loss = "squared") -> float:
        """Return the posterior risk ∫ loss(action, θ) p(θ | D) dθ of an action."""
        check_domain("GridPosterior.risk.action", action, Interval(-np.inf, np.inf))
        return float(self._widths * self.density @ _priced(loss, action, self.points))

    def decide(self, loss: Loss = "squared") -> float:
        """Return the point of the grid with the least posterior risk.

        For "squared" that is next to the mean, for "absolute" next to the median, for
        "zero_one" the mode; any function of action and θ will do.
        """
        if loss == "zero_one":  # a point has no mass: the limit of small neighbourhoods
            return self.mode
        risks = [self.risk(action, loss) for action in self.points.tolist()]
        return float(self.points[int(np.argmin(risks))])

    @property
    def _widths(self) -> Vector:
        gaps = np.diff(self.points)
        return np.asarray(0.5 * (np.append(gaps, 0.0) + np.append(0.0, gaps)))


def decide_by_draws(
    draws: ArrayLike, loss: Loss = "squared", actions: ArrayLike | None = None
) -> float:
    """Return the action with the least mean loss over draws of a posterior.

    Parameters
    ----------
    draws : array-like of shape (n,)
        Draws of the parameter, or of what is to be predicted.
    loss : {"squared", "absolute", "zero_one"} or callable
        What an action costs when the parameter is θ.
    actions : array-like, optional
        What can be done; by default any number for the squared and the absolute loss,
        and the draws themselves for others.

    Examples
    --------
    >>> decide_by_draws([0.0, 1.0, 5.0]), decide_by_draws([0.0, 1.0, 5.0], "absolute")
    (2.0, 1.0)
    """
    values = np.ravel(numbers("decide_by_draws", draws))
    if not len(values) or not np.isfinite(values).all():
        raise DataError("decide_by_draws takes one finite draw or more.")
    if actions is None and loss in ("squared", "absolute"):
        return float(values.mean() if loss == "squared" else np.median(values))
    given = values if actions is None else numbers("decide_by_draws.actions", actions)
    tried = np.unique(given)
    if not tried.size:
        raise DataError("decide_by_draws.actions must be one number or more.")
    risks = [float(_priced(loss, action, values).mean()) for action in tried.tolist()]
    return float(tried[int(np.argmin(risks))])


def _priced(loss: Loss, action: float, points: Vector) -> Vector:
    """Return the loss of an action at every point."""
    if callable(loss):
        return np.asarray(loss(action, points), dtype=np.float64)
    check_domain("loss", loss, Choice(("squared", "absolute", "zero_one")))
    apart = action - points
    if loss == "squared":
        return np.asarray(apart**2)
    return np.abs(apart) if loss == "absolute" else np.asarray(apart != 0, np.float64)


def grid_posterior(
    prior: Distribution,
    model: Callable[[float], Distribution],
    y: ArrayLike,
    points: ArrayLike,
) -> GridPosterior:
    """Apply Bayes' rule at every point of a grid, whatever the prior and the model.

    Parameters
    ----------
    prior : Distribution
        The belief about the parameter before.
    model : callable
        From a value of the parameter to the law of y.
    y : array-like
        Independent values.
    points : array-like
        Increasing values of the parameter, dense where the posterior is not small.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.distributions import Bernoulli, Beta
    >>> grid = np.linspace(0.001, 0.999, 999)
    >>> round(grid_posterior(Beta(), Bernoulli, [1, 1, 0], grid).mode, 3)
    0.667
    """
    grid = numbers("grid_posterior.points", points)
    if grid.ndim != 1 or len(grid) < 2 or not (np.diff(grid) > 0).all():  # noqa: PLR2004
        raise DataError("grid_posterior.points must be two or more increasing numbers.")
    law("grid_posterior.prior", prior, scalar=True)
    function("grid_posterior.model", model)
    likelihood = np.array([model(point).log_likelihood(y) for point in grid.tolist()])
    found = GridPosterior(grid, prior.log_density(grid), likelihood)
    if not np.isfinite(found.log_joint).any():
        raise DataError(
            "grid_posterior: prior or data have probability 0 at every point."
        )
    return found
