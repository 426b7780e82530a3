"""What is promised about several labels, and how groups fare with each of them."""

from dataclasses import replace
from typing import Any

import numpy as np

from infimum.evaluation import clopper_pearson, measure_coverage
from infimum.evaluation.conformal import Strata
from infimum.learn.evidence.case import CONFIDENCE, Case
from infimum.learn.evidence.counted import bounded, counts_of, told_coverage
from infimum.learn.evidence.groups import fairness
from infimum.learn.evidence.one_label import one_by_one
from infimum.learn.evidence.promises import comparisons, halves, says_something
from infimum.typing import Mask

__all__ = ["label_fairness", "label_guarantees", "label_sets"]

#: Seconds for promises even if the time of the job is up.
_GRACE = 2.0
_COVERAGE = 0.9


def label_guarantees(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Bound how often an answer, and how often a row, is wrong on rows of this kind."""
    case.affordable(0.5, case.n_rows, case.n_rows, grace=_GRACE)
    missed = np.asarray(case.model.predict(case.rows)) != case.y
    answers, rows = missed.mean(axis=1), missed.any(axis=1).astype(float)
    made = []
    for models in comparisons(case):
        made += [
            bounded(case, answers, "answer error rate", comparisons=models),
            bounded(case, rows, "row error rate", comparisons=models),
        ]
    return {
        "bounds": [each.to_dict() for each in made if says_something(each)],
        "vacuous": [each.to_dict() for each in made if not says_something(each)],
        "models_compared": case.models_compared,
        "notes": [],
    }


def label_sets(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Answer yes, no or both about every label, so that all hold the truth together.

    A row is as strange as its strangest label: by that the half of the test rows that
    calibrates ranks a new row, and the promise is about all its labels at once.
    """
    case.affordable(0.5, case.n_rows, case.n_rows, grace=_GRACE)
    here, there = halves(case)
    present = np.asarray(case.model.predict_proba(case.rows), dtype=float)
    doubt = np.where(case.y == 1, 1 - present, present)
    counts, worst = counts_of(case, here), doubt[here].max(axis=1)
    strata = Strata.of(worst, None, counts, case.heaviest)
    limit = strata.thresholds(_COVERAGE, None, 1)[0]
    # The likelier answer always stays: an answer that is neither says nothing.
    yes = (1 - present[there] <= limit) | (present[there] >= 1 / 2)
    no = (present[there] <= limit) | (present[there] < 1 / 2)
    covered: Mask = np.all(np.where(case.y[there] == 1, yes, no), axis=1)
    both = yes & no
    coverage = measure_coverage(
        covered[:, None],
        np.ones(len(there)),
        _COVERAGE,
        classes=[1],
        n_calibration=len(here),
    )
    coverage = replace(coverage, size=float(both.sum(axis=1).mean()))
    return {
        "kind": "labels",
        "coverage": told_coverage(case, coverage, covered, here, there),
        "calibration_rows": len(here),
        "labels": [
            {"label": str(name), **_share(both[:, place])}
            for place, name in enumerate(case.classes.tolist())
        ],
    }


def label_fairness(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Compare the groups of every sensitive column, label by label."""
    told: dict[str, Any] = {"columns": [], "task": "decisions"}
    for name, each in one_by_one(case):
        one = fairness(each, found)
        if "reason" in one:
            return one
        told["columns"] += [
            {**column, "label": name, "outcome": name} for column in one["columns"]
        ]
    return told


def _share(flags: Any) -> dict[str, float]:
    sure = clopper_pearson(int(flags.sum()), len(flags), CONFIDENCE)
    return {"open": sure.estimate, "low": sure.low, "high": sure.high}
