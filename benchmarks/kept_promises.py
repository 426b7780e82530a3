"""What a run has promised, held against rows that it has never had."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import betabinom

from infimum.evaluation import loss_guarantee
from infimum.evaluation.conformal.rank import conformal_rank

__all__ = ["Promise", "coverage_place", "promises_of"]

#: How sure one must be to call a bound refuted.
_SURE = 0.99

Plain = dict[str, Any]


class Promise(NamedTuple):
    """A bound of a run, and what fresh rows say about what it bounds.

    `least` is what the true value exceeds with 99 % confidence, by the fresh rows.
    """

    quantity: str
    method: str
    models: int
    bound: float
    measured: float
    least: float

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
    said = np.asarray(model.predict(rows))
    exam = result["exam"]["bound"]
    made = []
    if exam["kind"] == "error rate":
        made.append(_judged("error rate", "exam", 1, exam["upper"], said != y))
    elif exam.get("limit") is not None:
        beyond = np.abs(y - said) > exam["limit"]
        share = 1 - exam["coverage"]
        made.append(_judged("share of larger errors", "exam", 1, share, beyond))
    for each in result["evidence"].get("guarantees", {}).get("bounds", []):
        losses, high = _losses(each["quantity"], said, model, rows, y, span)
        words = (each["quantity"], each["method"], each["comparisons"])
        made.append(_judged(*words, each["bound"], losses, high))
    return made


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
    quantity: str, method: str, models: int, bound: float, losses: Any, high: float = 1
) -> Promise:
    values = np.asarray(losses, dtype=float)
    # An upper bound of what is spared is a lower bound of what is lost.
    spared = loss_guarantee(high - values, _SURE, high=high)
    measured = float(values.mean())
    return Promise(quantity, method, models, bound, measured, high - spared.bound)


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
