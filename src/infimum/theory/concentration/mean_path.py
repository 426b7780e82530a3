"""The law of large numbers, seen: running means and the band that holds them all."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.parameters import check_domain, opened
from infimum.typing import Vector

__all__ = ["MeanPath", "mean_path", "round_at_random"]


class MeanPath(NamedTuple):
    """Means of the first 1, 2, … values; `radius` bounds all deviations together."""

    means: Vector
    radius: Vector


def mean_path(values: ArrayLike, delta: float = 0.05, width: float = 1.0) -> MeanPath:
    r"""Return the running means of values and a band for their distance from the mean.

    Hoeffding's inequality at every n, with :math:`\delta_n = \delta / (n (n + 1))`:
    with probability 1 - δ no mean of the whole path leaves the band.

    Examples
    --------
    >>> from infimum.theory import mean_path
    >>> mean_path([1.0, 0.0, 0.5]).means.tolist()
    [1.0, 0.5, 0.5]
    """
    check_domain("mean_path's delta", delta, opened(0, 1))
    drawn = np.asarray(values, dtype=np.float64)
    if drawn.ndim != 1 or len(drawn) == 0:
        raise DataError(f"mean_path needs a vector of values, got {drawn.shape}.")
    n = np.arange(1.0, len(drawn) + 1)
    doubt = np.log(2 * n * (n + 1) / delta)
    return MeanPath(np.cumsum(drawn) / n, width * np.sqrt(doubt / (2 * n)))


def round_at_random(x: ArrayLike, random_state: int | None = None) -> Vector:
    r"""Round each number up with the probability of its fraction, else down.

    The mean of the result is x, and a sum :math:`a^\top x` moves by more than
    :math:`\varepsilon` with probability at most
    :math:`2\exp(-2\varepsilon^2/\|a\|^2)`.

    Examples
    --------
    >>> from infimum.theory import round_at_random
    >>> round_at_random([2.0, -1.0], 0).tolist()
    [2.0, -1.0]
    """
    values = np.asarray(x, dtype=np.float64)
    below = np.floor(values)
    drawn = np.random.default_rng(random_state).random(values.shape)
    return np.asarray(below + (drawn < values - below))
