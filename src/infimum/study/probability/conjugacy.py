"""Conjugate priors: beliefs that keep their form when data arrive."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.distributions._distribution import Distribution
from infimum.distributions._given import numbers
from infimum.distributions.bernoulli import Bernoulli
from infimum.distributions.beta import Beta
from infimum.distributions.binomial import Binomial
from infimum.distributions.gamma import Gamma
from infimum.distributions.normal import Normal
from infimum.distributions.poisson import Poisson
from infimum.errors import DataError, IncompatibleError
from infimum.typing import Vector

__all__ = ["posterior"]


def posterior(prior: Distribution, model: Distribution, y: ArrayLike) -> Distribution:
    r"""Return what to believe about a parameter after seeing `y`, in closed form.

    .. math:: p(\theta \mid y) \propto p(\theta) \prod_i p(y_i \mid \theta)

    ================  =======================================  ==================
    prior             model                                    parameter
    ================  =======================================  ==================
    `Beta`            `Bernoulli`, `Binomial` (known trials)   p
    `Gamma`           `Poisson`                                rate
    `Normal`          `Normal` (known spread)                  location
    ================  =======================================  ==================

    Parameters
    ----------
    prior : Distribution
        The belief before.
    model : Distribution
        The law of y; its unknown parameter is ignored, its known one is used.
    y : array-like of shape (n,)
        Independent values; none at all leave the prior as it was.

    Examples
    --------
    >>> posterior(Beta(1.0, 1.0), Bernoulli(), [1, 1, 0])
    Beta(a=3.0, b=2.0)
    """
    values = np.atleast_1d(numbers("posterior", y))
    update = _UPDATES.get((type(prior), type(model)))
    if update is None:
        raise IncompatibleError(
            f"{type(prior).__name__} is not conjugate to {type(model).__name__}: use "
            "grid_posterior."
        )
    if not model.covers(values).all():
        raise DataError(f"{type(model).__name__} reads values in {model.support}.")
    return update(prior, model, values)


def _beta_bernoulli(prior: Any, model: Any, y: Vector) -> Distribution:
    successes = float(y.sum())
    return Beta(prior.a + successes, prior.b + len(y) - successes)


def _beta_binomial(prior: Any, model: Any, y: Vector) -> Distribution:
    successes = float(y.sum())
    return Beta(prior.a + successes, prior.b + model.trials * len(y) - successes)


def _gamma_poisson(prior: Any, model: Any, y: Vector) -> Distribution:
    scale = prior.scale / (1.0 + len(y) * prior.scale)
    return Gamma(prior.shape + float(y.sum()), scale)


def _normal_normal(prior: Any, model: Any, y: Vector) -> Distribution:
    # Precisions add, and the location is their weighted mean.
    precision = 1.0 / prior.spread + len(y) / model.spread
    pull = prior.location / prior.spread + float(y.sum()) / model.spread
    return Normal(pull / precision, 1.0 / precision)


_UPDATES: dict[tuple[type, type], Callable[[Any, Any, Vector], Distribution]] = {
    (Beta, Bernoulli): _beta_bernoulli,
    (Beta, Binomial): _beta_binomial,
    (Gamma, Poisson): _gamma_poisson,
    (Normal, Normal): _normal_normal,
}
