"""The one idea of conformal prediction: the rank of a new row among the others."""

from math import ceil, inf

import numpy as np
from numpy.typing import ArrayLike

from infimum.parameters import check_domain, opened

__all__ = ["conformal_rank", "conformal_threshold"]


def conformal_rank(n: int, coverage: float) -> int:
    """Return which of n ordered scores a new one stays below with that probability.

    The rank of a new score among n exchangeable ones is uniform on 1..n+1, so it is
    at most k with probability k/(n+1): the least k with k/(n+1) ≥ coverage. It may be
    n+1, which no score of the n is.

    Examples
    --------
    >>> conformal_rank(99, 0.9), conformal_rank(8, 0.9)
    (90, 9)
    """
    check_domain("The coverage", coverage, opened(0, 1))
    # Products such as 0.9 * 10 land a rounding error above a whole number.
    return ceil((n + 1) * coverage - 1e-9)


def conformal_threshold(scores: ArrayLike, coverage: float) -> float:
    """Return the score that a new one stays below with probability `coverage`.

    With too few scores for that coverage nothing but infinity will do.

    Examples
    --------
    >>> conformal_threshold([3.0, 1.0, 2.0, 4.0], 0.8)
    4.0
    >>> conformal_threshold([3.0, 1.0, 2.0, 4.0], 0.9)
    inf
    """
    values = np.asarray(scores, dtype=np.float64)
    rank = conformal_rank(len(values), coverage)
    if rank > len(values):
        return inf
    return float(np.partition(values, rank - 1)[rank - 1])
