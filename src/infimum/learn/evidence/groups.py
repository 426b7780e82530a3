"""How groups of people fare, and what is promised about several labels at once."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from infimum.errors import DataError, InfimumError
from infimum.evaluation import bootstrap_distribution, clopper_pearson, measure_coverage
from infimum.evaluation.conformal import Strata
from infimum.fairness import (
    association,
    audit,
    flip_audit,
    form_groups,
    proxy_audit,
    trade_off,
)
from infimum.learn.evidence.case import (
    CONFIDENCE,
    Case,
    bounded,
    comparisons,
    counts_of,
    halves,
    plain_coverage,
    says_something,
)
from infimum.typing import Mask, Matrix

__all__ = [
    "OneLabel",
    "fairness",
    "label_fairness",
    "label_guarantees",
    "label_sets",
    "one_by_one",
]


class OneLabel:
    """A model of several labels that is asked about one of them only.

    Its classes are 0 and 1: whether the label is absent or present.
    """

    def __init__(self, model: Any, place: int) -> None:
        self.model, self.place = model, place
        self.classes_ = np.array([0, 1])

    def predict(self, X: Any) -> NDArray[Any]:
        """Return 1 where the label is said to be present."""
        return np.asarray(np.asarray(self.model.predict(X))[:, self.place])

    def predict_proba(self, X: Any) -> Matrix:
        """Return how likely the label is absent and present."""
        present = np.asarray(self.model.predict_proba(X), dtype=float)[:, self.place]
        return np.column_stack([1 - present, present])


def one_by_one(case: Case) -> Iterator[tuple[str, Case]]:
    """Return a case for each label of a case with several; itself if it has one."""
    if case.y.ndim == 1:
        yield case.training.target, case
        return
    for place, name in enumerate(case.classes.tolist()):
        yield (
            str(name),
            replace(
                case,
                model=OneLabel(case.model, place),
                y=case.y[:, place],
                classes=np.array([0, 1]),
                expected_error=None,
            ),
        )


_AIMS = ("independence", "separation")
_POINTS, _MOST_ROWS, _FEWEST = 11, 20_000, 2
_PROXIES, _FLIPPED, _MOST_VALUES, _RESAMPLED = 6, 500, 8, 2000


def fairness(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Compare the groups of every sensitive column on the unseen rows."""
    if not case.sensitive:
        return {"reason": "No sensitive column was named.", "columns": []}
    case.affordable(0.5, 2 * case.n_rows, 2 * case.n_rows)
    made = []
    for name in case.sensitive:
        try:
            made.append({"column": name, **_column(case, name)})
        except InfimumError as error:
            made.append({"column": name, "reason": str(error)})
    return {"columns": made, "task": "decisions" if case.classifies else "numbers"}


def _column(case: Case, name: str) -> dict[str, Any]:
    if not case.named or name not in case.rows.columns:
        raise DataError(f"The table has no column {name!r} to compare groups of.")
    groups = form_groups(case.rows[name].to_list())
    if len(np.unique(groups)) < _FEWEST:
        raise DataError(f"All test rows are of one group of {name!r}.")
    used = name in case.columns
    if not case.classifies:
        return {"groups": _errors(case, groups), "used": used}
    finding = {**_decisions(case, groups), "used": used}
    return {
        **finding,
        "proxies": _proxies(case, name, groups),
        **_flips(case, name, used),
    }


def _decisions(case: Case, groups: Any) -> dict[str, Any]:
    """Audit the decisions for the last class; others count as one."""
    outcome = case.classes[-1]
    said = np.asarray(case.model.predict(case.rows))
    found = audit(said, groups, case.y, favourable=outcome, confidence=CONFIDENCE)
    finding: dict[str, Any] = {
        "outcome": str(outcome),
        "groups": [each.to_dict() for each in found.groups],
        "criteria": [each.to_dict() for each in found.disparities],
        # What nothing, and what all, would be: a constant, and deciding by the group.
        "baselines": {
            rule: {each.criterion: each.difference for each in extreme}
            for rule, extreme in found.baselines.items()
        },
        "impossibility": found.impossibility.to_dict() if found.impossibility else None,
        "questions": list(found.questions),
        "overall": None if found.overall is None else found.overall.to_dict(),
        "calibration": _calibration(case, groups),
        "trade_offs": [_trade_off(case, groups, aim) for aim in _AIMS],
    }
    return {**finding, "trade_offs": [each for each in finding["trade_offs"] if each]}


def _proxies(case: Case, name: str, groups: Any) -> list[dict[str, Any]]:
    """Return the columns of the model that tell the group best, the first first."""
    others = [column for column in case.columns if column != name]
    if not others:
        return []
    found = proxy_audit(case.rows[others], groups).proxies[:_PROXIES]
    some = case.some(_RESAMPLED, 7)
    ends = [
        _resampled(np.asarray(case.rows[each.column])[some], groups[some])
        for each in found
    ]
    return [
        {**each.to_dict(), "low": low, "high": high}
        for each, (low, high) in zip(found, ends, strict=True)
    ]


def _resampled(values: Any, groups: Any) -> tuple[float, float]:
    """Return the middle 95 % of an association over resamples of the rows."""
    found = bootstrap_distribution(association, values, groups, n_resamples=200)
    low, high = np.quantile(
        found.estimates, [0.5 - CONFIDENCE / 2, 0.5 + CONFIDENCE / 2]
    )
    return float(min(low, found.estimate)), float(max(high, found.estimate))


def _flips(case: Case, name: str, used: bool) -> dict[str, Any]:  # noqa: FBT001
    """Return what the model would say on average if everybody were of one value."""
    rows = case.rows[case.some(_FLIPPED, 6)]
    known = rows[name].drop_nulls().unique().len()
    asked = used and _FEWEST <= known <= _MOST_VALUES
    if not asked or not hasattr(case.model, "predict_proba"):
        return {}
    case.affordable(0.2, known * rows.height, known * rows.height)
    found = flip_audit(case.model, rows, name, favourable=case.classes[-1])
    means = [
        {"value": str(value), "mean": float(mean)}
        for value, mean in zip(found.values, found.means, strict=True)
    ]
    return {"flips": {"means": means, "largest": found.largest, "rows": rows.height}}


def _trade_off(case: Case, groups: Any, aim: str) -> dict[str, Any]:
    """Choose group thresholds on half of the unseen rows, judge them by the others.

    The rows that were learned from would flatter the scores, and the rows that choose
    thresholds flatter the thresholds. Nothing is told of rows too few to halve.
    """
    order = np.random.default_rng([case.seed, 5]).permutation(case.n_rows)[:_MOST_ROWS]
    here, there = np.array_split(order, 2)
    # A group that one of the halves lacks has no threshold, or none to judge.
    known = np.intersect1d(groups[here], groups[there])
    here, there = (rows[np.isin(groups[rows], known)] for rows in (here, there))
    if len(known) < _FEWEST:
        return {}
    scores = case.scores()
    curve = trade_off(
        scores[here],
        case.y[here],
        groups[here],
        aim,
        points=_POINTS,
        favourable=case.classes[-1],
        confidence=CONFIDENCE,
        fresh=(scores[there], case.y[there], groups[there]),
    )
    # On other rows a stricter rule may leave the larger difference.
    order = np.argsort(curve.disparities, kind="stable")
    return {
        "aim": aim,
        "accuracies": curve.accuracies[order],
        "low": curve.low[order],
        "high": curve.high[order],
        "disparities": curve.disparities[order],
        "price": curve.price,
        "price_low": curve.price_low,
        "price_high": curve.price_high,
        "chosen_on": len(here),
        "measured_on": curve.n,
        "thresholds": curve.rules[0].thresholds,
    }


def _calibration(case: Case, groups: Any) -> dict[str, dict[str, float]]:
    """Return by group how likely the outcome was said to be, and how often it came."""
    if not hasattr(case.model, "predict_proba"):
        return {}
    promised, came = case.scores(), case.y == case.classes[-1]
    finding = {}
    for name in np.unique(groups).tolist():
        here = groups == name
        sure = clopper_pearson(int(came[here].sum()), int(here.sum()), CONFIDENCE)
        finding[str(name)] = {
            "promised": float(promised[here].mean()),
            "observed": sure.estimate,
            "low": sure.low,
            "high": sure.high,
        }
    return finding


def _errors(case: Case, groups: Any) -> list[dict[str, Any]]:
    """Return averages by group: predicted, too low by, off by; each with interval."""
    said = case.scores()
    measured = {
        "mean prediction": said,
        "mean of true minus predicted": case.y - said,
        "mean absolute error": np.abs(case.y - said),
    }
    made = []
    for name in np.unique(groups).tolist():
        here = groups == name
        rates = {key: _mean(values[here]) for key, values in measured.items()}
        made.append({"name": str(name), "n": int(here.sum()), "rates": rates})
    return made


def _mean(values: Any) -> dict[str, Any]:
    n, value = len(values), float(np.mean(values))
    if n < _FEWEST:
        return {"value": value, "low": None, "high": None, "n": n}
    reach = float(student.ppf(0.5 + CONFIDENCE / 2, n - 1))
    reach *= float(np.std(values, ddof=1)) / n**0.5
    return {"value": value, "low": value - reach, "high": value + reach, "n": n}


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
        "coverage": plain_coverage(case, coverage, covered, here, there),
        "calibration_rows": len(here),
        "labels": [
            {"label": str(name), **_share(both[:, place])}
            for place, name in enumerate(case.classes.tolist())
        ],
    }


def label_fairness(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Compare the groups of every sensitive column, label by label."""
    finding: dict[str, Any] = {"columns": [], "task": "decisions"}
    for name, each in one_by_one(case):
        one = fairness(each, found)
        if "reason" in one:
            return one
        finding["columns"] += [
            {**column, "label": name, "outcome": name} for column in one["columns"]
        ]
    return finding


def _share(flags: Any) -> dict[str, float]:
    sure = clopper_pearson(int(flags.sum()), len(flags), CONFIDENCE)
    return {"open": sure.estimate, "low": sure.low, "high": sure.high}
