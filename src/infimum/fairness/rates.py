"""Rates of decisions, group by group, each with an exact interval."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from infimum.errors import DataError
from infimum.evaluation import ConfusionTable, PlainRecord, clopper_pearson
from infimum.typing import Mask

__all__ = ["GroupRates", "Rate", "group_rates"]

#: Every rate as (what is counted, among what), in words.
MEANINGS = {
    "base rate": "positives among all",
    "selection rate": "favourable decisions among all",
    "true positive rate": "favourable decisions among the positives",
    "false positive rate": "favourable decisions among the negatives",
    "false negative rate": "unfavourable decisions among the positives",
    "positive predictive value": "positives among the favourable decisions",
    "false omission rate": "positives among the unfavourable decisions",
    "error rate": "wrong decisions among all",
}


@dataclass(frozen=True)
class Rate(PlainRecord):
    """A share of rows and the exact interval for the true one.

    `value` is NaN where there is no row to take a share of; then the interval is
    [0, 1]: nothing is known.
    """

    value: float
    low: float
    high: float
    hits: int
    n: int


@dataclass(frozen=True)
class GroupRates(PlainRecord):
    """The rates of one group; `rates` has a `Rate` by name (see `group_rates`)."""

    name: str
    n: int
    rates: dict[str, Rate]
    confusion: ConfusionTable | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the rates as plain data."""
        rates = {name: rate.to_dict() for name, rate in self.rates.items()}
        return {"name": self.name, "n": self.n, "rates": rates}


def group_rates(
    decisions: ArrayLike,
    groups: ArrayLike,
    y: ArrayLike | None = None,
    *,
    favourable: Any = 1,
    confidence: float = 0.95,
) -> tuple[GroupRates, ...]:
    """Count the decisions in each group, against the truth if it is given.

    Parameters
    ----------
    decisions : array-like of shape (n,)
        What was decided, by a model or by people.
    groups : array-like of shape (n,)
        The sensitive attribute of each row.
    y : array-like of shape (n,), optional
        What was true; the positives are the rows where it is `favourable`.
    favourable : label, default=1
        The outcome one would like to get.
    confidence : float, default=0.95
        Of every interval by itself.

    Examples
    --------
    >>> from infimum.fairness import group_rates
    >>> women, men = group_rates([1, 0, 0, 1, 1, 0], ["f"] * 3 + ["m"] * 3)
    >>> women.name, round(women.rates["selection rate"].value, 2)
    ('f', 0.33)
    """
    chosen, names, true = _columns(decisions, groups, y, favourable)
    found = []
    for name in np.unique(names).tolist():
        here = names == name
        truth = None if true is None else true[here]
        found.append(_rates_of(str(name), chosen[here], truth, confidence))
    return tuple(found)


def _columns(
    decisions: ArrayLike, groups: ArrayLike, y: ArrayLike | None, favourable: Any
) -> tuple[Mask, NDArray[Any], Mask | None]:
    chosen, names = np.asarray(decisions), np.asarray(groups)
    true = None if y is None else np.asarray(y)
    lengths = {len(chosen), len(names), len(chosen if true is None else true)}
    if len(lengths) > 1 or chosen.ndim != 1 or len(chosen) == 0:
        raise DataError(
            "Fairness is measured on one decision, one group and one truth a row; the "
            f"lengths given are {sorted(lengths)}."
        )
    if names.dtype == object:
        names = names.astype(str)
    return chosen == favourable, names, None if true is None else true == favourable


def _rates_of(
    name: str, chosen: Mask, true: Mask | None, confidence: float
) -> GroupRates:
    n = len(chosen)
    counts = {"selection rate": (int(chosen.sum()), n)}
    confusion = None
    if true is not None:
        confusion = ConfusionTable(
            true_positives=int(np.sum(true & chosen)),
            false_negatives=int(np.sum(true & ~chosen)),
            false_positives=int(np.sum(~true & chosen)),
            true_negatives=int(np.sum(~true & ~chosen)),
        )
        counts |= _against_the_truth(confusion)
    rates = {key: _rate(*counts[key], confidence) for key in MEANINGS if key in counts}
    return GroupRates(name, n, rates, confusion)


def _against_the_truth(table: ConfusionTable) -> dict[str, tuple[int, int]]:
    found, missed = table.true_positives, table.false_negatives
    accused, spared = table.false_positives, table.true_negatives
    return {
        "base rate": (table.positives, table.positives + table.negatives),
        "true positive rate": (found, table.positives),
        "false positive rate": (accused, table.negatives),
        "false negative rate": (missed, table.positives),
        "positive predictive value": (found, found + accused),
        "false omission rate": (missed, missed + spared),
        "error rate": (missed + accused, table.positives + table.negatives),
    }


def _rate(hits: int, n: int, confidence: float) -> Rate:
    if n == 0:
        return Rate(float("nan"), 0.0, 1.0, 0, 0)
    interval = clopper_pearson(hits, n, confidence)
    return Rate(interval.estimate, interval.low, interval.high, hits, n)
