"""What a run has promised, held against rows that it has never had."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import betabinom, norm

from infimum.evaluation import betting_guarantee, loss_guarantee
from infimum.evaluation.conformal.rank import conformal_rank

__all__ = ["Promise", "Reach", "coverage_place", "promises_of", "reaches_of"]

#: How sure one must be to call a bound refuted.
_SURE = 0.99
#: How often a bound may fail.
_CHANCE = 0.05

Plain = dict[str, Any]


class Promise(NamedTuple):
    """A bound of a run, and what fresh rows say about what it bounds.

    `least` is what the true value exceeds with 99 % confidence, by the fresh rows;
    `luck` the probability that they give more than a bound that is just kept: they are
    as lucky or unlucky as the test rows were.
    """

    quantity: str
    method: str
    models: int
    bound: float
    measured: float
    least: float
    luck: float

    @property
    def exceeded(self) -> bool:
        """Whether the fresh rows gave more than the bound, be it by their luck."""
        return self.measured > self.bound

    @property
    def refuted(self) -> bool:
        """Whether the fresh rows prove that the true value is beyond the bound."""
        return self.least > self.bound


class Reach(NamedTuple):
    """An interval that a run states, and what fresh rows say about its number.

    `luck` is the probability that they lie outside of an interval that holds its level.
    """

    metric: str
    low: float
    high: float
    measured: float
    luck: float

    @property
    def missed(self) -> bool:
        """Whether the fresh rows lie outside, be it by their luck."""
        return not self.low <= self.measured <= self.high


def promises_of(
    result: Plain,
    model: Any,
    rows: Any,
    y: NDArray[Any],
    span: float,
    weights: NDArray[Any] | None = None,
) -> list[Promise]:
    """Return every bound that a run states, with its measurement on fresh rows.

    `span` is the range of the training targets, beyond which no error counts; `weights`
    are those of the fresh rows, where a run was weighted.
    """
    said, exam = np.asarray(model.predict(rows)), result["exam"]
    told, n = exam["bound"], exam["rows"]
    made = []
    if told["kind"] == "error rate":
        wrong = said != y
        words = ("error rate", "Clopper-Pearson", 1)
        if told.get("weighted"):
            n, words = told["effective_rows"], ("error rate", "Korn-Graubard", 1)
        made.append(_judged(*words, told["upper"], wrong, n, 1, weights))
    elif told.get("limit") is not None:
        beyond = np.abs(y - said) > told["limit"]
        words, counts = ("share of larger errors", "order statistics", 1), None
        if told.get("weighted"):
            n, counts = told["effective_rows"], weights
            words = ("share of larger errors", "Korn-Graubard", 1)
        made.append(_judged(*words, 1 - told["coverage"], beyond, n, 1, counts))
    for each in result["evidence"].get("guarantees", {}).get("bounds", []):
        losses, high = _losses(each["quantity"], said, model, rows, y, span)
        words = (each["quantity"], each["method"], each["comparisons"])
        counts = weights if each["quantity"].startswith("weighted") else None
        made.append(_judged(*words, each["bound"], losses, n, high, counts))
    # The exam and the evidence may state the same.
    return list(dict.fromkeys(made))


def reaches_of(
    result: Plain,
    model: Any,
    rows: Any,
    y: NDArray[Any],
    classes: NDArray[Any],
    weights: NDArray[Any] | None = None,
) -> list[Reach]:
    """Return every interval of the test's metrics, with the metric on fresh rows."""
    from infimum.evaluation.scoring import Criterion, measure, predict_all

    exam, criterion = result["exam"], Criterion(**result["criterion"])
    said = predict_all(model, rows, classes)
    true = measure(y, said, classes, criterion, weights)
    n = exam["rows"]
    luck = 2 * float(norm.sf(norm.isf(_CHANCE / 2) / np.sqrt(1 + n / len(y))))
    made = []
    for metric, (low, high) in exam["curves"]["intervals"].items():
        measured = true.get(metric)
        if measured is not None and None not in (low, high):
            made.append(Reach(metric, low, high, measured, luck))
    return made


def coverage_place(coverage: Plain, calibration: int, tables: int = 1) -> str:
    """Say where the measured coverage lies: "in", "below" or "above" its band.

    The band is the one that all of so many tables keep to with 95 % probability.
    """
    n = coverage["n"]
    if "by their weights" in coverage.get("sentence", ""):
        low, high = coverage["band_low"], coverage["band_high"]
        above = "above" if coverage["measured"] > high else "in"
        return "below" if coverage["measured"] < low else above
    rank = min(conformal_rank(calibration, coverage["promised"]), calibration)
    law = betabinom(n, rank, calibration + 1 - rank)
    tail = 0.025 / tables
    covered = round(coverage["measured"] * n)
    if covered < law.ppf(tail):
        return "below"
    return "above" if covered > law.ppf(1 - tail) else "in"


def _judged(
    quantity: str,
    method: str,
    models: int,
    bound: float,
    losses: Any,
    n: float,
    high: float = 1,
    weights: NDArray[Any] | None = None,
) -> Promise:
    values = np.asarray(losses, dtype=float)
    # An upper bound of what is spared is a lower bound of what is lost.
    if weights is None:
        spared = loss_guarantee(high - values, _SURE, high=high)
    else:
        spared = betting_guarantee(high - values, _SURE, high=high, weights=weights)
    measured = float(np.average(values, weights=weights))
    # Both averages scatter: the bound is that many errors of the test rows away.
    reach = norm.isf(_CHANCE / models) * np.sqrt(len(values) / (n + len(values)))
    least, luck = high - spared.bound, float(norm.sf(reach))
    return Promise(quantity, method, models, bound, measured, least, luck)


def _losses(
    quantity: str, said: Any, model: Any, rows: Any, y: Any, span: float
) -> tuple[Any, float]:
    quantity = quantity.removeprefix("weighted ")
    if quantity == "mean absolute error":
        return np.minimum(np.abs(y - said), span), span
    if quantity.startswith("squared error"):
        chances = np.asarray(model.predict_proba(rows), dtype=np.float64)
        truth = y[:, None] == np.asarray(model.classes_)[None, :]
        return np.clip(0.5 * np.square(chances - truth).sum(axis=1), 0, 1), 1.0
    return said != y, 1.0
