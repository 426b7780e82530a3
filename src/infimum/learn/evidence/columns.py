"""What the columns do to the answers, and whether more rows would help."""

import math
import time
from typing import Any

import numpy as np
from sklearn.metrics import make_scorer, mean_pinball_loss

from infimum.errors import DataError, InfimumError
from infimum.evaluation.scoring import Predictions, criterion_for, measure, predict_all
from infimum.evaluation.uncertainty.steadiness import weight_steadiness
from infimum.explanation import (
    Dependence,
    LocalEffects,
    accumulated_local_effects,
    partial_dependence,
    permutation_importance,
)
from infimum.learn.choose.refit import feature_names
from infimum.learn.evidence.case import Case, TooLateError
from infimum.learn.folds import collecting
from infimum.limits import time_is_up, time_limit
from infimum.typing import Indices, Vector

__all__ = ["effects", "importance", "leading", "learning_curve", "weights"]


_MOST_COLUMNS, _MOST_ROWS, _MOST_REPEATS, _TOP = 60, 1000, 10, 4
_POINTS, _STRETCHES, _CURVES, _FEW_VALUES = 16, 12, 25, 8
_MEDIAN = 0.5
#: Scorers, and what the report calls them.
_SCORES = {
    "roc_auc": "AUC",
    "accuracy": "accuracy",
    "r2": "R²",
    "neg_log_loss": "log-likelihood",
    "pinball": "negative pinball loss",
    "steps": "negative steps off",
}
#: Goals whose models are chosen by a loss of their own.
_OWN = {"quantile": "pinball", "ordinal": "steps"}


def importance(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Shuffle each column among the unseen rows and see how far the score falls."""
    columns = _worth_asking(case)
    rows = min(_MOST_ROWS, case.n_rows)
    price = len(columns) * rows
    answers = case.affordable(0.4, _MOST_REPEATS * price, 2 * min(price, 200))
    if answers < 2 * price:
        rows = max(50, answers // (2 * len(columns)))
    repeats = int(np.clip(answers // (len(columns) * rows), 2, _MOST_REPEATS))
    chosen = case.some(rows, stream=1, both=case.binary)
    score = _score(case, case.y[chosen])
    finding = permutation_importance(
        case.model,
        case.rows[chosen],
        case.y[chosen],
        scoring=_scorer(case, score),
        groups={_name(case, column): [column] for column in columns},
        repeats=repeats,
        seed=case.seed,
    )
    return {
        "score": _SCORES[score],
        "intact": next(iter(finding.scores.values())),
        "repeats": repeats,
        "rows": len(chosen),
        "columns": [
            {"column": name, "drop": drop, "error": error}
            for name, drop, error in finding.ranked()
        ],
        "left_out": len(case.columns) - len(columns),
    }


def effects(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Move the columns that matter most, one at a time, and follow the answer."""
    columns = leading(case, found, _TOP)
    if not columns:
        raise DataError("No column changes the model's answers.")
    each = case.affordable(0.5, len(columns) * 6000, len(columns) * 20 * _POINTS)
    each //= len(columns)
    table = case.rows[case.some(min(2000, max(40, each // 3)), stream=2)]
    made = []
    for column in columns:
        try:
            made.append(_effect(case, table, column, each))
        except InfimumError:
            continue
    return {"of": _target_name(case), "columns": made}


def leading(case: Case, found: dict[str, Any], most: int) -> list[Any]:
    """Return the columns whose shuffling costs most, if that is known."""
    finding = found.get("importance", {}).get("columns")
    if finding is None:
        return case.columns[:most] if case.named else []
    relied = [each["column"] for each in finding if each["drop"] > 0]
    chosen = (relied or [each["column"] for each in finding])[:most]
    by_name = {_name(case, column): column for column in case.columns}
    return [by_name[name] for name in chosen]


def _effect(case: Case, table: Any, column: Any, answers: int) -> dict[str, Any]:
    dependence = partial_dependence(
        case.model,
        table,
        column,
        points=_POINTS,
        rows=max(20, min(200, answers // (2 * _POINTS))),
        seed=case.seed,
    )
    finding: dict[str, Any] = {
        "column": _name(case, column),
        "numeric": dependence.numeric,
        "response": dependence.response,
        "values": list(dependence.values),
        "mean": dependence.mean,
        "error": dependence.error,
        "curves": dependence.individual[:_CURVES],
        "rows": len(dependence.rows),
        "local": None,
    }
    if dependence.numeric and len(dependence.values) > 2:  # noqa: PLR2004
        local = accumulated_local_effects(
            case.model, table, column, stretches=_STRETCHES
        )
        finding["local"] = {
            "edges": local.edges,
            "effects": local.effects,
            "errors": local.errors,
            "average": _average(dependence, local),
        }
    return finding


def _average(dependence: Dependence, local: LocalEffects) -> float:
    """Return the partial dependence, averaged over where the rows are."""
    middles = 0.5 * (local.edges[:-1] + local.edges[1:])
    there = np.interp(middles, dependence.values, dependence.mean)
    return float(np.average(there, weights=local.counts))


def _worth_asking(case: Case) -> list[Any]:
    """Return the columns, or the heaviest of a model with too many of them."""
    columns = case.columns
    if not columns:
        raise DataError("The model uses no column.")
    if len(columns) <= _MOST_COLUMNS:
        return columns
    last = case.model[-1] if hasattr(case.model, "steps") else case.model
    if case.named or not hasattr(last, "coef_"):
        # Fewer columns would be a choice without reason; the time decides.
        if case.pace * len(columns) * 100 > 1.0:
            raise TooLateError
        return columns
    weights = np.abs(np.atleast_2d(np.asarray(last.coef_))).max(axis=0)
    heaviest = np.argsort(-weights, kind="stable")[:_MOST_COLUMNS]
    return sorted(heaviest[weights[heaviest] > 0].tolist()) or columns[:1]


def _scorer(case: Case, score: str) -> Any:
    """Return a scorer by name, or one that turns the sign of a goal's own loss."""
    if score == "pinball":
        wanted = case.training.options.quantile or _MEDIAN
        return make_scorer(mean_pinball_loss, alpha=wanted, greater_is_better=False)
    if score == "steps":
        return make_scorer(_steps_off, classes=case.classes, greater_is_better=False)
    return score


def _steps_off(y: Any, said: Any, classes: Any) -> float:
    """Return by how many steps of the order verdicts are off on average."""
    rank = {label: place for place, label in enumerate(classes.tolist())}
    pairs = zip(y.tolist(), said.tolist(), strict=True)
    return float(np.mean([abs(rank[a] - rank[b]) for a, b in pairs]))


def _score(case: Case, y: Any) -> str:
    if y.ndim > 1:
        return "neg_log_loss"
    # Rows of one class have no pairs to rank.
    if case.binary and (y != y[0]).any():
        return "roc_auc"
    if case.training.goal in _OWN:
        return _OWN[case.training.goal]
    return "accuracy" if case.classifies else "r2"


def _name(case: Case, column: Any) -> str:
    return str(column) if case.named else f"feature {column}"


def _target_name(case: Case) -> str:
    if not case.classifies:
        return f"predicted {case.training.target}"
    kind = "probability" if hasattr(case.model, "predict_proba") else "score"
    return f"{kind} of “{case.classes[-1]}”"


_SHARE, _MOST = 0.25, 60


def weights(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Fit a linear model on other draws of its rows and see how its weights scatter."""
    last = case.model[-1] if hasattr(case.model, "steps") else case.model
    if not hasattr(last, "coef_"):
        raise DataError("The model has no weights.")
    left = _SHARE * (case.deadline - time.perf_counter())
    if left <= 0:
        raise TooLateError
    training = case.training
    X = case.model[:-1].transform(training.rows)
    finding = weight_steadiness(
        last,
        X,
        training.y,
        training.weights,
        groups=training.groups,
        seed=case.seed,
        seconds=left,
    )
    if finding is None:
        raise TooLateError
    values = np.atleast_2d(np.asarray(last.coef_, dtype=float))
    size = np.abs(values).max(axis=0)
    names = feature_names(case.model)
    shown = [i for i in np.argsort(-size, kind="stable").tolist() if size[i] > 0]
    return {
        "draws": finding.draws,
        "features": [
            {
                "feature": names[place],
                "values": values[:, place].tolist(),
                "errors": finding.errors[:, place].tolist(),
                "in_use": float(finding.in_use[place]),
            }
            for place in shown[:_MOST]
        ],
    }


#: Parts of the training rows beside all of them, and how often test rows are drawn.
_PARTS, _DRAWS = (0.125, 0.25, 0.5), 100
#: Fewer rows than this teach nothing; more than this many judge no better.
_FEWEST, _MOST_JUDGES = 30, 2000
#: A fit on twice the rows takes a little more than twice as long.
_GROWTH = 2.5


def learning_curve(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Fit the chosen setting on parts of the training rows; judge by the same rows.

    The gain of the last doubling has a standard error by other draws of the test rows,
    the same ones for both models.
    """
    training = case.training
    if case.again is None or len(training.y) * _PARTS[-1] < _FEWEST:
        return {"reason": "There are too few rows to learn from parts of them."}
    judge = _Judge(case)
    order = np.random.default_rng([case.seed, 12]).permutation(len(training.y))
    points: list[int] = []
    scored: list[tuple[float, Vector]] = []
    for size in _sizes(len(order)):
        model = _fitted(case, order[:size], scored)
        if model is None:
            break
        scored.append(judge.scores(model))
        points.append(size)
    if not points:
        raise TooLateError
    scored.append(judge.scores(case.model))
    points.append(len(order))
    finding = judge.criterion
    sign = 1 if finding.greater_is_better else -1
    (last, others), (whole, wholes) = scored[-2:]
    return {
        "score": finding.label,
        "greater_is_better": finding.greater_is_better,
        "points": [
            {"rows": rows, "score": value, "error": float(np.nanstd(drawn))}
            for rows, (value, drawn) in zip(points, scored, strict=True)
        ],
        "from_rows": points[-2],
        "gain": sign * (whole - last),
        "error": float(np.nanstd(wholes - others)),
    }


class _Judge:
    """Scores of models on the same test rows, and on the same draws of them."""

    def __init__(self, case: Case) -> None:
        self.case, training = case, case.training
        self.criterion = criterion_for(
            training.classes, training.goal, training.options.quantile
        )
        self.rows = case.some(_MOST_JUDGES, stream=5)
        rng, count = np.random.default_rng([case.seed, 13]), len(self.rows)
        self.draws = rng.integers(0, count, (_DRAWS, count))

    def scores(self, model: Any) -> tuple[float, Vector]:
        """Return the score of a model, and those by other draws of the rows."""
        said = predict_all(model, self.case.rows[self.rows], self.case.training.classes)
        drawn = [self._score(said, places) for places in self.draws]
        return self._score(said, np.arange(len(self.rows))), np.array(drawn)

    def _score(self, said: Predictions, places: Indices) -> float:
        rows = self.rows[places]
        likely = None if said.probabilities is None else said.probabilities[places]
        part = Predictions(said.verdicts[places], said.scores[places], likely)
        weights = None if self.case.weights is None else self.case.weights[rows]
        finding = measure(
            self.case.y[rows], part, self.case.training.classes, self.criterion, weights
        )
        value = finding[self.criterion.metric]
        return math.nan if value is None else value


def _sizes(rows: int) -> list[int]:
    return [round(part * rows) for part in _PARTS if part * rows >= _FEWEST]


def _fitted(case: Case, rows: Any, before: Any) -> Any:
    """Return the model of some rows; None if it would come too late, or cannot be."""
    left = case.deadline - time.perf_counter()
    if left <= 0 or (before and _GROWTH * case.last_fit > left):
        return None
    part = case.training.only(np.sort(rows))
    if len(part.classes) and len(np.unique(part.y)) < len(part.classes):
        return None
    began = time.perf_counter()
    with collecting(), time_limit(left):
        model = case.again(part) if case.again is not None else None
        cut = time_is_up()
    case.last_fit = time.perf_counter() - began
    return None if cut else model
