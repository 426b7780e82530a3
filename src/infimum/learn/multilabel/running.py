"""The job with several targets: families race on all labels together."""

from dataclasses import replace
from typing import Any

from infimum.data import SparseTable, Table, read_table
from infimum.errors import DataError
from infimum.evaluation import EnergyMeter
from infimum.evaluation.record import plain
from infimum.learn.choosing import choose, standings
from infimum.learn.ground import features_in_use
from infimum.learn.job import Job
from infimum.learn.lanes import run_lanes
from infimum.learn.multilabel.judging import examine_labels
from infimum.learn.multilabel.posing import columns_named, pose_labels, split_labels
from infimum.learn.multilabel.proving import joint_certificate
from infimum.learn.problem import Problem
from infimum.learn.refit import Refit, proof_of, refit
from infimum.learn.result import LearnResult
from infimum.learn.scoring import criterion_for, predict_all
from infimum.learn.summaries import summary, told
from infimum.learn.wishes import Wishes

__all__ = ["MultilabelJob"]


class MultilabelJob(Job):
    """One run through all stages, for a table with several targets."""

    def run(
        self,
        data: Any,
        target: Any,
        task: str,
        wishes: Wishes,
        meter: EnergyMeter,
    ) -> LearnResult:
        """Return one family, fitted to every label; the usual job for a single one."""
        table = data if isinstance(data, Table | SparseTable) else read_table(data)
        targets = columns_named(table, target or ())
        if len(targets) == 1:
            if task == "multilabel":
                raise DataError(
                    f"{targets[0]!r} is one target; several, as in --target a,b,c, "
                    "are learned together."
                )
            return super().run(data, targets[0], task, wishes, meter)
        return self.run_labels(table, targets, wishes, meter)

    def run_labels(
        self, table: Any, targets: tuple[str, ...], wishes: Wishes, meter: EnergyMeter
    ) -> LearnResult:
        """Return one family, fitted to every label."""
        with self.stage("read"):
            problem = pose_labels(table, targets, wishes)
            split, splits = split_labels(problem, self.seed)
            training = problem.only(split.train)
        self.warm(training)
        criterion = criterion_for(problem.classes, "multilabel")
        with self.stage("race"):
            outcome = self.race(training, splits, criterion)
        end = 0.0 if outcome.ended == "interrupted" else self.deadline(0.8)
        standing = standings(outcome.heats)
        choice, place = choose(standing, criterion)
        with self.stage("refit"):
            final = refit(training, standing[place], choice, deadline=end)
            choice = replace(choice, weights=features_in_use(final.pipeline[-1]))
        lanes = run_lanes(training, standing, criterion, end, self.progress)
        with self.stage("test"):
            held = split.held_back
            said = predict_all(final.pipeline, problem.rows[held], problem.classes)
            exam = examine_labels(problem, problem.y[held], said, training.y)
        energy = {**meter.use.to_dict(), "of": "the whole job"}
        return LearnResult(
            criterion=criterion._asdict(),
            data=summary(problem, training, splits, final),
            choice=choice,
            exam=exam,
            lanes=lanes,
            stages=tuple(self.stages),
            warnings=told(outcome, final),
            ended=outcome.ended,
            evidence=dict(plain({"energy": energy})),
            wishes=wishes.to_plain(),
            **_fixed(problem, final),
            **self.circumstances(),
        )


def _fixed(problem: Problem, final: Refit) -> dict[str, Any]:
    model = final.pipeline[-1]
    # The model file has to know what its columns are called.
    model.label_names_ = [str(name) for name in problem.classes]
    parts = [getattr(each, "certificate_", None) for each in model.estimators_]
    return {
        "task": "multilabel",
        "goal": "multilabel",
        "classes": tuple(str(name) for name in problem.classes),
        "coefficients": (),
        "proof": proof_of(joint_certificate(parts)),
        "model": final.pipeline,
    }
