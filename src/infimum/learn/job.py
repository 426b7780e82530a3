"""The main job: a table in; a chosen, certified and tested model out."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

from infimum.evaluation import EnergyMeter, SealedTestSet, Split
from infimum.evaluation.scoring import Criterion, criterion_for
from infimum.learn.choose.decisions import Decisions
from infimum.learn.choose.refit import Refit, contender_results, plain_proof
from infimum.learn.choose.rule import Standing, held_back_answers, standings
from infimum.learn.choose.verdict import Verdict, settle
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
from infimum.learn.evidence import Section, energy_of, gather
from infimum.learn.evidence.case import Notebook, TooLateError
from infimum.learn.final_test import examine
from infimum.learn.journal import Journal
from infimum.learn.options import Options
from infimum.learn.problem import Problem, pose, split_off_test, splits_of
from infimum.learn.progress import Progress, Step
from infimum.learn.result import ContenderResult, LearnResult, Stage
from infimum.learn.stopping import STOPPED, alarm
from infimum.learn.summaries import installed_versions, remarks, summary
from infimum.learn.tasks import guessed
from infimum.learn.warming import warm
from infimum.learn.warnings_about_data import noting_copies
from infimum.typing import Vector

__all__ = ["LATE", "Job", "entrants"]

#: What part of the budget the race may use; then come refitting and proofs, the exam
#: and the evidence.
_RACE_SHARE, _PROOF_SHARE, _WHOLE = 0.65, 0.8, 1.0
#: When evidence that is being gathered is given up.
LATE = 1.1
#: Seconds for what is promised of a model, even when the time is up.
_GRACE = 5.0
#: More of them for rows that somebody has asked about by number.
_GRACE_FOR_ROWS = 15.0
_HALF = 0.5
#: The constant answer and the first model of the field.
_FIRST = 2


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
        with self.stage("read"):
            problem = pose(data, target, task, options)
            self.progress(Step("read", guessed(problem.guess, problem.target)))
            split = split_off_test(problem, self.seed)
            problem = noting_copies(problem, split)
            problem = problem.locating(split.held_back)
            training, held = problem.only(split.train), split.held_back
            sealed = SealedTestSet(rows=problem.rows[held], y=problem.y[held])
            splits = splits_of(training, self.seed)
        criterion = criterion_for(problem.classes, problem.goal, options.quantile)
        self.warm(training)
        with self.stage("race"):
            outcome = self.race(training, splits, criterion)
        verdict = self.decide(training, splits, criterion, outcome)
        final = verdict.final
        with self.stage("test"):
            rows, y = sealed.open().values()
            counts = problem.only(held).weights
            exam = examine(final.pipeline, rows, y, training, criterion, counts)
        with self.stage("explain"):
            evidence = self.explain(verdict, training, rows, y, meter, counts)
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
        """Have machine code ready; the clock stands still if it has to be compiled.

        `further` are those that are fitted after the race.
        """
        with self.stage("warm"):
            field = (*entrants(training), *further)
            compiled = warm(field, training, self.progress)
        if compiled:
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
                "set of options": _racing(training.options),
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
        try:
            return contender_results(
                training, standing, criterion, decisions, self.progress
            )
        except STOPPED:
            self.interrupted = True
            no_time = Decisions(deadline=0.0)
            return contender_results(
                training, standing, criterion, no_time, self.progress
            )

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
        self,
        verdict: Verdict,
        training: Problem,
        rows: Any,
        y: Any,
        meter: EnergyMeter,
        counts: Vector | None = None,
    ) -> dict[str, Any]:
        if self.interrupted:
            return energy_of(meter)
        notebook = Notebook(self.journal, _identity(verdict, training, self.seed))
        try:
            grace = _GRACE if training.to_explain is None else _GRACE + _GRACE_FOR_ROWS
            end = max(self.deadline(LATE), perf_counter() + grace)
            with alarm(end, TooLateError):
                return self.gathered(
                    verdict, training, rows, y, meter, notebook, counts
                )
        except (TooLateError, *STOPPED) as error:  # between two sections
            self.unexplained = not isinstance(error, TooLateError)
            return {**notebook.found, **energy_of(meter)}

    def gathered(
        self,
        verdict: Verdict,
        training: Problem,
        rows: Any,
        y: Any,
        meter: EnergyMeter,
        notebook: Notebook,
        counts: Vector | None,
    ) -> dict[str, Any]:
        found = gather(
            verdict.final.pipeline,
            training,
            rows,
            y,
            classes=training.classes,
            task=training.task,
            sensitive=training.options.sensitive,
            again=verdict.again,
            models_compared=sum(
                len(contender.values) for contender in verdict.contenders
            ),
            expected_error=verdict.expected_error,
            test_weights=counts,
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
        field = quantile_models(problem.y, problem.options.quantile or _HALF)
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


def _racing(options: Options) -> dict[str, Any]:
    """Return the options that a race depends on."""
    later = ("explain_row", "costs")
    return {k: v for k, v in options.to_plain().items() if k not in later}


def _identity(verdict: Verdict, training: Problem, seed: int) -> list[Any]:
    """Return what tells a model from others that the same race could have given."""
    choice = verdict.choice
    # Of a blend, the label tells shares in whole per cents and no settings.
    mixed = verdict.blend if choice.name == "blend" else None
    asked = [*training.options.explain_row, training.options.costs]
    return [choice.name, choice.label, choice.value, choice.words, mixed, seed, asked]
