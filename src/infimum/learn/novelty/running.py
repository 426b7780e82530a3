"""The job without a target: detectors race, and the best one is calibrated.

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

from infimum.evaluation import EnergyMeter, Split, clopper_pearson
from infimum.evaluation.scoring import Criterion, criterion_for, measure, predict_all
from infimum.features import TableEncoder
from infimum.learn.choose.champion import NOBODY, find_champion
from infimum.learn.choose.decisions import Decisions
from infimum.learn.choose.final_fit import choose_and_fit
from infimum.learn.choose.refit import Refit, fitted, plain_proof
from infimum.learn.choose.rule import Standing, standings
from infimum.learn.choose.verdict import Verdict
from infimum.learn.clock import CUT_OFF
from infimum.learn.compare.race import RaceOutcome
from infimum.learn.encoded_fold import collecting, features_in_use
from infimum.learn.evidence import energy_of
from infimum.learn.job import LATE, Job
from infimum.learn.novelty.posing import imitate, pose_unlabelled, with_imitations
from infimum.learn.options import Options
from infimum.learn.problem import (
    Opened,
    Posed,
    Problem,
    split_off_test,
    splits_of,
)
from infimum.learn.readable import strange_trees
from infimum.learn.result import Choice, ContenderResult, Exam, Proof
from infimum.learn.warnings_about_data import noting_copies
from infimum.models.novelty import ConformalDetector
from infimum.theory.plain_record import plain
from infimum.typing import Vector

__all__ = ["NoveltyJob", "strangest"]

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


CONFIDENCE = 0.95
_BINS = 20
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
        exam = _examine(final, problem, examined, criterion, self.seed)
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


def _examine(
    final: Refit, problem: Problem, rows: Any, criterion: Criterion, seed: int
) -> Exam:
    """Count the alarms among rows that neither detector nor calibration has seen."""
    encoder, watch = final.pipeline[0], final.pipeline[-1]
    X = encoder.transform(problem.rows[rows])
    p_values = watch.p_values(X)
    alarms = int(np.sum(p_values <= watch.alarm_rate))
    fake = imitate(problem.rows, problem.kinds, 2_000, seed + 1)
    X_fake = encoder.transform(fake)
    said = predict_all(watch, np.vstack([X, X_fake]), problem.classes)
    y = np.concatenate([np.zeros(len(rows)), np.ones(fake.height)])
    caught = int(np.sum(watch.p_values(X_fake) <= watch.alarm_rate))
    metrics = measure(y, said, problem.classes, criterion)
    metrics |= {
        "alarm_rate": alarms / max(1, len(rows)),
        "caught": caught / fake.height,
    }
    interval = clopper_pearson(alarms, max(1, len(rows)), CONFIDENCE)
    bound = {
        "kind": "alarm rate",
        "promised": float(watch.alarm_rate),
        "alarms": alarms,
        "calibration_rows": len(watch.calibration_scores_),
        **interval._asdict(),
    }
    counts, edges = np.histogram(p_values, bins=_BINS, range=(0.0, 1.0))
    caught_ends = clopper_pearson(caught, fake.height, CONFIDENCE)
    curves = {
        "p_values": {"edges": edges.tolist(), "counts": counts.tolist()},
        "intervals": {"caught": [caught_ends.low, caught_ends.high]},
    }
    return Exam(len(rows), metrics, bound, curves)
