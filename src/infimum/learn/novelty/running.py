"""The job without a target: detectors race, the best one is calibrated and examined."""

import time
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from infimum.evaluation import EnergyMeter, Split, clopper_pearson
from infimum.features import TableEncoder
from infimum.learn.champion import NOBODY, find_champion
from infimum.learn.choosing import Standing, standings
from infimum.learn.decisions import Decisions
from infimum.learn.evidence import energy_of
from infimum.learn.final_fit import choose_and_fit
from infimum.learn.ground import features_in_use
from infimum.learn.interruption import CUT_OFF, STOPPED
from infimum.learn.job import LATE, Job
from infimum.learn.novelty.posing import imitate, pose_unlabelled, with_imitations
from infimum.learn.novelty.strangest import strangest
from infimum.learn.problem import Problem, split_off_test, splits_of
from infimum.learn.race import RaceOutcome
from infimum.learn.readable import strange_trees
from infimum.learn.refit import Refit, plain_proof
from infimum.learn.result import Choice, Exam, Lane, LearnResult
from infimum.learn.scoring import Criterion, criterion_for, measure, predict_all
from infimum.learn.suspicions import noting_copies
from infimum.learn.wishes import Wishes
from infimum.models.novelty import ConformalDetector
from infimum.theory.plain_record import plain

__all__ = ["NoveltyJob"]

CONFIDENCE = 0.95
_BINS = 20
_TOO_LATE = {"reason": "There was no time left for this; give a larger budget."}
#: Seconds for the strangest rows even when time is up: they are what was asked for.
_GRACE = 5.0


class NoveltyJob(Job):
    """One run through all stages, for a table without a target."""

    def run(
        self,
        data: Any,
        target: Any,
        task: str,
        wishes: Wishes,
        meter: EnergyMeter,
    ) -> LearnResult:
        """Return the detector, its promise and the strangest rows."""
        with self.stage("read"):
            problem = pose_unlabelled(data, target, wishes)
            split = split_off_test(problem, self.seed)
            problem = noting_copies(problem, split)
            training = problem.only(split.train)
            splits = splits_of(training, self.seed)
            posed, widened = with_imitations(training, splits, self.seed)
        self.warm(_with_questions(training), strange_trees())
        criterion = criterion_for(problem.classes, "novelty", None, wishes.alarm_rate)
        with self.stage("race"):
            outcome = self.race(posed, widened, criterion)
        choice, standing, final, lanes = self.take(training, outcome, criterion)
        champion = self.readable(posed, widened, outcome, criterion, choice, standing)
        if champion is None and not self.interrupted:
            final = final._replace(warnings=(*final.warnings, NOBODY))
        calibrating, examined = _halves(split.held_back, self.seed)
        with self.stage("test"):
            final = _calibrated(final, problem.rows[calibrating], wishes)
            exam = _examine(final, problem, examined, criterion, self.seed)
        with self.stage("explain"):
            strange = self.look(final, problem, split, splits, standing, choice)
        evidence = {**plain({"strangest": strange}), **energy_of(meter)}
        return self.result(
            problem,
            training,
            splits,
            criterion,
            outcome,
            final,
            choice=choice,
            exam=exam,
            lanes=lanes,
            coefficients=(),
            champion=champion,
            proof=plain_proof(final.pipeline[-1].detector_),
            evidence=evidence,
        )

    def take(
        self, training: Problem, outcome: RaceOutcome, criterion: Criterion
    ) -> tuple[Choice, Standing, Refit, tuple[Lane, ...]]:
        """Choose a detector, and fit it on all training rows."""
        standing = standings(outcome.heats)
        decisions = self.decisions(standing)
        with self.stage("refit"):
            choice, each, final, _ = choose_and_fit(
                training, standing, criterion, decisions=decisions
            )
        with self.stage("prove"):
            lanes = self.proved(training, standing, criterion, decisions)
        choice = replace(choice, weights=features_in_use(final.pipeline[-1]))
        return choice, each, final, lanes

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
        everybody = standings(outcome.heats)
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
        except STOPPED:
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


def _calibrated(final: Refit, rows: Any, wishes: Wishes) -> Refit:
    encoder, detector = final.pipeline[0], final.pipeline[-1]
    watch = ConformalDetector(detector, alarm_rate=wishes.alarm_rate or 0.05)
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
