"""The likeliest law of a family without a closed form, by descent on its parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from infimum.distributions._distribution import Distribution
from infimum.typing import Vector

__all__ = ["likeliest"]

Law = TypeVar("Law", bound=Distribution)
#: The largest logarithm of a parameter that the search tries.
FAR = 40.0


def likeliest(
    make: Callable[..., Law],
    y: Vector,
    weights: Vector,
    start: Sequence[float],
    positive: Sequence[bool],
) -> Law:
    """Return the law `make(*parameters)` under which the weighted sample is likeliest.

    Positive parameters are searched for by their logarithm, the others in units of
    the spread of the sample.
    """
    from scipy.optimize import minimize

    logged = np.array(positive)
    first = np.array(start, dtype=np.float64)
    unit = 1.0
    if not logged.all():
        unit = float(np.sqrt(weights @ (y - weights @ y) ** 2))

    def law(point: Vector) -> Law:
        bounded = np.clip(np.where(logged, point, 0.0), -FAR, FAR)
        plain = np.where(logged, np.exp(bounded), first + unit * point)
        return make(*plain.tolist())

    def surprise(point: Vector) -> float:
        return -float(weights @ law(point).log_density(y))

    begin = np.where(logged, np.log(np.where(logged, first, 1.0)), 0.0)
    tight: Any = {"xatol": 1e-9, "fatol": 1e-13, "maxiter": 4000, "maxfev": 4000}
    found = minimize(surprise, begin, method="Nelder-Mead", options=tight)
    again = minimize(surprise, found.x, method="BFGS", options={"gtol": 1e-10})
    return law(again.x if again.fun < found.fun else found.x)
