"""Coverage: how often intervals or sets did contain the truth, against the promise."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import betabinom, binom

from infimum.errors import DataError
from infimum.evaluation.conformal.rank import conformal_rank
from infimum.parameters import check_domain, opened
from infimum.theory.intervals import clopper_pearson
from infimum.theory.plain_record import PlainRecord
from infimum.typing import Vector

__all__ = ["Coverage", "measure_coverage"]


@dataclass(frozen=True)
class Coverage(PlainRecord, told=("kept", "sentence")):
    """The coverage measured on rows that neither learning nor calibration has seen.

    Attributes
    ----------
    promised, measured : float
        The share of rows promised to be covered, and the share that was.
    n : int
        Rows measured.
    low, high : float
        Exact interval for the true coverage (Clopper and Pearson).
    band_low, band_high : float
        Where the measured share lies with probability `confidence` if the promise is
        just kept; the luck of the calibration rows is included where their number was
        given.
    size : float
        Median width of the intervals, or average number of labels in the sets.
    groups : dict from str to Coverage
        The same for each group.
    """

    promised: float
    measured: float
    n: int
    low: float
    high: float
    band_low: float
    band_high: float
    confidence: float
    size: float
    groups: dict[str, Any]

    @property
    def kept(self) -> bool:
        """Whether the measured share is not below the band of a kept promise."""
        return self.measured >= self.band_low

    @property
    def sentence(self) -> str:
        """The comparison in words."""
        verdict = "which is below"
        if self.kept:
            above = self.measured > self.band_high
            verdict = "which is above" if above else "which agrees with"
        return (
            f"{100 * self.measured:.3g} % of {self.n:,} unseen rows were covered, "
            f"{verdict} the {100 * self.promised:.3g} % promised "
            f"(between {100 * self.band_low:.3g} % and {100 * self.band_high:.3g} % "
            f"are expected)."
        )

    @classmethod
    def _of(
        cls,
        covered: Vector,
        sizes: Vector,
        promised: float,
        confidence: float,
        n_calibration: int | None,
    ) -> Self:
        n = len(covered)
        law = _law(n, promised, n_calibration)
        tail = (1 - confidence) / 2
        interval = clopper_pearson(int(covered.sum()), n, confidence)
        intervals = sizes.dtype.kind == "f"
        return cls(
            promised=promised,
            measured=interval.estimate,
            n=n,
            low=interval.low,
            high=interval.high,
            band_low=float(law.ppf(tail)) / n,
            band_high=float(law.ppf(1 - tail)) / n,
            confidence=confidence,
            size=float(np.median(sizes) if intervals else np.mean(sizes)),
            groups={},
        )


def measure_coverage(
    answers: ArrayLike,
    y: ArrayLike,
    promised: float = 0.9,
    *,
    classes: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    n_calibration: int | None = None,
    confidence: float = 0.95,
) -> Coverage:
    """Count how often intervals or sets contain the truth, and judge the promise.

    Parameters
    ----------
    answers : array-like
        Intervals of shape (n, 2), or sets as a boolean array with a column for each of
        `classes`.
    y : array-like of shape (n,)
        The truth.
    classes : array-like, optional
        The labels of the columns of sets; None means that `answers` are intervals.
    groups : array-like of shape (n,), optional
        Measure within each of these groups too.
    n_calibration : int, optional
        How many rows calibrated the answers.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.evaluation import measure_coverage
    >>> found = measure_coverage(np.tile([0.0, 0.9], (1000, 1)), np.arange(1000) / 1000)
    >>> found.measured, found.kept
    (0.901, True)
    """
    check_domain("measure_coverage's promised", promised, opened(0, 1))
    check_domain("measure_coverage's confidence", confidence, opened(0, 1))
    covered, sizes = _covered(np.asarray(answers), np.asarray(y), classes)
    if len(covered) == 0:
        raise DataError("measure_coverage needs at least one row, got none.")
    shared = (promised, confidence)
    parts: dict[str, Coverage] = {}
    if groups is not None:
        names = np.asarray(groups).astype(str)
        for name in np.unique(names).tolist():
            rows = names == name
            parts[name] = Coverage._of(covered[rows], sizes[rows], *shared, None)
    whole = Coverage._of(covered, sizes, *shared, n_calibration)
    return Coverage(**{**vars(whole), "groups": parts})


def _covered(answers: Any, y: Any, classes: Any) -> tuple[Vector, Vector]:
    if len(answers) != len(y):
        message = f"{len(answers)} answers and {len(y)} rows"
        raise DataError(f"measure_coverage needs one answer a row, got {message}.")
    if classes is None:
        low, high = np.asarray(answers, dtype=np.float64).T
        return np.asarray((low <= y) & (y <= high)), high - low
    labels = np.asarray(classes)
    inside = np.any(answers & (labels[None, :] == y[:, None]), axis=1)
    return inside, answers.sum(axis=1)


def _law(n: int, promised: float, n_calibration: int | None) -> Any:
    if n_calibration is None:
        return binom(n, promised)
    # Given its calibration rows the coverage is a beta variable, the law of an order
    # statistic of uniform ranks; test rows are then binomial.
    rank = min(conformal_rank(n_calibration, promised), n_calibration)
    return betabinom(n, rank, n_calibration + 1 - rank)
