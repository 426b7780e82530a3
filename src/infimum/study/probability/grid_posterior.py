"""Bayes' rule on a grid: prior, joint, evidence and posterior of any one parameter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from infimum.distributions._base import Distribution
from infimum.errors import DataError
from infimum.typing import Vector

__all__ = ["GridPosterior", "grid_posterior"]


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
    def _widths(self) -> Vector:
        gaps = np.diff(self.points)
        return np.asarray(0.5 * (np.append(gaps, 0.0) + np.append(0.0, gaps)))


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
    grid = np.asarray(points, dtype=np.float64)
    if grid.ndim != 1 or len(grid) < 2 or not (np.diff(grid) > 0).all():  # noqa: PLR2004
        raise DataError("grid_posterior.points must be two or more increasing numbers.")
    likelihood = np.array([model(point).log_likelihood(y) for point in grid.tolist()])
    return GridPosterior(grid, prior.log_density(grid), likelihood)
