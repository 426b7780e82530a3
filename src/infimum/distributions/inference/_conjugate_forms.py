"""Normalisers and draws of conjugate priors in closed form, by the family's name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, gammaln, logsumexp, multigammaln

from infimum.distributions.beta import Beta
from infimum.distributions.dirichlet import Dirichlet
from infimum.distributions.gamma import Gamma
from infimum.distributions.wishart import Wishart
from infimum.errors import InvalidParameterError
from infimum.typing import Matrix, Vector

__all__ = ["CLOSED", "DRAWN", "MEAN_LAWS"]


def _bernoulli(family: Any, n: float, nu: Vector) -> float:
    trials = getattr(family, "trials", 1)
    _inside(0 < nu[0] < trials, nu)
    return float(betaln(n * nu[0], n * (trials - nu[0])))


def _categorical(family: Any, n: float, nu: Vector) -> float:
    _inside(nu.min() > 0, nu)
    return float(gammaln(n * nu).sum() - gammaln(n * nu.sum()))


def _poisson(family: Any, n: float, nu: Vector) -> float:
    _inside(nu[0] > 0, nu)
    return float(gammaln(n * nu[0]) - n * nu[0] * np.log(n))


def _exponential(family: Any, n: float, nu: Vector) -> float:
    _inside(nu[0] > 0, nu)
    return float(gammaln(n + 1.0) - (n + 1.0) * np.log(n * nu[0]))


def _geometric(family: Any, n: float, nu: Vector) -> float:
    _inside(nu[0] > 0, nu)
    return float(betaln(n * nu[0], n + 1.0))


def _normal(family: Any, n: float, nu: Vector) -> float:
    spread = nu[1] - nu[0] ** 2
    _inside(spread > 0, nu)
    power = 0.5 * n + 1.5
    constant = 0.5 * np.log(2.0 * np.pi / n) - np.log(2.0)
    return float(constant + gammaln(power) - power * np.log(0.5 * n * spread))


def _normal_vector(family: Any, n: float, nu: Vector) -> float:
    d = len(family.location)
    centre, second = nu[:d], -2.0 * nu[d:].reshape(d, d)
    spread = 0.5 * (second + second.T) - np.outer(centre, centre)
    _inside(np.linalg.eigvalsh(spread).min() > 0, nu)
    power = 0.5 * (n + d + 2.0)
    constant = 0.5 * d * np.log(2.0 * np.pi / n) + multigammaln(power, d)
    return float(constant - power * np.linalg.slogdet(0.5 * n * spread)[1])


def _coin_mean(family: Any, n: float, nu: Vector, more: float) -> tuple[Any, float]:
    trials = getattr(family, "trials", 1)
    _inside(0 < nu[0] < trials, nu)
    a, b = n * float(nu[0]) + more, n * (trials - float(nu[0])) + more
    return Beta(a, b), float(betaln(a, b))


def _die_mean(family: Any, n: float, nu: Vector, more: float) -> tuple[Any, float]:
    _inside(nu.min() > 0, nu)
    law = Dirichlet(n * nu + more)
    return law, law.log_partition(law.concentration)


def _count_mean(family: Any, n: float, nu: Vector, more: float) -> tuple[Any, float]:
    _inside(nu[0] > 0, nu)
    shape = n * float(nu[0]) + more
    return Gamma(shape, 1.0 / n), float(gammaln(shape) - shape * np.log(n))


def _coin_draws(family: Any, n: float, nu: Vector, size: int, rng: Any) -> Matrix:
    law = _coin_mean(family, n, nu, 0.0)[0]
    return _log_gammas(law.a, size, rng) - _log_gammas(law.b, size, rng)


def _die_draws(family: Any, n: float, nu: Vector, size: int, rng: Any) -> Matrix:
    logs = _log_gammas(_die_mean(family, n, nu, 0.0)[0].concentration, size, rng)
    return np.asarray(logs - logsumexp(logs, axis=1, keepdims=True))


def _count_draws(family: Any, n: float, nu: Vector, size: int, rng: Any) -> Matrix:
    law = _count_mean(family, n, nu, 0.0)[0]
    return np.asarray(_log_gammas(law.shape, size, rng) + np.log(law.scale))


def _wait_draws(family: Any, n: float, nu: Vector, size: int, rng: Any) -> Matrix:
    _inside(nu[0] > 0, nu)
    return np.asarray(-rng.gamma(n + 1.0, 1.0 / (n * nu[0]), (size, 1)))


def _failure_draws(family: Any, n: float, nu: Vector, size: int, rng: Any) -> Matrix:
    _inside(nu[0] > 0, nu)
    on, off = _log_gammas(n * nu[0], size, rng), _log_gammas(n + 1.0, size, rng)
    return np.asarray(on - np.logaddexp(on, off))


def _normal_draws(family: Any, n: float, nu: Vector, size: int, rng: Any) -> Matrix:
    spread = nu[1] - nu[0] ** 2
    _inside(spread > 0, nu)
    precision = rng.gamma(0.5 * n + 1.5, 2.0 / (n * spread), size)
    noise = np.sqrt(precision / n) * rng.standard_normal(size)
    return np.stack([precision * nu[0] + noise, -0.5 * precision], axis=1)


def _vector_draws(family: Any, n: float, nu: Vector, size: int, rng: Any) -> Matrix:
    d = len(family.location)
    centre, second = nu[:d], -2.0 * nu[d:].reshape(d, d)
    spread = 0.5 * (second + second.T) - np.outer(centre, centre)
    _inside(np.linalg.eigvalsh(spread).min() > 0, nu)
    inverse = np.linalg.inv(n * spread)
    law = Wishart(n + d + 2.0, 0.5 * (inverse + inverse.T))
    precision = law.sample(size, rng)
    noise = np.linalg.cholesky(precision / n) @ rng.standard_normal((size, d, 1))
    pull = precision @ centre + noise[..., 0]
    return np.hstack([pull, precision.reshape(size, -1)])


def _log_gammas(shape: ArrayLike, size: int, rng: Any) -> Matrix:
    """Return logarithms of gamma values, finite also where the values would be 0."""
    shapes = np.atleast_1d(np.asarray(shape, dtype=np.float64))
    wide = (size, len(shapes))
    return np.asarray(
        np.log(rng.gamma(shapes + 1.0, size=wide)) - rng.exponential(size=wide) / shapes
    )


def _inside(proper: Any, nu: Vector) -> None:
    if not proper:
        raise InvalidParameterError(
            "ConjugatePrior.nu must lie inside the range of the mean statistics, got "
            f"{nu.tolist()}."
        )


CLOSED: dict[str, Callable[[Any, float, Vector], float]] = {
    "Bernoulli": _bernoulli,
    "Binomial": _bernoulli,
    "Categorical": _categorical,
    "Exponential": _exponential,
    "Geometric": _geometric,
    "MultivariateNormal": _normal_vector,
    "Normal": _normal,
    "Poisson": _poisson,
}
MEAN_LAWS: dict[str, Callable[[Any, float, Vector, float], tuple[Any, float]]] = {
    "Bernoulli": _coin_mean,
    "Binomial": _coin_mean,
    "Categorical": _die_mean,
    "Poisson": _count_mean,
}
DRAWN: dict[str, Callable[[Any, float, Vector, int, Any], Matrix]] = {
    "Bernoulli": _coin_draws,
    "Binomial": _coin_draws,
    "Categorical": _die_draws,
    "Exponential": _wait_draws,
    "Geometric": _failure_draws,
    "MultivariateNormal": _vector_draws,
    "Normal": _normal_draws,
    "Poisson": _count_draws,
}
