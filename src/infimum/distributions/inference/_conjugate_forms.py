"""Normalisers of conjugate priors in closed form, by the name of the family."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import betaln, gammaln, multigammaln

from infimum.distributions.beta import Beta
from infimum.distributions.dirichlet import Dirichlet
from infimum.distributions.gamma import Gamma
from infimum.errors import InvalidParameterError
from infimum.typing import Vector

__all__ = ["CLOSED", "MEAN_LAWS"]


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
