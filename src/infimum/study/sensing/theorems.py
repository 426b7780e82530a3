"""When few measurements are enough: counting, isometry, Gaussian matrices, trials."""

from __future__ import annotations

from math import e, lgamma, log, sqrt
from typing import Any, NamedTuple

import numpy as np

from infimum.models.sensing import BasisPursuit, measurement_matrix, sparse_signal
from infimum.parameters import check_domain, nonnegative, opened, positive, whole
from infimum.typing import Vector

__all__ = [
    "CountBounds",
    "count_bounds",
    "gaussian_size",
    "recovery_by_isometry",
    "recovery_rate",
]

#: Below it the least ℓ₁ norm is the sparsest, not below 1 as is sometimes read.
L1_LIMIT = 1.0 / (1.0 + sqrt(2.0))


class CountBounds(NamedTuple):
    """log C(d, s) between s log(d/s) and s log(e d/s)."""

    lower: float
    exact: float
    upper: float


def count_bounds(size: int, n_nonzero: int) -> CountBounds:
    """Return how many nats it takes to name a support, with simple bounds.

    Examples
    --------
    >>> [round(x, 2) for x in count_bounds(100, 5)]
    [14.98, 18.14, 19.98]
    """
    check_domain("count_bounds.n_nonzero", n_nonzero, whole(1, size))
    d, s = float(size), float(n_nonzero)
    exact = lgamma(d + 1) - lgamma(s + 1) - lgamma(d - s + 1)
    return CountBounds(s * log(d / s), exact, s * log(e * d / s))


def gaussian_size(
    size: int,
    n_nonzero: int,
    epsilon: float,
    delta: float = 0.05,
    *,
    constant: float = 100.0,
) -> int:
    """Return k ≥ C s log(d/(δε))/ε²: rows of N(0, 1/k) that make an (ε, s)-isometry.

    With probability 1 - δ, and for any orthonormal basis. The constant 100 is that of
    Shalev-Shwartz & Ben-David (2014, theorem 23.9).

    Examples
    --------
    >>> gaussian_size(50, 5, 0.5, constant=1.0)
    153
    """
    check_domain("gaussian_size.epsilon", epsilon, opened(0, 1))
    check_domain("gaussian_size.delta", delta, opened(0, 1))
    check_domain("gaussian_size.constant", constant, positive)
    check_domain("gaussian_size.n_nonzero", n_nonzero, whole(1, size))
    needed = constant * n_nonzero * log(size / (delta * epsilon)) / epsilon**2
    return int(np.ceil(needed))


def recovery_by_isometry(epsilon: float) -> tuple[bool, bool]:
    """Tell what an (ε, 2s)-isometry promises: by least ℓ₀, and by least ℓ₁ norm.

    ε < 1 makes the sparsest explanation of s entries the only one; the least ℓ₁ norm
    finds it for ε < 1/(1 + √2) (for ε = 0.99 there is a counterexample).

    Examples
    --------
    >>> recovery_by_isometry(0.4), recovery_by_isometry(0.99)
    ((True, True), (True, False))
    """
    check_domain("recovery_by_isometry.epsilon", epsilon, nonnegative)
    return epsilon < 1.0, epsilon < L1_LIMIT


def recovery_rate(
    size: int,
    n_nonzero: int,
    measurements: Any,
    *,
    repeats: int = 20,
    random_state: Any = 0,
) -> Vector:
    """Return for each number of Gaussian measurements how often a signal is found.

    Examples
    --------
    >>> recovery_rate(40, 2, [3, 25], repeats=4).tolist()
    [0.0, 1.0]
    """
    rng = np.random.default_rng(random_state)
    found = []
    for k in measurements:
        good = 0
        for _ in range(repeats):
            W = measurement_matrix("gaussian", int(k), size, random_state=rng)
            x, _ = sparse_signal(size, n_nonzero, random_state=rng)
            off = BasisPursuit().fit(W, W @ x).signal_ - x
            good += float(np.abs(off).max()) < 1e-6
        found.append(good / repeats)
    return np.array(found)
