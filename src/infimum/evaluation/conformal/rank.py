"""The one idea of conformal prediction: the rank of a new row among the others."""

from math import ceil, inf

import numpy as np
from numpy.typing import ArrayLike

from infimum.parameters import check_domain, opened

__all__ = ["conformal_rank", "conformal_threshold", "weighted_threshold"]


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
    return max(1, ceil((n + 1) * coverage - 1e-9))


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


def weighted_threshold(
    scores: ArrayLike, weights: ArrayLike, coverage: float, newcomer: float
) -> float:
    r"""Return the score a new row stays below, where rows stand for unequally many.

    The rows of a table are drawn alike, but the promise is about a population in which
    each stands for so many as its weight says. Then the new score is one of the n + 1
    with probabilities in proportion to the weights:

    .. math:: \min\Bigl\{s : \sum_{s_i \le s} w_i \ge
        \text{coverage}\,\bigl(\textstyle\sum_i w_i + w_\text{new}\bigr)\Bigr\}

    A `newcomer` that is at least the new row's weight keeps the promise. Weights that
    are all 1 lead back to `conformal_threshold`; copies of rows promise no more than
    the rows themselves, as the newcomer then weighs as much.

    Examples
    --------
    >>> weighted_threshold([3.0, 1.0, 2.0, 4.0], [1.0, 1.0, 1.0, 1.0], 0.8, 1.0)
    4.0
    >>> weighted_threshold([3.0, 1.0, 2.0, 4.0], [1.0, 9.0, 1.0, 1.0], 0.6, 3.0)
    1.0

    References
    ----------
    R. Tibshirani, R. Foygel Barber, E. Candès and A. Ramdas (2019), Conformal
    prediction under covariate shift, NeurIPS.
    """
    check_domain("The coverage", coverage, opened(0, 1))
    values = np.asarray(scores, dtype=np.float64)
    counts = np.asarray(weights, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(counts[order])
    wanted = coverage * (float(counts.sum()) + newcomer)
    # Sums of weights land a rounding error beside what they should be.
    place = int(np.searchsorted(reached, wanted * (1 - 1e-12)))
    return inf if place >= len(values) else float(values[order[place]])
