"""A table without a target: detectors race, and the best one is calibrated.

It is examined on rows that nobody has seen, and tells the strangest ones.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from sklearn.pipeline import Pipeline

from infimum.data import SparseTable, Table, read_table
from infimum.errors import DataError, IncompatibleError
from infimum.evaluation import EnergyMeter, Split
from infimum.evaluation.scoring import Criterion, criterion_for
from infimum.features import TableEncoder
from infimum.learn.choose.final_fit import choose_and_fit
from infimum.learn.choose.readable import NOBODY, find_champion
from infimum.learn.choose.refit import Refit, fitted, plain_proof
from infimum.learn.choose.rule import Standing, standings
from infimum.learn.choose.small_models import imitate
from infimum.learn.choose.trials import strange_trees
from infimum.learn.choose.verdict import Verdict
from infimum.learn.clock import CUT_OFF
from infimum.learn.compare.race import RaceOutcome
from infimum.learn.evidence import energy_of
from infimum.learn.final_test import examine_alarms
from infimum.learn.folds import collecting, features_in_use, split_off_test, splits_of
from infimum.learn.job import LATE, Job
from infimum.learn.journal import Decisions
from infimum.learn.options import Options, moments_of
from infimum.learn.problem import TEST_FRACTION, Opened, Posed, Problem, column_notes
from infimum.learn.result import Choice, ContenderResult, Exam, Proof
from infimum.learn.tasks import noting_copies
from infimum.models.novelty import ConformalDetector
from infimum.theory.plain_record import plain
from infimum.typing import Vector

__all__ = ["NoveltyJob", "pose_unlabelled", "strangest", "with_imitations"]


#: Imitated rows, half of them of each kind.
_IMITATIONS = 2_000


def pose_unlabelled(data: Any, target: str | None, options: Options) -> Problem:
    """Read `data` and check that a detector can be learned from it."""
    _check_options(target, options)
    table = data if isinstance(data, Table | SparseTable) else read_table(data)
    if isinstance(table, SparseTable):
        raise IncompatibleError(
            f"Novelty needs a table with named columns; {table.source} has none."
        )
    fingerprint = table.fingerprint
    table = options.declared(table)
    options.check(table, "")
    used = [c.name for c in table.features() if options.learnable(c.name)]
    if not used:
        raise DataError(
            f"{table.source} has no column to learn from: all are left out, "
            "identifiers or constant."
        )
    _check_rows(table, options)
    kinds = {c.name: str(c.kind) for c in table.columns if c.name in used}
    return Problem(
        rows=table.frame,
        y=np.zeros(table.frame.height),
        task="novelty",
        goal="novelty",
        classes=np.array([]),
        target="",
        encoder=TableEncoder(kinds, sparse_output=False),
        kinds=kinds,
        columns=column_notes(table, used),
        source=table.source,
        fingerprint=fingerprint,
        warnings=(*table.warnings, *_about_splits(options)),
        groups=None if options.group is None else table.frame[options.group].to_numpy(),
        moments=moments_of(table, options.time),
        options=options,
    )


def with_imitations(
    training: Problem, splits: list[Split], seed: int
) -> tuple[Problem, list[Split]]:
    """Return the problem with imitated rows, which are held back in every fold.

    Their target is 1, that of real rows 0. Nobody learns from them.
    """
    fake = imitate(training.rows, training.kinds, _IMITATIONS, seed)
    size = training.rows.height
    places = np.arange(size, size + fake.height)
    posed = Problem(
        **{
            **vars(training),
            "rows": pl.concat([training.rows, fake]),
            "y": np.concatenate([training.y, np.ones(fake.height)]),
            "groups": None,
            "moments": None,
        }
    )
    widened = [
        Split(split.train, np.concatenate([split.held_back, places]))
        for split in splits
    ]
    return posed, widened


def _check_options(target: str | None, options: Options) -> None:
    if target:
        raise IncompatibleError(
            f"Novelty predicts no column; leave {target!r} out as target, and drop it "
            "if it may not be looked at."
        )
    for role, words in {"weights": "weights", "sensitive": "sensitive columns"}.items():
        if getattr(options, role):
            raise IncompatibleError(f"Novelty knows no {words}; leave them out.")
    if options.explain_row:
        raise IncompatibleError(
            "Novelty explains the strangest rows by itself; it takes no explain_row."
        )


def _check_rows(table: Table, options: Options) -> None:
    """Refuse a rate of alarms that so few rows cannot promise."""
    rate = options.alarm_rate or 0.05
    calibrating = int(table.frame.height * TEST_FRACTION / 2)
    if rate * (calibrating + 1) < 1:
        least = int(np.ceil(2 * (1 / rate - 1) / TEST_FRACTION))
        raise DataError(
            f"{table.source} has {table.frame.height} rows; to promise an alarm rate "
            f"of {rate:g} takes at least {least}."
        )


def _about_splits(options: Options) -> tuple[str, ...]:
    if not (options.group or options.time):
        return ()
    how = "group" if options.group else "time"
    said = (
        f"Rows were split by {how}, so the rate of alarms is measured, not promised: "
        "the promise needs rows that come in no order."
    )
    return (said,)


#: So many rows are told, with so many columns each.
_ROWS, _COLUMNS = 10, 4
#: Values of other rows that take the place of a suspicious one, and the most columns.
_TYPICAL, _MOST_COLUMNS = 24, 60


def strangest(
    pipeline: Any,
    problem: Problem,
    split: Split,
    splits: Sequence[Split],
    standing: Standing,
    value: float,
    seed: int,
) -> list[dict[str, Any]]:
    """Return the rows with the least scores, each judged by a model that never saw it.

    Rows to learn from are scored by the detector that the other folds have taught.
    """
    scores = np.empty(len(problem.y))
    held = split.held_back
    scores[held] = _scores(pipeline, problem.rows[held])
    training = problem.only(split.train)
    for fold in splits:
        with collecting():
            other = fitted(training.only(fold.train), standing, value)
        rows = fold.held_back
        scores[split.train[rows]] = _scores(other, training.rows[rows])
    calibration = pipeline[-1].calibration_scores_
    order = np.argsort(scores, kind="stable")[:_ROWS]
    typical = float(np.median(calibration))
    return [
        {
            "row": int(place) + 1,
            "score": float(scores[place]),
            "p_value": _p_value(calibration, float(scores[place])),
            "columns": _blamed(
                pipeline, training, problem.rows[[place]], typical, seed
            ),
        }
        for place in order.tolist()
    ]


def _scores(pipeline: Any, rows: Any) -> Vector:
    return np.asarray(pipeline.score_samples(rows), dtype=float)


def _p_value(calibration: Vector, score: float) -> float:
    below = int(np.searchsorted(calibration, score, side="right"))
    return (1 + below) / (len(calibration) + 1)


def _blamed(
    pipeline: Any, training: Problem, row: pl.DataFrame, typical: float, seed: int
) -> list[dict[str, Any]]:
    """Return the columns whose values of other rows would make a row less strange.

    The share is how much of the way to a typical score that is, on average.
    """
    names = list(training.kinds)[:_MOST_COLUMNS]
    rng = np.random.default_rng([seed, 11])
    others = training.rows[rng.integers(training.rows.height, size=_TYPICAL)]
    repeated = row[np.zeros(_TYPICAL, dtype=np.int64)]
    trials = [repeated.with_columns(others[name]) for name in names]
    scores = _scores(pipeline, pl.concat([row, *trials]))
    own, changed = scores[0], scores[1:].reshape(len(names), _TYPICAL)
    way = max(typical - float(own), 1e-12)
    # A value that fits even less well does not speak for the one that is there.
    shares = np.clip((changed - own) / way, 0.0, 1.0).mean(axis=1)
    order = np.argsort(-shares, kind="stable")[:_COLUMNS]
    return [
        {
            "column": names[place],
            "value": _written(row[names[place]][0]),
            "share": float(shares[place]),
        }
        for place in order.tolist()
        if shares[place] > 0
    ]


def _written(value: Any) -> str:
    if value is None:
        return "missing"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


_TOO_LATE = {"reason": "There was no time left for this; give a larger budget."}
#: Seconds for the strangest rows even when time is up: they are what was asked for.
_GRACE = 5.0


class NoveltyJob(Job):
    """One run through all stages, for a table without a target."""

    def posed(self, data: Any, target: Any, task: str, options: Options) -> Posed:
        """Read the table, split it, and imitate rows that do not go together."""
        problem = pose_unlabelled(data, target, options)
        split = split_off_test(problem, self.seed)
        problem = noting_copies(problem, split)
        training = problem.only(split.train)
        splits = splits_of(training, self.seed)
        raced = with_imitations(training, splits, self.seed)
        warmed = _with_questions(training)
        return Posed(
            problem, training, split, splits, raced, warmed, (strange_trees(),)
        )

    def criterion(self, problem: Problem) -> Criterion:
        """Return the criterion: how much room there is for strange rows."""
        rate = problem.options.alarm_rate
        return criterion_for(problem.classes, "novelty", None, rate)

    def decide(
        self, posed: Posed, criterion: Criterion, outcome: RaceOutcome
    ) -> Verdict:
        """Choose a detector, and the best one that a person can read."""
        choice, self.chosen, final, contenders = self.take(
            posed.training, outcome, criterion
        )
        raced, splits = posed.raced or (posed.training, posed.splits)
        champion = self.readable(raced, splits, outcome, criterion, choice, self.chosen)
        warnings = final.warnings
        if champion is None and not self.interrupted:
            warnings = (*warnings, NOBODY)
        final = final._replace(warnings=warnings, coefficients=())
        return Verdict(choice, final, champion, None, contenders)

    def tested(
        self, verdict: Verdict, posed: Posed, criterion: Criterion, test: Opened
    ) -> tuple[Verdict, Exam]:
        """Calibrate the alarm on half of the rows, and examine it on the others."""
        problem, held = posed.problem, posed.split.held_back
        calibrating, examined = _halves(held, self.seed)
        final = _calibrated(verdict.final, problem.rows[calibrating], problem.options)
        exam = examine_alarms(final, problem, examined, criterion, self.seed)
        return verdict._replace(final=final), exam

    def explain(
        self, verdict: Verdict, posed: Posed, test: Opened, meter: EnergyMeter
    ) -> dict[str, Any]:
        """Return the strangest rows and the energy."""
        strange = self.look(
            verdict.final,
            posed.problem,
            posed.split,
            posed.splits,
            self.chosen,
            verdict.choice,
        )
        return {**plain({"strangest": strange}), **energy_of(meter)}

    def proof(self, model: Any) -> Proof | None:
        """Return the certificate of the detector inside."""
        return plain_proof(model.detector_)

    def take(
        self, training: Problem, outcome: RaceOutcome, criterion: Criterion
    ) -> tuple[Choice, Standing, Refit, tuple[ContenderResult, ...]]:
        """Choose a detector, and fit it on all training rows."""
        standing = standings(outcome.tallies)
        decisions = self.decisions(standing)
        with self.stage("refit"):
            choice, each, final, _ = choose_and_fit(
                training, standing, criterion, decisions=decisions
            )
        with self.stage("prove"):
            contenders = self.proved(training, standing, criterion, decisions)
        choice = replace(choice, weights=features_in_use(final.pipeline[-1]))
        return choice, each, final, contenders

    def readable(
        self,
        posed: Problem,
        splits: Any,
        outcome: RaceOutcome,
        criterion: Criterion,
        choice: Choice,
        standing: Standing,
    ) -> dict[str, Any] | None:
        """Return the best detector that a person can read, and what it costs."""
        everybody = standings(outcome.tallies)
        winning = standing.errors[standing.values.index(choice.value)]
        asked = self.decisions(everybody)
        found = find_champion(
            _with_questions(posed),
            everybody,
            splits,
            criterion,
            winning,
            choice.name,
            asked,
        )
        self.interrupted |= asked.stopped
        return found

    def look(
        self,
        final: Refit,
        problem: Problem,
        split: Split,
        splits: Any,
        standing: Standing,
        choice: Choice,
    ) -> Any:
        """Return the strangest rows, or why nobody looked for them."""
        if self.interrupted:
            return []
        end = max(self.deadline(LATE), time.perf_counter() + _GRACE)
        given = problem, split, splits, standing, choice.value, self.seed
        try:
            found = Decisions(self.journal, [standing]).in_time(
                "strangest", partial(strangest, final.pipeline, *given), end
            )
        except KeyboardInterrupt:
            self.unexplained = True
            return {"reason": CUT_OFF}
        return _TOO_LATE if found is None else found


def _with_questions(problem: Problem) -> Problem:
    """Return the problem, its table also as trees ask about it."""
    return replace(problem, tree_encoder=TableEncoder(problem.kinds, view="trees"))


def _halves(held: Any, seed: int) -> tuple[Any, Any]:
    """Halve the rows held back: to calibrate the alarm, and to examine it."""
    order = np.random.default_rng([seed, 3]).permutation(len(held))
    middle = (len(held) + 1) // 2
    return held[np.sort(order[:middle])], held[np.sort(order[middle:])]


def _calibrated(final: Refit, rows: Any, options: Options) -> Refit:
    encoder, detector = final.pipeline[0], final.pipeline[-1]
    watch = ConformalDetector(detector, alarm_rate=options.alarm_rate or 0.05)
    watch.calibrate(detector, encoder.transform(rows))
    steps = [("encoder", encoder), ("model", watch)]
    return final._replace(pipeline=Pipeline(steps))
