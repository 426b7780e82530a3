"""What a run has promised, held against rows that it has never had."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import betabinom, norm

from infimum.evaluation import loss_guarantee
from infimum.evaluation.conformal.rank import conformal_rank

__all__ = ["Promise", "coverage_place", "promises_of"]

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


def promises_of(
    result: Plain, model: Any, rows: Any, y: NDArray[Any], span: float
) -> list[Promise]:
    """Return every bound that a run states, with its measurement on fresh rows.

    `span` is the range of the training targets, beyond which no error counts.
    """
    said, exam = np.asarray(model.predict(rows)), result["exam"]
    told, n = exam["bound"], exam["rows"]
    made = []
    if told["kind"] == "error rate":
        wrong = said != y
        made.append(
            _judged("error rate", "Clopper-Pearson", 1, told["upper"], wrong, n)
        )
    elif told.get("limit") is not None:
        beyond = np.abs(y - said) > told["limit"]
        words = ("share of larger errors", "order statistics", 1)
        made.append(_judged(*words, 1 - told["coverage"], beyond, n))
    for each in result["evidence"].get("guarantees", {}).get("bounds", []):
        losses, high = _losses(each["quantity"], said, model, rows, y, span)
        words = (each["quantity"], each["method"], each["comparisons"])
        made.append(_judged(*words, each["bound"], losses, n, high))
    # The exam and the evidence may state the same.
    return list(dict.fromkeys(made))


def coverage_place(coverage: Plain, calibration: int, tables: int = 1) -> str:
    """Say where the measured coverage lies: "in", "below" or "above" its band.

    The band is the one that all of so many tables keep to with 95 % probability.
    """
    n = coverage["n"]
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
    n: int,
    high: float = 1,
) -> Promise:
    values = np.asarray(losses, dtype=float)
    # An upper bound of what is spared is a lower bound of what is lost.
    spared = loss_guarantee(high - values, _SURE, high=high)
    measured = float(values.mean())
    # Both averages scatter: the bound is that many errors of the test rows away.
    reach = norm.isf(_CHANCE / models) * np.sqrt(len(values) / (n + len(values)))
    least, luck = high - spared.bound, float(norm.sf(reach))
    return Promise(quantity, method, models, bound, measured, least, luck)


def _losses(
    quantity: str, said: Any, model: Any, rows: Any, y: Any, span: float
) -> tuple[Any, float]:
    if quantity == "mean absolute error":
        return np.minimum(np.abs(y - said), span), span
    if quantity.startswith("squared error"):
        chances = np.asarray(model.predict_proba(rows), dtype=np.float64)
        truth = y[:, None] == np.asarray(model.classes_)[None, :]
        return np.clip(0.5 * np.square(chances - truth).sum(axis=1), 0, 1), 1.0
    return said != y, 1.0
