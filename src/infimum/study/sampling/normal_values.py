"""Normal values from uniform ones, in three ways of the textbook."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.distributions import Laplace, Normal
from infimum.distributions.sampling import Accepted, reject
from infimum.errors import DataError
from infimum.parameters import check_domain, whole
from infimum.typing import Matrix, Vector

__all__ = ["box_muller", "laplace_rejection", "rational_normal_quantile"]


def box_muller(n: int, random_state: Any = None) -> Matrix:
    """Return n pairs of independent standard normal values.

    A radius √(-2 log z) and a uniform angle make a pair.

    Examples
    --------
    >>> box_muller(3, random_state=0).shape
    (3, 2)
    """
    check_domain("box_muller.n", n, whole(1))
    spun = np.random.default_rng(random_state).random((2, n))
    radius = np.sqrt(-2.0 * np.log1p(-spun[0]))  # 1 - z is never 0
    angle = 2.0 * np.pi * spun[1]
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def rational_normal_quantile(z: ArrayLike) -> Vector:
    """Return Φ⁻¹(z) by a ratio of polynomials, right to 0.003 (Hastings).

    The formula is that of the upper tail for z ≤ 1/2; symmetry gives the rest.

    Examples
    --------
    >>> rational_normal_quantile([0.025, 0.975]).round(2)
    array([-1.96,  1.96])
    """
    levels = np.asarray(z, dtype=np.float64)
    if not ((levels > 0) & (levels < 1)).all():
        raise DataError("rational_normal_quantile takes levels of (0, 1).")
    tail = np.minimum(levels, 1.0 - levels)
    t = np.sqrt(-2.0 * np.log(tail))
    upper = t - (2.30753 + 0.27061 * t) / (1.0 + 0.99229 * t + 0.04481 * t**2)
    return np.where(levels < 0.5, -upper, upper)


def laplace_rejection(n: int, random_state: Any = None) -> Accepted:
    """Return standard normal values accepted among double exponential ones.

    The share √(π/(2e)) = 0.7602 is accepted.

    Examples
    --------
    >>> round(laplace_rejection(20_000, random_state=0).acceptance, 2)
    0.76
    """
    constant = float(np.sqrt(2.0 * np.e / np.pi))
    return reject(Normal(), Laplace(), constant, n, random_state)
