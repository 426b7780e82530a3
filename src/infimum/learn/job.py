"""The main job: a table in; a chosen, certified and tested model out."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

from infimum.evaluation import EnergyMeter, SealedTestSet, Split
from infimum.learn.alarm import alarm
from infimum.learn.choosing import standings
from infimum.learn.contenders import (
    Contender,
    classifiers,
    count_models,
    ordered_classifiers,
    quantile_models,
    regressors,
)
from infimum.learn.detectors import detectors
from infimum.learn.evidence import Section, energy_of, gather
from infimum.learn.evidence.case import TooLateError
from infimum.learn.exam import examine
from infimum.learn.interruption import listening
from infimum.learn.journal import Journal, closing_on_failure
from infimum.learn.label_models import label_models
from infimum.learn.lanes import run_lanes
from infimum.learn.problem import Problem, pose, split_off_test, splits_of
from infimum.learn.race import Progress, RaceOutcome, Step, race
from infimum.learn.refit import Refit, plain_proof
from infimum.learn.result import LearnResult, Stage
from infimum.learn.run_directory import Renderer, check_place, write_run
from infimum.learn.scoring import Criterion, criterion_for
from infimum.learn.summaries import summary, told
from infimum.learn.suspicions import noting_copies
from infimum.learn.verdict import Verdict, settle
from infimum.learn.versions import installed_versions
from infimum.learn.warming import warm
from infimum.learn.wishes import Wishes, checked_share
from infimum.parameters import check_domain, positive, whole

__all__ = ["LATE", "Job", "learn"]

#: What part of the budget the race may use; then come refitting and proofs, the exam
#: and the evidence.
_RACE_SHARE, _PROOF_SHARE, _WHOLE = 0.65, 0.8, 1.0
#: When evidence that is being gathered is given up.
LATE = 1.1
#: Seconds for what is promised of a model, even when the time is up.
_GRACE = 5.0
_HALF = 0.5


def learn(
    data: Any,
    target: str | Sequence[str] | None = None,
    task: str = "auto",
    *,
    seed: int = 0,
    budget: float = 60.0,
    out: str | Path | None = None,
    resume: bool = False,
    group: str | None = None,
    time: str | None = None,
    weights: str | None = None,
    sensitive: str | Sequence[str] = (),
    drop: str | Sequence[str] = (),
    only: str | Sequence[str] = (),
    quantile: float | None = None,
    kinds: Mapping[str, str] | None = None,
    alarm_rate: float | None = None,
    progress: Progress | None = None,
    render: Renderer | None = None,
    command: str = "",
) -> LearnResult:
    """Learn to predict a column of a table, and say how good the model is and how sure.

    A fifth of the rows is put aside. Linear models along their regularisation paths,
    trees, forests, boosting, neighbours and kernel machines race by five-fold
    cross-validation on the others; the simplest that the best one does not clearly beat
    (or a blend, if that is better beyond the noise) is refitted, certified if it is
    convex, and tested once on the rows put aside.

    Parameters
    ----------
    data : path, Table or data frame
        The rows; see `read_table`.
    target : str or sequence of str, optional
        The column to predict; svmlight files carry their own. Several columns of yes
        and no, or a string with commas between their names, are learned together.
    task : {"auto", "classification", "regression", "counts", "quantile", "ordinal", \
            "multilabel", "novelty"}
        What to learn; "auto" decides by the target's values. Novelty has no target.
    seed : int, default=0
        The same seed gives the same split and folds, and the same model unless the
        budget cuts the race short.
    budget : float, default=60.0
        Seconds for the whole job. What a fit will take is forecast from small parts of
        the rows; what runs out of time is stopped, and the best model so far wins.
    out : path, optional
        Directory for ``model.infimum`` and ``result.json``; None writes nothing.
    resume : bool, default=False
        Go on with the run in `out` that was killed, without repeating finished work.
    group : str, optional
        Column whose rows of equal value stay on the same side of every split.
    time : str, optional
        Column of moments: the latest rows are the test, folds never see the future.
    weights : str, optional
        Column that says how often each row counts.
    sensitive : str or sequence of str, optional
        Columns whose groups the evidence compares.
    drop, only : str or sequence of str, optional
        Columns not to learn from, or the only ones to learn from.
    quantile : float, optional
        Which quantile to learn if the task is "quantile"; 0.5 by default.
    kinds : mapping from str to str, optional
        What columns are, where the reader would be wrong: "numeric", "category",
        "boolean", "date", "text", or "drop".
    alarm_rate : float, optional
        How often familiar rows may be flagged if the task is "novelty"; 0.05 by
        default.
    progress : callable, optional
        Called with a `Step` whenever there is news.
    render : callable, optional
        Turns the plain result into the text of ``report.html``, to be written to `out`
        too; ``infimum.report.render`` is one.
    command : str, optional
        How the job was started, for the report.

    Returns
    -------
    LearnResult
    """
    check_domain("learn's seed", seed, whole(0, 2**32 - 1))
    check_domain("learn's budget", budget, positive)
    wishes = Wishes.of(
        group=group,
        time=time,
        weights=weights,
        sensitive=sensitive,
        drop=drop,
        only=only,
        quantile=checked_share("quantile", quantile, task, "quantile", 0.5),
        kinds=kinds,
        alarm_rate=checked_share("alarm_rate", alarm_rate, task, "novelty", 0.05),
    )
    place = None if out is None else Path(out)
    journal = Journal(place, resume=resume)
    if place is not None:
        check_place(place)
    journal.check()
    kind = _kind_of_job(task, target)
    job = kind(seed, budget, progress or _silent, journal)
    with listening(), closing_on_failure(journal), EnergyMeter() as meter:
        result = replace(job.run(data, target, task, wishes, meter), command=command)
        return result if place is None else write_run(result, place, render)


class Job:
    """One run through all stages, with a clock.

    `sections` are those of the evidence; None stands for all.
    """

    def __init__(
        self, seed: int, budget: float, progress: Progress, journal: Journal
    ) -> None:
        self.seed, self.budget, self.progress = seed, budget, progress
        self.journal = journal
        self.began = perf_counter()
        self.stages: list[Stage] = []
        self.interrupted = False
        self.sections: Mapping[str, Section] | None = None

    def run(
        self,
        data: Any,
        target: Any,
        task: str,
        wishes: Wishes,
        meter: EnergyMeter,
    ) -> LearnResult:
        with self.stage("read"):
            problem = pose(data, target, task, wishes)
            split = split_off_test(problem, self.seed)
            problem = noting_copies(problem, split)
            training, held = problem.only(split.train), split.held_back
            sealed = SealedTestSet(rows=problem.rows[held], y=problem.y[held])
            splits = splits_of(training, self.seed)
        criterion = criterion_for(problem.classes, problem.goal, wishes.quantile)
        self.warm(training)
        with self.stage("race"):
            outcome = self.race(training, splits, criterion)
        verdict = self.decide(training, splits, criterion, outcome)
        final = verdict.final
        with self.stage("test"):
            rows, y = sealed.open().values()
            exam = examine(
                final.pipeline, rows, y, training.y, problem.classes, criterion
            )
        with self.stage("explain"):
            evidence = self.explain(verdict, training, rows, y, meter)
        return self.result(
            problem,
            training,
            splits,
            criterion,
            outcome,
            final,
            exam=exam,
            evidence=evidence,
            proof=plain_proof(final.pipeline[-1]),
            **verdict.fields(),
        )

    def result(
        self,
        problem: Problem,
        training: Problem,
        splits: Sequence[Split],
        criterion: Criterion,
        outcome: RaceOutcome,
        final: Refit,
        **others: Any,
    ) -> LearnResult:
        """Return the result: what every kind of job tells, and what this one adds."""
        return LearnResult(
            task=problem.task,
            goal=problem.goal,
            classes=tuple(str(label) for label in problem.classes.tolist()),
            criterion=criterion._asdict(),
            data=summary(problem, training, splits, final),
            stages=tuple(self.stages),
            warnings=told(outcome, final),
            ended=outcome.ended,
            wishes=problem.wishes.to_plain(),
            model=final.pipeline,
            seed=self.seed,
            budget=self.budget,
            command="",
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            versions=installed_versions(),
            **others,
        )

    def warm(self, training: Problem) -> None:
        """Have machine code ready; the clock stands still meanwhile."""
        with self.stage("warm"):
            warm(entrants(training), training, self.progress)
        self.began += self.stages[-1].seconds

    def race(
        self, training: Problem, splits: Sequence[Split], criterion: Criterion
    ) -> RaceOutcome:
        contenders = entrants(training)
        self.journal.open(
            {
                "data": training.fingerprint,
                "target": training.target,
                "task": training.goal,
                "seed": self.seed,
                "set of options": training.wishes.to_plain(),
                "version of Infimum": installed_versions()["infimum"],
                "field of contenders": [each.name for each in contenders],
            }
        )
        outcome = race(
            contenders,
            training,
            splits,
            criterion,
            deadline=self.deadline(_RACE_SHARE),
            progress=self.progress,
            journal=self.journal,
        )
        self.interrupted = outcome.ended == "interrupted"
        return outcome

    def decide(
        self,
        training: Problem,
        splits: Sequence[Split],
        criterion: Criterion,
        outcome: RaceOutcome,
    ) -> Verdict:
        end, standing = self.proof_end, standings(outcome.heats)
        with self.stage("refit"):
            verdict = settle(
                training,
                standing,
                splits,
                criterion,
                deadline=end,
                latest=self.latest,
            )
        with self.stage("prove"):
            lanes = run_lanes(training, standing, criterion, end, self.progress)
        return verdict._replace(lanes=lanes + verdict.lanes)

    @property
    def proof_end(self) -> float:
        """When what is fitted for the report alone must be done."""
        # Who pressed Ctrl-C does not want to wait for the other contenders.
        return 0.0 if self.interrupted else self.deadline(_PROOF_SHARE)

    @property
    def latest(self) -> float:
        """When the final model must be fitted."""
        return self.deadline(_WHOLE)

    def explain(
        self, verdict: Verdict, training: Problem, rows: Any, y: Any, meter: EnergyMeter
    ) -> dict[str, Any]:
        if self.interrupted:
            return energy_of(meter)
        try:
            end = max(self.deadline(LATE), perf_counter() + _GRACE)
            with alarm(end, TooLateError):
                return self.gathered(verdict, training, rows, y, meter)
        except TooLateError:  # between two sections, of which none is at fault
            return energy_of(meter)

    def gathered(
        self, verdict: Verdict, training: Problem, rows: Any, y: Any, meter: EnergyMeter
    ) -> dict[str, Any]:
        return gather(
            verdict.final.pipeline,
            training,
            rows,
            y,
            classes=training.classes,
            task=training.task,
            sensitive=training.wishes.sensitive,
            models_compared=sum(len(lane.values) for lane in verdict.lanes),
            expected_error=verdict.expected_error,
            seed=self.seed,
            seconds=max(0.0, self.latest - perf_counter()),
            meter=meter,
            sections=self.sections,
        )

    def deadline(self, share: float) -> float:
        return self.began + share * self.budget - self.journal.replayed

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self.progress(Step(name))
        began = perf_counter()
        yield
        self.stages.append(Stage(name, perf_counter() - began))


def entrants(problem: Problem) -> tuple[Contender, ...]:
    """Return the contenders that are made for such a table."""
    if problem.goal == "novelty":
        field = detectors()
    elif problem.goal == "multilabel":
        field = label_models(classifiers())
    elif problem.goal == "counts":
        field = count_models(problem.y)
    elif problem.goal == "quantile":
        field = quantile_models(problem.y, problem.wishes.quantile or _HALF)
    elif problem.goal == "ordinal":
        field = ordered_classifiers()
    elif len(problem.classes):
        field = classifiers()
    else:
        field = regressors(problem.y)
    return tuple(
        each
        for each in field
        if each.fewest <= len(problem.y) <= each.most
        and (each.weighable or problem.weights is None)
    )


def _silent(_: Step) -> None:
    """Say nothing."""


def _kind_of_job(task: str, target: Any) -> type[Job]:
    # Both are kinds of jobs, so their files import this one.
    if task == "novelty":
        from infimum.learn.novelty import NoveltyJob

        return NoveltyJob
    several = target is not None and (not isinstance(target, str) or "," in target)
    if task == "multilabel" or (task == "auto" and several):
        from infimum.learn.multilabel import MultilabelJob

        return MultilabelJob
    return Job
