"""The job with several targets: families race on all labels together."""

from typing import Any

from infimum.data import SparseTable, Table, read_table
from infimum.errors import DataError
from infimum.evaluation import EnergyMeter
from infimum.learn.evidence import Section
from infimum.learn.evidence.columns import importance
from infimum.learn.job import Job
from infimum.learn.multilabel.judging import examine_labels
from infimum.learn.multilabel.posing import columns_named, pose_labels, split_labels
from infimum.learn.multilabel.promising import (
    label_fairness,
    label_guarantees,
    label_sets,
)
from infimum.learn.multilabel.proving import joint_certificate
from infimum.learn.refit import proof_of
from infimum.learn.result import LearnResult
from infimum.learn.scoring import criterion_for, predict_all
from infimum.learn.suspicions import noting_copies
from infimum.learn.wishes import Wishes

__all__ = ["MultilabelJob"]

#: What is gathered about several labels, the most wanted first.
_SECTIONS: dict[str, Section] = {
    "guarantees": label_guarantees,
    "conformal": label_sets,
    "fairness": label_fairness,
    "importance": importance,
}


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
        if not targets:
            raise DataError(f"{target!r} names no column; give several, as in a,b,c.")
        if len(targets) == 1:
            if task == "multilabel":
                raise DataError(
                    f"{targets[0]!r} is one target; several, as in --target a,b,c, "
                    "are learned together."
                )
            return super().run(data, targets[0], task, wishes, meter)
        for name in targets:
            if targets.count(name) > 1:
                raise DataError(f"Column {name!r} is named twice as a target.")
        return self.run_labels(table, targets, wishes, meter)

    def run_labels(
        self, table: Any, targets: tuple[str, ...], wishes: Wishes, meter: EnergyMeter
    ) -> LearnResult:
        """Return one family, fitted to every label."""
        self.sections = _SECTIONS
        with self.stage("read"):
            problem = pose_labels(table, targets, wishes)
            split, splits = split_labels(problem, self.seed)
            problem = noting_copies(problem, split).locating(split.held_back)
            training = problem.only(split.train)
        self.warm(training)
        criterion = criterion_for(problem.classes, "multilabel")
        with self.stage("race"):
            outcome = self.race(training, splits, criterion)
        verdict = self.decide(training, splits, criterion, outcome)
        final = verdict.final
        model = final.pipeline[-1]
        # The model file has to know what its columns are called.
        model.label_names_ = [str(name) for name in problem.classes]
        rows, y = problem.rows[split.held_back], problem.y[split.held_back]
        with self.stage("test"):
            said = predict_all(final.pipeline, rows, problem.classes)
            counts = problem.only(split.held_back).weights
            exam = examine_labels(
                problem, y, said, training.y, counts, training.weights
            )
        with self.stage("explain"):
            evidence = self.explain(verdict, training, rows, y, meter, counts)
        parts = [getattr(each, "certificate_", None) for each in model.estimators_]
        return self.result(
            problem,
            training,
            splits,
            criterion,
            outcome,
            final,
            exam=exam,
            evidence=evidence,
            proof=proof_of(joint_certificate(parts)),
            **verdict.fields(),
        )
