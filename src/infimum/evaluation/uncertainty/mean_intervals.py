"""Where the mean of a law lies that is seen through some rows: crooked, weighted."""

import numpy as np
from scipy.stats import t as student

from infimum.evaluation.uncertainty.weighing import effective_rows
from infimum.typing import Vector

__all__ = ["mean_interval", "ratio_interval"]

#: Below this a skewness is none.
_STRAIGHT = 1e-9


def mean_interval(
    values: Vector,
    confidence: float = 0.95,
    weights: Vector | None = None,
    *,
    positive: bool = False,
) -> tuple[float, float]:
    """Return where the mean lies, approximately: by Student, corrected for skewness.

    It reaches as far as Student's interval and as the one whose skewness Hall's cubic
    transformation takes out; of what is `positive`, as the one on the scale of its
    logarithm. A weighted mean is a ratio of two sums, and scatters like the first one
    about it. Rare large values that did not come cannot be seen: the heavier the tail,
    the less the interval holds.

    Examples
    --------
    >>> low, high = mean_interval(np.array([1.0, 2.0, 2.0, 3.0, 2.0, 14.0]))
    >>> round(low, 2), round(high, 2)
    (-1.18, 20.87)

    References
    ----------
    P. Hall (1992), On the removal of skewness by transformation, JRSS B 54.
    """
    middle = float(np.average(values, weights=weights))
    counts = np.ones(len(values)) if weights is None else weights
    parts = counts * (values - middle) / float(counts.sum())
    below, above = _reaches(parts, effective_rows(counts), confidence)
    low, high = middle - below[0], middle + above[0]
    if positive and middle > 0:
        factor = float(np.exp(max(below[1], above[1]) / middle))
        return max(0.0, min(low, middle / factor)), max(high, middle * factor)
    reach = below[1]
    return min(low, middle - reach), max(high, middle + reach)


def ratio_interval(
    above: Vector,
    below: Vector,
    confidence: float = 0.95,
    weights: Vector | None = None,
) -> tuple[float, float]:
    """Return the interval of one positive mean divided by another of the same rows.

    Their logarithms differ by a mean, up to what is small beside its error.

    Examples
    --------
    >>> top, bottom = np.array([1.0, 2.0, 3.0, 2.0]), np.array([4.0, 4.0, 5.0, 3.0])
    >>> low, high = ratio_interval(top, bottom)
    >>> low < 0.5 < high
    True
    """
    counts = np.ones(len(above)) if weights is None else weights
    up = float(np.average(above, weights=weights))
    down = float(np.average(below, weights=weights))
    parts = counts * (above / up - below / down) / float(counts.sum())
    left, right = _reaches(parts, effective_rows(counts), confidence)
    ratio = up / down
    return ratio * float(np.exp(-max(left))), ratio * float(np.exp(max(right)))


def _reaches(
    parts: Vector, n: float, confidence: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return how far the truth may be below and above: by Hall, and by Student.

    The parts are what each row adds to the deviation of the mean; they sum to 0.
    """
    freedom = max(n - 1, 1.0)
    spread = float(np.square(parts).sum())
    if not spread > 0:
        return (0.0, 0.0), (0.0, 0.0)
    error = (spread * max(n, 2.0) / freedom) ** 0.5
    skew = float((parts**3).sum()) / spread**1.5
    wide = float(student.ppf(0.5 + confidence / 2, freedom))
    below, above = error * _straight(wide, skew), -error * _straight(-wide, skew)
    return (max(below, 0.0), error * wide), (max(above, 0.0), error * wide)


def _straight(quantile: float, skew: float) -> float:
    """Return which deviation has this quantile if the mean is skew (Hall's cubic)."""
    if abs(skew) < _STRAIGHT:
        return quantile
    inner = 1 + skew * (quantile - skew / 6)
    return float((np.cbrt(inner) - 1) / (skew / 3))
