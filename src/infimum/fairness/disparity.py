"""Disparities: how far apart the rates of groups are, with an interval."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError, InvalidParameterError
from infimum.evaluation import PlainRecord, clopper_pearson
from infimum.fairness.criteria import CRITERIA, FAMILIES
from infimum.fairness.rates import GroupRates, Rate, group_rates

__all__ = ["Disparity", "disparity", "measure_disparity", "unfairness"]

#: The name under which each family is measured.
_FULL = {
    "independence": "demographic parity",
    "separation": "equalised odds",
    "sufficiency": "conditional use accuracy",
}


@dataclass(frozen=True)
class Disparity(PlainRecord, told=("proved", "sentence")):
    """The largest difference of a criterion's rates between two groups.

    Attributes
    ----------
    criterion, family : str
    difference : float
        Largest minus smallest rate; 0 is fair. NaN if no two groups have the rate.
    ratio, ratio_low, ratio_high : float
        Smallest divided by largest rate; 1 is fair. The interval is that of the rate
        that differs most, from the same simultaneous intervals.
    low, high : float
        Interval for the true largest difference, from simultaneous exact intervals.
    rate : str
        The rate that differs most.
    most, least : str
        The groups with the largest and the smallest rate.
    confidence : float
    """

    criterion: str
    family: str
    difference: float
    ratio: float
    low: float
    high: float
    rate: str
    most: str
    least: str
    confidence: float
    ratio_low: float = 0.0
    ratio_high: float = 1.0

    @property
    def proved(self) -> bool:
        """Whether the data prove that the criterion is violated."""
        return self.low > 0

    @property
    def sentence(self) -> str:
        """The disparity in words."""
        if not np.isfinite(self.difference):
            return f"Too few rows to measure {self.criterion}."
        verdict = "violated beyond chance" if self.proved else "not refuted by the data"
        return (
            f"{self.criterion.capitalize()} ({self.family}): the {self.rate} of "
            f"{self.most} exceeds that of {self.least} by "
            f"{100 * self.difference:.1f} points (between {100 * self.low:.1f} and "
            f"{100 * self.high:.1f} at {100 * self.confidence:g} % confidence), "
            f"{verdict}."
        )


def measure_disparity(
    decisions: ArrayLike,
    groups: ArrayLike,
    y: ArrayLike | None = None,
    criterion: str = "independence",
    *,
    favourable: Any = 1,
    confidence: float = 0.95,
) -> Disparity:
    """Measure how far decisions are from a criterion of group fairness.

    Parameters
    ----------
    decisions, groups, y, favourable, confidence : see `group_rates`
    criterion : str, default="independence"
        A family (independence, separation, sufficiency) or one of `CRITERIA`.

    Examples
    --------
    >>> from infimum.fairness import measure_disparity
    >>> found = measure_disparity([1] * 9 + [0] + [1] * 5 + [0] * 5, ["a"] * 10 + ["b"] * 10)
    >>> round(found.difference, 6), found.most, found.proved
    (0.4, 'a', False)
    """  # noqa: E501
    counted = group_rates(
        decisions, groups, y, favourable=favourable, confidence=confidence
    )
    return disparity(counted, criterion, confidence)


def disparity(
    counted: tuple[GroupRates, ...], criterion: str, confidence: float = 0.95
) -> Disparity:
    """Return the disparity of rates that have been counted already."""
    name = _FULL.get(criterion, criterion)
    if name not in CRITERIA or not CRITERIA[name].rates:
        known = [*FAMILIES, *(n for n, each in CRITERIA.items() if each.rates)]
        raise InvalidParameterError(
            f"The criterion must be one of {', '.join(known)}, got {criterion!r}."
        )
    needed = CRITERIA[name].rates
    if any(rate not in counted[0].rates for rate in needed):
        raise DataError(f"{name.capitalize()} needs the truth y beside the decisions.")
    # All intervals hold together: each may fail with its share of the risk.
    n_intervals = len(needed) * len(counted)
    each = 1 - (1 - confidence) / n_intervals
    spans = [_span(rate, counted, each) for rate in needed]
    found = [span for span in spans if np.isfinite(span["difference"])] or spans
    widest = max(found, key=lambda span: np.nan_to_num(span["difference"], nan=-1.0))
    return Disparity(
        criterion=name,
        family=CRITERIA[name].family,
        **{
            **widest,
            "low": max(span["low"] for span in spans),
            "high": max(span["high"] for span in spans),
        },
        confidence=confidence,
    )


def unfairness(scores: ArrayLike, attribute: ArrayLike) -> float:
    r"""Return the signed difference of positive scores between two groups.

    .. math:: \frac{1}{n_1}\sum_{a_i=1} 1[f(x_i)>0]
        - \frac{1}{n_0}\sum_{a_i=0} 1[f(x_i)>0]

    It depends on the signs of the scores only, not on their scale.

    Examples
    --------
    >>> from infimum.fairness import unfairness
    >>> unfairness([1.0, -1.0, 2.0, 3.0], [0, 0, 1, 1])
    0.5
    """
    chosen = np.asarray(scores, dtype=np.float64) > 0
    member = np.asarray(attribute)
    if not np.isin(member, (0, 1)).all() or len(np.unique(member)) != 2:  # noqa: PLR2004
        raise DataError("unfairness needs an attribute with the values 0 and 1.")
    return float(chosen[member == 1].mean() - chosen[member == 0].mean())


def _span(rate: str, counted: tuple[GroupRates, ...], confidence: float) -> Any:
    """Return the largest difference of a rate, and what intervals say about it."""
    known = [(group.name, group.rates[rate]) for group in counted]
    wide = [_again(each, confidence) for _, each in known]
    lows, highs = [each.low for each in wide], [each.high for each in wide]
    seen = [(each.value, name) for name, each in known if each.n > 0]
    most, least = max(seen, default=(np.nan, "")), min(seen, default=(np.nan, ""))
    several = len(seen) > 1
    ratio = least[0] / most[0] if several and most[0] > 0 else float("nan")
    # If every rate lies in its interval, so do their largest and their smallest.
    return {
        "difference": float(most[0] - least[0]) if several else float("nan"),
        "low": max(0.0, max(lows) - min(highs)) if several else 0.0,
        "high": min(1.0, max(highs) - min(lows)) if several else 1.0,
        "ratio": 1.0 if several and most[0] == 0 else float(ratio),
        "ratio_low": min(lows) / max(highs) if several and max(highs) else 0.0,
        "ratio_high": min(highs) / max(*lows, min(highs)) if several else 1.0,
        "rate": rate,
        "most": most[1],
        "least": least[1],
    }


def _again(rate: Rate, confidence: float) -> Rate:
    if rate.n == 0:
        return rate
    interval = clopper_pearson(rate.hits, rate.n, confidence)
    return Rate(rate.value, interval.low, interval.high, rate.hits, rate.n)
