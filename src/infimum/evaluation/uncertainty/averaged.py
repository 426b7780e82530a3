"""Averages of numbers that each have an interval: of classes, of labels."""

from collections.abc import Sequence

import numpy as np

from infimum.typing import Matrix, Vector

__all__ = ["average_interval"]


def average_interval(
    estimates: Sequence[float],
    ends: Sequence[Sequence[float]],
    influences: Matrix | None = None,
) -> tuple[float, float]:
    r"""Return the interval of an average from the intervals of what is averaged.

    The distance of each end from its estimate takes the place of a standard error,
    below and above by itself, so that crooked and exact intervals stay what they are:

    .. math:: L = \bar θ - \frac1K \sqrt{\sum_{jk} ρ_{jk}(θ_j - l_j)(θ_k - l_k)}

    Parameters
    ----------
    estimates, ends : sequences
        What is averaged, and its intervals (low, high).
    influences : array of shape (n_estimates, n_rows), optional
        What each row adds to each estimate; their correlations are those of the
        estimates, which are independent without.

    Examples
    --------
    >>> low, high = average_interval([0.5, 0.5], [(0.2, 0.6), (0.1, 0.8)])
    >>> round(low, 3), round(high, 3)
    (0.25, 0.658)

    References
    ----------
    G. Zou and A. Donner (2008), Construction of confidence limits about effect
    measures: a general approach, Statistics in Medicine 27.
    """
    middles, both = np.asarray(estimates, float), np.asarray(ends, float)
    together = np.eye(len(middles)) if influences is None else _correlations(influences)
    below, above = middles - both[:, 0], both[:, 1] - middles
    average, count = float(middles.mean()), len(middles)
    low = average - _root(below, together) / count
    return low, average + _root(above, together) / count


def _correlations(influences: Matrix) -> Matrix:
    """Return the correlations of sums over rows; 1 where a sum does not scatter.

    What does not scatter on these rows has an interval for another reason, which the
    others may share.
    """
    sizes = np.sqrt(np.square(influences).sum(axis=1))
    still = sizes <= 0
    safe = np.where(still, 1.0, sizes)
    together: Matrix = influences @ influences.T / np.outer(safe, safe)
    together[still, :] = together[:, still] = 1.0
    np.fill_diagonal(together, 1.0)
    return together


def _root(lengths: Vector, together: Matrix) -> float:
    total: float = (lengths @ together @ lengths).item()
    return float(np.sqrt(max(0.0, total)))
