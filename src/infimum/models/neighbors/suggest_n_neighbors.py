"""A rule of thumb for the number of neighbours."""

import math

from infimum.parameters import check_domain, whole

__all__ = ["suggest_n_neighbors"]


def suggest_n_neighbors(n_samples: int) -> int:
    """Return an odd number of neighbours near log(n_samples), at least 1.

    A rule of thumb: the number has to grow with the samples, but more slowly than
    they do. Odd numbers cannot tie between two classes. Resampling chooses better.

    Examples
    --------
    >>> suggest_n_neighbors(500)
    7
    """
    check_domain("suggest_n_neighbors: n_samples", n_samples, whole(1))
    return 2 * round((math.log(n_samples) - 1.0) / 2.0) + 1 if n_samples > 1 else 1
