"""What every section of the evidence is given, and the notes it leaves."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import betabinom

from infimum.errors import DataError
from infimum.evaluation import (
    Coverage,
    Guarantee,
    betting_guarantee,
    conformal_rank,
    loss_guarantee,
)
from infimum.evaluation.uncertainty.weighing import effective_rows, weighted_share
from infimum.learn.choose.rule import HeldBack
from infimum.learn.journal import Journal
from infimum.learn.problem import Problem
from infimum.theory.plain_record import plain
from infimum.typing import Indices, Vector

__all__ = [
    "CONFIDENCE",
    "Case",
    "Notebook",
    "TooLateError",
    "bounded",
    "comparisons",
    "counts_of",
    "halves",
    "plain_coverage",
    "says_something",
]


CONFIDENCE = 0.95
_PROBE, _TWO_CLASSES, _FEW_CELLS = 200, 2, 2_000_000
#: Unseen rows from which on more of them tell the pace, and the share of the time left
#: that one answer about each of those that are kept may take.
_MANY, _LONG_PROBE, _ALL_SHARE, _LEAST_LEFT = 20_000, 4_000, 0.1, 5.0
#: Fewer unseen rows than this cannot calibrate and measure.
_FEWEST = 20


class TooLateError(Exception):
    """A section that cannot be finished in the time that is left."""


@dataclass
class Case:
    """A model, the rows it learned from and rows that it has never seen.

    `deadline` is a moment of `time.perf_counter`; `pace` the seconds that the model
    needs to answer about one row; `expected_error` the error rate by cross-validation;
    `weights` for how many rows of the population each unseen row stands; `held_back`
    what was said of the rows held back in the folds, if that was kept; `again` fits the
    same on other rows, which took `last_fit` seconds the last time.
    """

    model: Any
    training: Problem
    rows: Any
    y: NDArray[Any]
    classes: NDArray[Any]
    task: str
    sensitive: tuple[str, ...]
    models_compared: int
    seed: int
    deadline: float
    pace: float = 0.0
    expected_error: float | None = None
    weights: Vector | None = None
    held_back: tuple[HeldBack, ...] = ()
    again: Callable[[Problem], Any] | None = None
    last_fit: float = 0.0

    def __post_init__(self) -> None:
        if self.pace > 0:
            return
        probe = _PROBE if self.n_rows < _MANY else _LONG_PROBE
        sample = self.rows[: min(probe, self.n_rows)]
        # The first call may compile; the second one tells the pace.
        for _ in range(2):
            began = time.perf_counter()
            getattr(self.model, self._slowest)(sample)
            self.pace = (time.perf_counter() - began) / max(1, sample.shape[0])

    def bearable(self) -> "Case":
        """Return the case with as many unseen rows as there is time to ask about.

        They are drawn at random, so that what is promised by them holds all the same.
        """
        left = max(_LEAST_LEFT, self.deadline - time.perf_counter())
        count = max(_LONG_PROBE, int(_ALL_SHARE * left / max(self.pace, 1e-12)))
        if count >= self.n_rows or self.training.to_explain is not None:
            return self
        order = np.random.default_rng([self.seed, 0]).permutation(self.n_rows)
        kept = np.sort(order[:count])
        tested = self.training.tested
        return replace(
            self,
            training=replace(
                self.training, tested=None if tested is None else tested[kept]
            ),
            rows=self.rows[kept],
            y=self.y[kept],
            weights=None if self.weights is None else self.weights[kept],
        )

    @property
    def _slowest(self) -> str:
        return "predict_proba" if hasattr(self.model, "predict_proba") else "predict"

    @property
    def n_rows(self) -> int:
        """Number of unseen rows."""
        return int(self.rows.shape[0])

    @property
    def classifies(self) -> bool:
        """Whether the model names classes."""
        return len(self.classes) > 0

    @property
    def binary(self) -> bool:
        """Whether there are two classes."""
        return len(self.classes) == _TWO_CLASSES

    @property
    def heaviest(self) -> float | None:
        """What a row weighs at most: as much as any that was learned from."""
        learned = self.training.weights
        if self.weights is None or learned is None or not learned.any():
            return None
        return float(learned.max())

    @property
    def named(self) -> bool:
        """Whether the columns have names: a table, no sparse matrix."""
        return hasattr(self.rows, "columns")

    @property
    def columns(self) -> list[Any]:
        """The columns that the model may use, by name or position."""
        if not self.named:
            return list(range(self.rows.shape[1]))
        used = [note.name for note in self.training.columns if note.used]
        return [name for name in used if name in self.rows.columns]

    def number(self, place: int) -> int | None:
        """Return which row of the data an unseen row is, counted from 1, if known."""
        numbers = self.training.tested
        return None if numbers is None else int(numbers[place])

    def affordable(
        self, share: float, most: int, least: int = 1, *, grace: float = 0.0
    ) -> int:
        """Return how many answers fit in a share of the time left, at most `most`.

        What a job owes in any case may take `grace` seconds even if the time is up.

        Raises
        ------
        TooLateError
            If not even `least` answers fit.
        """
        left = max(grace, share * (self.deadline - time.perf_counter()))
        count = most if self.pace <= 0 else int(min(most, left / self.pace))
        if left <= 0 or count < least:
            raise TooLateError
        return count

    def some(self, most: int, stream: int = 0, *, both: bool = False) -> Indices:
        """Draw the positions of at most so many unseen rows, in order.

        With `both`, each of two classes has a quarter of them, if it has as many rows.
        """
        if not self.named:
            most = max(1, min(most, _FEW_CELLS // max(1, self.rows.shape[1])))
        order = np.random.default_rng([self.seed, stream]).permutation(self.n_rows)
        if both and self.y.ndim == 1:
            of_class = [order[self.y[order] == label] for label in self.classes]
            first = np.concatenate([rows[: most // 4] for rows in of_class])
            order = np.concatenate([first, order[~np.isin(order, first)]])
        return np.sort(order[:most])

    def scores(self) -> Vector:
        """Return a number a row that grows with the last class, or the prediction."""
        if not self.classifies:
            return np.asarray(self.model.predict(self.rows), dtype=np.float64)
        if hasattr(self.model, "predict_proba"):
            return np.asarray(self.model.predict_proba(self.rows))[:, -1]
        scores = np.asarray(self.model.decision_function(self.rows), dtype=np.float64)
        return scores if scores.ndim == 1 else np.asarray(scores[:, -1])


class Notebook:
    """Findings about one model, in memory and in the journal of its run.

    Parameters
    ----------
    journal : Journal, optional
        Where finished sections are kept, so that a resumed run need not repeat them.
    about : plain data
        What tells the model from others; findings about another one are not recalled.

    Attributes
    ----------
    found : dict
        What has been found so far, a key a section.
    stopped : bool
        Whether Ctrl-C was pressed on the way.
    """

    def __init__(self, journal: Journal | None = None, about: Any = None) -> None:
        self.journal = journal or Journal(None)
        self.about = plain(about)
        self.found: dict[str, Any] = {}
        self.stopped = False

    def recall(self, name: str) -> bool:
        """Whether a section had been finished before the run was killed."""
        note = self.journal.noted(f"finding-{name}")
        if note is None or note["about"] != self.about:
            return False
        self.found[name] = note["found"]
        return True

    def keep(self, name: str, finding: Any) -> None:
        """Write down a finished section."""
        self.found[name] = plain(finding)
        known = {"about": self.about, "found": self.found[name]}
        self.journal.note(f"finding-{name}", known)


def bounded(
    case: Case,
    losses: Any,
    quantity: str,
    *,
    comparisons: int = 1,
    high: float = 1.0,
) -> Guarantee:
    """Bound a mean loss; where rows are weighed, the mean of those they stand for."""
    shared: Any = {"high": high, "comparisons": comparisons}
    if case.weights is None:
        return loss_guarantee(losses, CONFIDENCE, quantity=quantity, **shared)
    return betting_guarantee(
        losses,
        CONFIDENCE,
        quantity=f"weighted {quantity}",
        weights=case.weights,
        heaviest=case.heaviest,
        **shared,
    )


def counts_of(case: Case, rows: Indices) -> Vector | None:
    """Return the weights of some unseen rows, none above the heaviest known."""
    if case.weights is None:
        return None
    most = np.inf if case.heaviest is None else case.heaviest
    return np.minimum(case.weights[rows], most)


def plain_coverage(
    case: Case, coverage: Coverage, covered: NDArray[Any], here: Indices, there: Indices
) -> dict[str, Any]:
    """Return what was covered, by weight if rows are weighed.

    Then the interval and the band are those of as many rows as scatter alike.
    """
    calibrating, measured = counts_of(case, here), counts_of(case, there)
    if calibrating is None or measured is None:
        return coverage.to_dict()
    if not (calibrating.any() and measured.any()):
        return coverage.to_dict()
    sure = weighted_share(covered, measured, CONFIDENCE)
    low, high = _band(
        coverage.promised, effective_rows(calibrating), effective_rows(measured)
    )
    note = replace(
        coverage,
        measured=sure.estimate,
        low=sure.low,
        high=sure.high,
        band_low=low,
        band_high=high,
    ).to_dict()
    counted = " unseen rows, counted by their weights, were covered"
    note["sentence"] = note["sentence"].replace(" unseen rows were covered", counted)
    return note


def _band(promised: float, calibrating: float, measured: float) -> tuple[float, float]:
    n, m = max(1, round(calibrating)), max(1, round(measured))
    rank = min(conformal_rank(n, promised), n)
    law, tail = betabinom(m, rank, n + 1 - rank), (1 - CONFIDENCE) / 2
    return float(law.ppf(tail)) / m, float(law.ppf(1 - tail)) / m


_COIN = 0.5


def halves(case: Case) -> tuple[Indices, Indices]:
    """Halve the test rows: to calibrate, and to measure."""
    if case.n_rows < _FEWEST:
        raise DataError(
            f"{case.n_rows} test rows are too few to calibrate and measure coverage; "
            f"{_FEWEST} are needed."
        )
    order = np.random.default_rng([case.seed, 11]).permutation(case.n_rows)
    middle = case.n_rows // 2
    return np.sort(order[:middle]), np.sort(order[middle:])


def says_something(promise: Guarantee) -> bool:
    """Whether a bound is below what nobody doubts; a coin errs in half of the cases."""
    if promise.quantity == "error rate" and promise.capacity > 0:
        return promise.bound < _COIN
    return not promise.vacuous


def comparisons(case: Case) -> list[int]:
    """Return among how many models the choice was: one, and all that were tried."""
    return [1] if case.models_compared == 1 else [1, case.models_compared]
