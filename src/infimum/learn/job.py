"""The main job: a table in; a chosen, certified and tested model out."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

from infimum.evaluation import EnergyMeter, SealedTestSet, Split
from infimum.evaluation.scoring import Criterion, criterion_for
from infimum.learn.choose.refit import Refit, plain_proof
from infimum.learn.choose.rule import Standing, held_back_answers, standings
from infimum.learn.choose.verdict import Verdict, contender_results, identity, settle
from infimum.learn.clock import Progress, Step
from infimum.learn.compare.contenders import (
    Contender,
    classifiers,
    count_models,
    ordered_classifiers,
    quantile_models,
    regressors,
)
from infimum.learn.compare.other_contenders import detectors, label_models
from infimum.learn.compare.race import RaceOutcome, race
from infimum.learn.compare.rows_in_time import in_time
from infimum.learn.compare.runners import crew_for, warm
from infimum.learn.evidence import Section, energy_of, gather
from infimum.learn.evidence.case import Notebook
from infimum.learn.final_test import examine
from infimum.learn.folds import split_off_test, splits_of
from infimum.learn.journal import Decisions, Journal
from infimum.learn.options import Options
from infimum.learn.problem import Opened, Posed, Problem, pose
from infimum.learn.result import (
    ContenderResult,
    Exam,
    LearnResult,
    Proof,
    Stage,
    installed_versions,
    remarks,
    summary,
)
from infimum.learn.tasks import guessed, noting_copies
from infimum.learn.worker import Crew, WorkerEndedError
from infimum.limits import check_pressed, listening, time_limit

__all__ = ["LATE", "Job", "entrants"]

#: What part of the budget the race may use; then come refitting and proofs, the exam
#: and the evidence.
_RACE_SHARE, _PROOF_SHARE, _WHOLE = 0.65, 0.8, 1.0
#: What part of it compiling may use up; then the clock stands still.
_COMPILING = 0.35
#: When evidence that is being gathered is given up.
LATE = 1.1
#: Seconds for promises even when the time is up; more for rows that were asked about.
_GRACE, _GRACE_FOR_ROWS = 5.0, 15.0
#: The constant answer and the first model of the field.
_FIRST = 2
#: Options that a race does not depend on.
_LATER = ("explain_row", "costs")


class Job:
    """One run through all stages, with a clock.

    `sections` are those of the evidence; None stands for all.
    """

    def __init__(
        self,
        seed: int,
        budget: float,
        progress: Progress,
        journal: Journal,
        workers: int | None = 0,
    ) -> None:
        self.seed, self.budget, self.progress = seed, budget, progress
        self.journal, self.workers = journal, workers
        self.crew: Crew | None = None
        self.clock = journal.clock
        self.stages: list[Stage] = []
        self.interrupted = self.unexplained = False
        self.sections: Mapping[str, Section] | None = None
        self.standing: Sequence[Standing] = ()
        self.splits: Sequence[Split] = ()

    def run(
        self,
        data: Any,
        target: Any,
        task: str,
        options: Options,
        meter: EnergyMeter,
    ) -> LearnResult:
        """Return the result of all stages; kinds of jobs differ in what these do."""
        with self.stage("read"):
            posed = self.posed(data, target, task, options)
            problem, held = posed.problem, posed.split.held_back
            hidden = problem.only(held)
            sealed = SealedTestSet(rows=hidden.rows, y=hidden.y, counts=hidden.weights)
        criterion = self.criterion(problem)
        field = posed.raced[0] if posed.raced else posed.training
        with crew_for(field, entrants(field), self.workers) as self.crew:
            self.warm(posed.warmed or posed.training, *posed.further)
            with listening():
                return self.from_race_on(posed, criterion, sealed, meter)

    def from_race_on(
        self,
        posed: Posed,
        criterion: Criterion,
        sealed: SealedTestSet,
        meter: EnergyMeter,
    ) -> LearnResult:
        """Return the result of the stages in which Ctrl-C costs nothing finished."""
        with self.stage("race"):
            self.open_journal(posed)
            end, field = self.deadline(_RACE_SHARE), entrants(posed.training)
            posed = in_time(posed, field, end, self.seed, self.journal, self.crew)
            raced, splits = posed.raced or (posed.training, posed.splits)
            outcome = self.race(raced, splits, criterion)
        verdict = self.decide(posed, criterion, outcome)
        with self.stage("test"):
            test = Opened(**sealed.open())
            verdict, exam = self.tested(verdict, posed, criterion, test)
        with self.stage("explain"):
            evidence = self.explain(verdict, posed, test, meter)
        return self.result(
            posed, criterion, outcome, verdict.final, exam=exam, evidence=evidence,
            proof=self.proof(verdict.final.pipeline[-1]), **verdict.fields(),
        )  # fmt: skip

    def posed(self, data: Any, target: Any, task: str, options: Options) -> Posed:
        """Read the table, check it, and split it."""
        problem = pose(data, target, task, options)
        self.progress(Step("read", guessed(problem.guess, problem.target)))
        split = split_off_test(problem, self.seed)
        problem = noting_copies(problem, split).locating(split.held_back)
        training = problem.only(split.train)
        return Posed(problem, training, split, splits_of(training, self.seed))

    def criterion(self, problem: Problem) -> Criterion:
        """Return what models are chosen by."""
        return criterion_for(problem.classes, problem.goal, problem.options.quantile)

    def tested(
        self, verdict: Verdict, posed: Posed, criterion: Criterion, test: Opened
    ) -> tuple[Verdict, Exam]:
        """Test the final model on rows that nobody has seen."""
        model, (rows, y, counts) = verdict.final.pipeline, test
        return verdict, examine(model, rows, y, posed.training, criterion, counts)

    def proof(self, model: Any) -> Proof | None:
        """Return the certificate of the final model, if it has one."""
        return plain_proof(model)

    def result(
        self,
        posed: Posed,
        criterion: Criterion,
        outcome: RaceOutcome,
        final: Refit,
        **others: Any,
    ) -> LearnResult:
        """Return the result: what every kind of job tells, and what this one adds."""
        problem = posed.problem
        return LearnResult(
            task=problem.task,
            goal=problem.goal,
            classes=tuple(str(label) for label in problem.classes.tolist()),
            criterion=criterion._asdict(),
            data=summary(posed, final),
            stages=tuple(self.stages),
            warnings=(*remarks(outcome, final), *self.missed()),
            ended=outcome.ended,
            options=problem.options.to_plain(),
            guess=problem.guess,
            model=final.pipeline,
            seed=self.seed,
            budget=self.budget,
            command="",
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            versions=installed_versions(),
            **others,
        )

    def missed(self) -> tuple[str, ...]:
        """Say what Ctrl-C has cut off, if it can be gone on with."""
        if not self.stopped or not self.journal.kept:
            return ()
        what = "The run" if self.interrupted else "Gathering evidence"
        return (
            f"{what} was interrupted; the same command with --resume goes on with it.",
        )

    @property
    def stopped(self) -> bool:
        """Whether Ctrl-C was pressed, so that there is something to go on with."""
        return self.interrupted or self.unexplained

    def warm(self, training: Problem, *further: Contender) -> None:
        """Have machine code ready; if that takes long, the clock stands still.

        `further` are those that are fitted after the race.
        """
        with self.stage("warm"):
            field = (*entrants(training), *further)
            try:
                compiled = warm(field, training, self.progress, self.crew)
            except WorkerEndedError:  # no process of ours can live here
                self.crew = None
                compiled = warm(field, training, self.progress)
        if compiled:
            self.put_back_compiling()

    def put_back_compiling(self) -> None:
        """Do not count what the last stage took beyond its part of the budget."""
        self.clock.put_back(
            max(0.0, self.stages[-1].seconds - _COMPILING * self.budget)
        )

    def open_journal(self, posed: Posed) -> None:
        """Begin the journal, or go on with that of the same run."""
        training = posed.raced[0] if posed.raced else posed.training
        asked = training.options.to_plain()
        self.journal.open(
            {
                "data": training.fingerprint,
                "target": training.target,
                "task": training.goal,
                "seed": self.seed,
                "set of options": {k: v for k, v in asked.items() if k not in _LATER},
                "version of Infimum": installed_versions()["infimum"],
                "field of contenders": [each.name for each in entrants(training)],
            }
        )

    def race(
        self, training: Problem, splits: Sequence[Split], criterion: Criterion
    ) -> RaceOutcome:
        outcome = race(
            entrants(training),
            training,
            splits,
            criterion,
            deadline=self.deadline(_RACE_SHARE),
            progress=self.progress,
            journal=self.journal,
            crew=self.crew,
        )
        self.interrupted = outcome.ended == "interrupted"
        return outcome

    def decide(
        self, posed: Posed, criterion: Criterion, outcome: RaceOutcome
    ) -> Verdict:
        """Choose a model, fit it on all training rows, and prove what can be."""
        training, splits = posed.training, posed.splits
        standing = standings(outcome.tallies)
        self.standing, self.splits = standing, splits
        decisions = self.decisions(standing)
        with self.stage("refit"):
            verdict = settle(training, standing, splits, criterion, decisions)
        if decisions.stopped:
            self.interrupted = True
            decisions = self.decisions(standing)
        with self.stage("prove"):
            contenders = self.proved(training, standing, criterion, decisions)
        return verdict._replace(contenders=contenders + verdict.contenders)

    def decisions(self, standing: Sequence[Standing]) -> Decisions:
        """Return what there is time for after the race."""
        return Decisions(
            # A race that goes on when resumed may show something else.
            None if self.interrupted else self.journal,
            standing,
            deadline=self.proof_end,
            latest=self.latest,
        )

    def proved(
        self,
        training: Problem,
        standing: Sequence[Standing],
        criterion: Criterion,
        decisions: Decisions,
    ) -> tuple[ContenderResult, ...]:
        """Describe every contender, with its proof if there is time and patience."""
        given = training, standing, criterion
        try:
            return contender_results(*given, decisions, self.progress)
        except KeyboardInterrupt:
            self.interrupted = True
            return contender_results(*given, Decisions(deadline=0.0), self.progress)

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
        self, verdict: Verdict, posed: Posed, test: Opened, meter: EnergyMeter
    ) -> dict[str, Any]:
        """Gather the evidence, as far as there is time."""
        training = posed.training
        if self.interrupted:
            return energy_of(meter)
        notebook = Notebook(self.journal, identity(verdict, training, self.seed))
        grace = _GRACE if training.to_explain is None else _GRACE + _GRACE_FOR_ROWS
        end = max(self.deadline(LATE), perf_counter() + grace)
        try:
            with time_limit(end - perf_counter()):
                return self.gathered(verdict, training, test, meter, notebook)
        except KeyboardInterrupt:  # between two sections
            self.unexplained = True
            return {**notebook.found, **energy_of(meter)}

    def gathered(
        self,
        verdict: Verdict,
        training: Problem,
        test: Opened,
        meter: EnergyMeter,
        notebook: Notebook,
    ) -> dict[str, Any]:
        found = gather(
            verdict.final.pipeline,
            training,
            test.rows,
            test.y,
            classes=training.classes,
            task=training.task,
            sensitive=training.options.sensitive,
            again=verdict.again,
            models_compared=sum(
                len(contender.values) for contender in verdict.contenders
            ),
            expected_error=verdict.expected_error,
            test_weights=test.counts,
            held_out=held_back_answers(
                verdict.choice, self.standing, training, self.splits
            ),
            seed=self.seed,
            seconds=max(0.0, self.latest - perf_counter()),
            meter=meter,
            sections=self.sections,
            notebook=notebook,
        )
        self.unexplained = notebook.stopped
        return found

    def deadline(self, share: float) -> float:
        """Return the moment at which a share of the budget is used up."""
        return self.clock.moment(share * self.budget)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self.progress(Step(name))
        began = perf_counter()
        yield
        check_pressed()
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
        field = quantile_models(problem.y, problem.options.quantile or 0.5)
    elif problem.goal == "ordinal":
        field = ordered_classifiers()
    elif len(problem.classes):
        field = classifiers()
    else:
        field = regressors(problem.y)
    able = [
        each
        for each in field
        if each.fewest <= len(problem.y) <= each.most
        and (each.weighable or problem.weights is None)
    ]
    # Whatever the time, a constant, a linear model and a boosting have run.
    first = [*able[:_FIRST], *(each for each in able[_FIRST:] if each.stages > 1)]
    return (*first, *(each for each in able if each not in first))
