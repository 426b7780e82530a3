"""Toy problems whose answer is known, to measure learners against the truth."""

from dataclasses import dataclass
from math import exp, log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import norm

from infimum.errors import InvalidParameterError
from infimum.parameters import check_domain, nonnegative, opened, positive, whole
from infimum.typing import Matrix, Vector

__all__ = [
    "ToyProblem",
    "linear_regression",
    "poisson_counts",
    "sparse_regression",
    "two_gaussians",
]

_RandomState = int | np.random.Generator | None


@dataclass(frozen=True, eq=False)
class ToyProblem:
    """Samples together with the law they were drawn from.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        The samples.
    y : ndarray of shape (n,)
        The targets.
    coefficients, intercept : ndarray of shape (d,), float
        The best linear score ⟨coefficients, x⟩ + intercept: the mean of y, the
        log-odds of class 1, or the logarithm of the mean count.
    bayes_risk : float
        The least risk that any predictor can have: the error rate of the
        classification, the mean squared error of the others.
    """

    X: Matrix
    y: NDArray[Any]
    coefficients: Vector
    intercept: float
    bayes_risk: float


def linear_regression(
    n: int = 200,
    *,
    coefficients: ArrayLike = (1.0, -2.0, 0.5),
    intercept: float = 0.0,
    noise: float = 1.0,
    random_state: _RandomState = None,
) -> ToyProblem:
    r"""Return a linear law seen through Gaussian noise.

    .. math:: y = \langle w, x \rangle + b + \sigma\varepsilon, \quad
              x \sim N(0, I),\ \varepsilon \sim N(0, 1).

    No predictor has a mean squared error below σ².
    """
    check_domain("linear_regression.noise", noise, nonnegative)
    rng, w, X = _draw("linear_regression", n, coefficients, random_state)
    y = X @ w + intercept + noise * rng.standard_normal(n)
    return ToyProblem(X, y, w, intercept, noise**2)


def sparse_regression(
    n: int = 100,
    d: int = 200,
    *,
    relevant: int = 5,
    noise: float = 0.1,
    random_state: _RandomState = None,
) -> ToyProblem:
    """Return a linear law in which only the first few of many features count.

    The relevant coefficients are ±1, alternating, and all others are zero: the lasso
    should find them, least squares cannot when d exceeds n.
    """
    check_domain("sparse_regression.d", d, whole(1))
    check_domain("sparse_regression.relevant", relevant, whole(0, d))
    w = np.zeros(d)
    w[:relevant] = (-1.0) ** np.arange(relevant)
    return linear_regression(n, coefficients=w, noise=noise, random_state=random_state)


def two_gaussians(
    n: int = 200,
    *,
    means: tuple[ArrayLike, ArrayLike] = ((-1.0, 0.0), (1.0, 0.0)),
    scale: float = 0.6,
    prior: float = 0.5,
    random_state: _RandomState = None,
) -> ToyProblem:
    r"""Return two round clouds of equal width, and the error no rule can avoid.

    .. math:: P(y=1) = \pi, \qquad x \mid y \sim N(\mu_y, \sigma^2 I).

    With distance :math:`\Delta = \|\mu_1 - \mu_0\| / \sigma` the Bayes rule is linear,
    and for :math:`\pi = 1/2` its error is :math:`\Phi(-\Delta/2)`.
    """
    check_domain("two_gaussians.scale", scale, positive)
    check_domain("two_gaussians.prior", prior, opened(0, 1))
    check_domain("two_gaussians.n", n, whole(1))
    low, high = (np.asarray(mean, dtype=np.float64) for mean in means)
    if low.ndim != 1 or low.shape != high.shape or (low == high).all():
        raise InvalidParameterError(
            "two_gaussians.means must be two different points of the same space."
        )
    rng = np.random.default_rng(random_state)
    y = (rng.random(n) < prior).astype(np.int64)
    centres = np.where(y[:, None] == 1, high, low)
    X = centres + scale * rng.standard_normal((n, len(low)))
    odds = log(prior / (1 - prior))
    w = (high - low) / scale**2
    b = float(low @ low - high @ high) / (2 * scale**2) + odds
    distance = float(np.linalg.norm(high - low)) / scale
    missed = norm.cdf(-distance / 2 - odds / distance)
    alarmed = norm.cdf(-distance / 2 + odds / distance)
    return ToyProblem(X, y, w, b, float(prior * missed + (1 - prior) * alarmed))


def poisson_counts(
    n: int = 200,
    *,
    coefficients: ArrayLike = (0.5, -0.3),
    intercept: float = 0.5,
    random_state: _RandomState = None,
) -> ToyProblem:
    r"""Return counts whose mean is the exponential of a linear score.

    .. math:: y \mid x \sim \text{Poisson}(e^{\langle w, x\rangle + b}), \quad
              x \sim N(0, I).

    The mean of such a count over all x is :math:`e^{b + \|w\|^2/2}`, and no predictor
    has a mean squared error below it, because a Poisson variance equals its mean.
    """
    rng, w, X = _draw("poisson_counts", n, coefficients, random_state)
    y = rng.poisson(np.exp(X @ w + intercept))
    return ToyProblem(X, y, w, intercept, exp(intercept + float(w @ w) / 2))


def _draw(
    owner: str, n: int, coefficients: ArrayLike, random_state: _RandomState
) -> tuple[np.random.Generator, Vector, Matrix]:
    check_domain(f"{owner}.n", n, whole(1))
    w = np.asarray(coefficients, dtype=np.float64)
    if w.ndim != 1 or not len(w) or not np.isfinite(w).all():
        raise InvalidParameterError(
            f"{owner}.coefficients must be a list of finite numbers, "
            f"got {coefficients!r}."
        )
    rng = np.random.default_rng(random_state)
    return rng, w, rng.standard_normal((n, len(w)))
