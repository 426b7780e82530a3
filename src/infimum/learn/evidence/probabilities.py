"""Probabilities of a classifier that has none, and decisions by what mistakes cost."""

from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit, log_softmax, softmax

from infimum.learn.costs import best_threshold, cost_matrix, told_costs
from infimum.learn.evidence.case import CONFIDENCE, Case
from infimum.learn.evidence.promises import halves
from infimum.typing import Matrix

__all__ = ["calibrated_chances", "costs", "probabilities"]

_TWO_CLASSES = 2
_GRACE = 2.0


def probabilities(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Fit a sigmoid of the scores on half of the test rows (Platt), or a softmax."""
    if not case.classifies or hasattr(case.model, "predict_proba"):
        return {"own": True}
    case.affordable(0.5, 2 * case.n_rows, 2 * case.n_rows, grace=_GRACE)
    here, _ = halves(case)
    scores = np.asarray(case.model.decision_function(case.rows[here]), dtype=float)
    codes = np.searchsorted(case.classes, case.y[here])
    unit = float(np.std(scores)) or 1.0

    def loss(point: Any) -> float:
        if scores.ndim == 1:
            raw = point[0] * scores / unit + point[1]
            likely = np.where(codes == 1, log_expit(raw), log_expit(-raw))
        else:
            likely = log_softmax(point[0] * scores / unit, axis=1)
            likely = likely[np.arange(len(codes)), codes]
        # One row more on either side, so that few rows are no certainty.
        return -float(likely.sum()) + 0.5 * float(np.square(point).sum()) / 4

    point = minimize(loss, [1.0, 0.0], method="Nelder-Mead").x
    return {
        "own": False,
        "slope": float(point[0]) / unit,
        "shift": float(point[1]) if scores.ndim == 1 else 0.0,
        "rows": len(here),
    }


def calibrated_chances(model: Any, rows: Any, told: dict[str, Any]) -> Matrix | None:
    """Return probabilities of all classes, the model's own or those of a sigmoid."""
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(rows), dtype=float)
    if "slope" not in told:
        return None
    scores = np.asarray(model.decision_function(rows), dtype=float)
    raw = told["slope"] * scores + told["shift"]
    if raw.ndim == 1:
        return np.column_stack([expit(-raw), expit(raw)])
    return np.asarray(softmax(raw, axis=1))


def costs(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Say what decisions by cost cost on the test rows, at the threshold of the folds.

    Where the folds have kept no probabilities, the costs alone give the threshold.
    """
    given = case.training.options.costs
    chances = calibrated_chances(
        case.model, case.rows, found.get("probabilities") or {}
    )
    if chances is None:
        return {"reason": "The model has no probabilities to weigh costs with."}
    matrix = cost_matrix(given, case.classes)
    threshold, basis = None, "costs"
    if len(case.classes) == _TWO_CLASSES:
        threshold = float(matrix[0, 1] / max(matrix[0, 1] + matrix[1, 0], 1e-300))
        if case.held_back:
            truth = np.concatenate([each.truth for each in case.held_back])
            likely = np.concatenate([each.said[:, 1] for each in case.held_back])
            codes = np.searchsorted(case.classes, truth)
            threshold = best_threshold(codes, likely, matrix)
            basis = "folds"
    told = told_costs(case.y, chances, case.classes, given, threshold, CONFIDENCE)
    return {**told, "basis": basis}
