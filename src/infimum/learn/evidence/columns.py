"""What the columns of the table do to the answers: importance, effects and weights."""

import time
from typing import Any

import numpy as np
from sklearn.metrics import make_scorer, mean_pinball_loss

from infimum.errors import DataError, InfimumError
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

__all__ = ["effects", "importance", "leading", "weights"]

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
    chosen = case.some(rows, stream=1)
    score = _score(case, case.y[chosen])
    told = permutation_importance(
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
        "intact": next(iter(told.scores.values())),
        "repeats": repeats,
        "rows": len(chosen),
        "columns": [
            {"column": name, "drop": drop, "error": error}
            for name, drop, error in told.ranked()
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
    told = found.get("importance", {}).get("columns")
    if told is None:
        return case.columns[:most] if case.named else []
    relied = [each["column"] for each in told if each["drop"] > 0]
    chosen = (relied or [each["column"] for each in told])[:most]
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
    told: dict[str, Any] = {
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
        told["local"] = {
            "edges": local.edges,
            "effects": local.effects,
            "errors": local.errors,
            "average": _average(dependence, local),
        }
    return told


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
    told = weight_steadiness(
        last,
        X,
        training.y,
        training.weights,
        groups=training.groups,
        seed=case.seed,
        seconds=left,
    )
    if told is None:
        raise TooLateError
    values = np.atleast_2d(np.asarray(last.coef_, dtype=float))
    size = np.abs(values).max(axis=0)
    names = feature_names(case.model)
    shown = [i for i in np.argsort(-size, kind="stable").tolist() if size[i] > 0]
    return {
        "draws": told.draws,
        "features": [
            {
                "feature": names[place],
                "values": values[:, place].tolist(),
                "errors": told.errors[:, place].tolist(),
                "in_use": float(told.in_use[place]),
            }
            for place in shown[:_MOST]
        ],
    }
