"""The likeliest law of a family without a closed form, by descent on its parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from infimum.distributions._distribution import Distribution
from infimum.typing import Vector

__all__ = ["likeliest"]

Law = TypeVar("Law", bound=Distribution)
#: The largest logarithm of a ratio that the search tries, and its first steps.
FAR, STRIDE = 40.0, 0.1


def likeliest(
    make: Callable[..., Law],
    y: Vector,
    weights: Vector,
    start: Sequence[float],
    positive: Sequence[bool],
) -> Law:
    """Return the law `make(*parameters)` under which the weighted sample is likeliest.

    Positive parameters are searched for by the logarithm of their ratio to `start`, the
    others in units of the spread of the sample, so that no unit of y matters.
    """
    from scipy.optimize import minimize

    logged = np.array(positive)
    first = np.array(start, dtype=np.float64)
    unit = 1.0
    if not logged.all():
        far = y - weights @ y
        longest = float(np.abs(far).max())
        unit = longest * float(np.sqrt(weights @ (far / longest) ** 2))

    def law(point: Vector) -> Law:
        bounded = np.clip(np.where(logged, point, 0.0), -FAR, FAR)
        plain = np.where(logged, first * np.exp(bounded), first + unit * point)
        return make(*plain.tolist())

    def surprise(point: Vector) -> float:
        return -float(weights @ law(point).log_density(y))

    begin = np.zeros(len(first))
    tight: Any = {"xatol": 1e-9, "fatol": 1e-13, "maxiter": 4000, "maxfev": 4000}
    tight["initial_simplex"] = np.vstack([begin, STRIDE * np.eye(len(first))])
    found = minimize(surprise, begin, method="Nelder-Mead", options=tight)
    again = minimize(surprise, found.x, method="BFGS", options={"gtol": 1e-10})
    return law(again.x if again.fun < found.fun else found.x)
