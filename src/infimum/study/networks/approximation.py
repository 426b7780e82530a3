"""A network that comes as close to a function on an interval as one wants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.models.neural.layers import Dense
from infimum.models.neural.network import Network
from infimum.parameters import check_domain, positive
from infimum.typing import Vector

__all__ = ["Approximation", "approximate"]

#: More units than this are not made.
MOST_UNITS = 10**7


@dataclass(frozen=True, eq=False)
class Approximation:
    """A network of ReLU units, and how far it is from the function at most."""

    network: Network
    error: float

    def __call__(self, x: Any) -> Vector:
        """Return the network's values."""
        points = np.asarray(x, dtype=np.float64).reshape(-1, 1)
        return self.network.scores(points)[:, 0]


def approximate(
    f: Callable[[Vector], Vector],
    interval: tuple[float, float],
    epsilon: float,
    *,
    lipschitz: float,
) -> Approximation:
    """Return a ReLU network within `epsilon` of a function, everywhere on an interval.

    It goes through the function at even distances h ≤ 2ε/L, between which a function of
    Lipschitz constant L cannot leave the straight line by more than L h/2.

    Parameters
    ----------
    f : function
        Takes an array of numbers, returns as many.
    interval : pair of float
        Its ends.
    epsilon : float
        The largest error that is allowed.
    lipschitz : float
        A bound on how steep the function is: the error is proved if this is true.

    Examples
    --------
    >>> near = approximate(np.sin, (0.0, 6.0), 0.01, lipschitz=1.0)
    >>> x = np.linspace(0.0, 6.0, 10_001)
    >>> bool(np.abs(near(x) - np.sin(x)).max() <= near.error <= 0.01)
    True
    """
    check_domain("approximate epsilon", epsilon, positive)
    check_domain("approximate lipschitz", lipschitz, positive)
    low, high = map(float, interval)
    if not (np.isfinite([low, high]).all() and low < high):
        raise InvalidParameterError(
            f"approximate needs an interval (low, high), got {interval}."
        )
    count = max(1, int(np.ceil((high - low) * lipschitz / (2.0 * epsilon))))
    if count > MOST_UNITS:
        raise InvalidParameterError(
            f"approximate would need {count} units for this epsilon, {MOST_UNITS} are "
            "allowed."
        )
    knots = np.linspace(low, high, count + 1)
    values = np.asarray(f(knots), dtype=np.float64)
    slopes = np.diff(values) / np.diff(knots)
    network = Network([Dense(count, "relu"), Dense(1)], (1,), np.float64)
    (W, b), (v, c) = network.parameters
    W[...], b[...] = 1.0, -knots[:-1]
    v[:, 0] = np.diff(slopes, prepend=0.0)
    c[...] = values[0]
    return Approximation(network, lipschitz * (high - low) / count / 2.0)
