"""The main job: a table in; a chosen, certified and tested model out."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from infimum.evaluation import SealedTestSet, folds
from infimum.learn.choosing import choose, standings
from infimum.learn.contenders import Contender, classifiers, regressors
from infimum.learn.exam import examine
from infimum.learn.interruption import listening
from infimum.learn.problem import Problem, pose, split_off_test
from infimum.learn.race import (
    Heat,
    Progress,
    RaceOutcome,
    Step,
    features_in_use,
    race,
)
from infimum.learn.refit import Refit, plain_proof, refit, run_lanes
from infimum.learn.result import DataSummary, LearnResult, Stage
from infimum.learn.run_directory import Renderer, check_place, write_run
from infimum.learn.scoring import criterion_for
from infimum.learn.versions import installed_versions
from infimum.parameters import check_domain, positive, whole

__all__ = ["learn"]

N_FOLDS = 5
#: What part of the budget the race may use; the rest is for refitting and testing.
_RACE_SHARE = 0.8


def learn(
    data: Any,
    target: str | None = None,
    task: str = "auto",
    *,
    seed: int = 0,
    budget: float = 60.0,
    out: str | Path | None = None,
    progress: Progress | None = None,
    render: Renderer | None = None,
    command: str = "",
) -> LearnResult:
    """Learn to predict a column of a table, and say how good the model is and how sure.

    A fifth of the rows is put aside. Linear models race along their regularisation
    paths by five-fold cross-validation on the others; the simplest within one standard
    error of the best is refitted, certified, and tested once on the rows put aside.

    Parameters
    ----------
    data : path, Table or data frame
        The rows; see `read_table`.
    target : str, optional
        The column to predict; svmlight files carry their own.
    task : {"auto", "classification", "regression"}
        What to learn; "auto" decides by the target's values.
    seed : int, default=0
        The same seed gives the same split, folds and model.
    budget : float, default=60.0
        Seconds for the whole job; it is looked at between fits, and when it is used up
        the best model so far wins.
    out : path, optional
        Directory for ``model.infimum`` and ``result.json``; None writes nothing.
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
    if out is not None:
        check_place(Path(out))
    job = _Job(seed, budget, progress or _silent)
    with listening():
        result = replace(job.run(data, target, task), command=command)
        return result if out is None else write_run(result, Path(out), render)


class _Job:
    """One run through all stages, with a clock."""

    def __init__(self, seed: int, budget: float, progress: Progress) -> None:
        self.seed, self.budget, self.progress = seed, budget, progress
        self.began = time.perf_counter()
        self.stages: list[Stage] = []

    def run(self, data: Any, target: str | None, task: str) -> LearnResult:
        with self.stage("read"):
            problem = pose(data, target, task)
            split = split_off_test(problem, self.seed)
            training, held = problem.only(split.train), split.held_back
            sealed = SealedTestSet(rows=problem.rows[held], y=problem.y[held])
        criterion = criterion_for(problem.classes)
        with self.stage("race"):
            outcome = self.race(training)
        end = self.deadline(1.0)
        with self.stage("refit"):
            standing = standings(outcome.heats)
            choice, place = choose(standing, criterion)
            final = refit(training, standing[place], choice, deadline=end)
        with self.stage("prove"):
            # Who pressed Ctrl-C does not want to wait for the other contenders.
            patience = 0.0 if outcome.ended == "interrupted" else end
            lanes = run_lanes(training, standing, criterion, patience, self.progress)
        with self.stage("test"):
            exam = examine(
                final.pipeline,
                trained_on=training.y,
                classes=problem.classes,
                **sealed.open(),
            )
        return LearnResult(
            task=problem.task,
            classes=tuple(str(label) for label in problem.classes.tolist()),
            criterion=criterion._asdict(),
            data=_summary(problem, training, final),
            choice=replace(choice, weights=features_in_use(final.pipeline[-1])),
            proof=plain_proof(final.pipeline[-1].certificate_),
            exam=exam,
            lanes=lanes,
            coefficients=final.coefficients,
            stages=tuple(self.stages),
            warnings=_warnings(outcome, final),
            ended=outcome.ended,
            model=final.pipeline,
            **self.circumstances(),
        )

    def circumstances(self) -> dict[str, Any]:
        return {
            "seed": self.seed,
            "budget": self.budget,
            "command": "",
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "versions": installed_versions(),
        }

    def race(self, training: Problem) -> RaceOutcome:
        return race(
            _contenders(training),
            training,
            list(folds(training.y, _fold_count(training), self.seed)),
            criterion_for(training.classes),
            deadline=self.deadline(_RACE_SHARE),
            progress=self.progress,
        )

    def deadline(self, share: float) -> float:
        return self.began + share * self.budget

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self.progress(Step(name))
        began = time.perf_counter()
        yield
        self.stages.append(Stage(name, time.perf_counter() - began))


def _silent(_: Step) -> None:
    """Say nothing."""


def _contenders(problem: Problem) -> tuple[Contender, ...]:
    return classifiers() if len(problem.classes) else regressors(problem.y)


def _fold_count(training: Problem) -> int:
    """Return five, or fewer if the second largest class has fewer rows."""
    if not len(training.classes):
        return min(N_FOLDS, len(training.y))
    counts = sorted((training.y == label).sum() for label in training.classes)
    return int(max(2, min(N_FOLDS, counts[-2])))


def _summary(problem: Problem, training: Problem, final: Refit) -> DataSummary:
    return DataSummary(
        source=problem.source,
        fingerprint=problem.fingerprint,
        rows=len(problem.y),
        target=problem.target,
        columns=problem.columns,
        features=int(final.pipeline[-1].n_features_in_),
        warnings=problem.warnings,
        train_rows=len(training.y),
        test_rows=len(problem.y) - len(training.y),
        folds=_fold_count(training),
    )


def _warnings(outcome: RaceOutcome, final: Refit) -> tuple[str, ...]:
    """Say what did not go as planned, a sentence each."""
    said = [_remark(heat) for heat in outcome.heats]
    return tuple([sentence for sentence in said if sentence] + [*final.warnings])


def _remark(heat: Heat) -> str:
    label = heat.contender.label
    if heat.failure:
        return f"{label} could not take part: {heat.failure}"
    if heat.uncertified:
        share = f"{heat.uncertified} of {heat.fits}"
        return f"{label}: {share} fits ended without a closed gap."
    return ""
