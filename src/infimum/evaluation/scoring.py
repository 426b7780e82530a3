"""Criteria of predictions: one to choose a model by, several to report."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from infimum.evaluation import area_under_roc
from infimum.evaluation.row_losses import log_losses, special_losses
from infimum.evaluation.uncertainty.areas import area_influence
from infimum.typing import Matrix, Vector

__all__ = [
    "Criterion",
    "Predictions",
    "count_extreme",
    "criterion_for",
    "measure",
    "predict_all",
]

_TWO_CLASSES = 2
#: Goals with a criterion of their own: metric, label and reason; less is better.
_OF_GOALS = {
    "multilabel": (
        "log_loss",
        "log-loss",
        "it judges every probability, and all labels count alike",
    ),
    "novelty": (
        "volume",
        "volume",
        "it is the share of imitated rows that pass for familiar",
    ),
    "ordinal": (
        "distance",
        "steps off",
        "it counts by how many steps of the order a verdict is off",
    ),
    "counts": (
        "deviance",
        "Poisson deviance",
        "it is the likelihood of counts, large ones may scatter more",
    ),
    "quantile": ("pinball", "pinball loss", "its least average is at the quantile"),
}


class Criterion(NamedTuple):
    """The number a model is chosen by."""

    metric: str
    label: str
    greater_is_better: bool
    reason: str
    quantile: float | None = None
    alarm_rate: float | None = None

    def error(self, value: float) -> float:
        """Return the number to minimise."""
        return 1 - value if self.greater_is_better else value


class Predictions(NamedTuple):
    """What a model says about rows: a verdict, scores, and probabilities if it can.

    Scores have one column a class, or a single column for two classes.
    """

    verdicts: NDArray[Any]
    scores: Matrix
    probabilities: Matrix | None


def criterion_for(
    classes: NDArray[Any],
    goal: str = "",
    quantile: float | None = None,
    alarm_rate: float | None = None,
) -> Criterion:
    """Return the criterion for so many classes; no classes mean regression."""
    if goal in _OF_GOALS:
        metric, label, reason = _OF_GOALS[goal]
        return Criterion(metric, label, False, reason, quantile, alarm_rate)
    if len(classes) == 0:
        return Criterion("rmse", "RMSE", False, "it is in the units of the target")
    if len(classes) == _TWO_CLASSES:
        reason = "it compares rankings, which models without probabilities have too"
        return Criterion("auc", "AUC", True, reason)
    reason = "it means the same for models with and without probabilities"
    return Criterion("accuracy", "accuracy", True, reason)


def predict_all(model: Any, X: Any, classes: NDArray[Any]) -> Predictions:
    """Ask a model everything it can say about `X`, in the order of `classes`."""
    if len(classes) == 0 and hasattr(model, "score_samples"):
        strange = -np.asarray(model.score_samples(X), dtype=float)
        return Predictions(strange, strange[:, None], None)
    verdicts = np.asarray(model.predict(X))
    if verdicts.ndim == _TWO_CLASSES:  # an answer for each of several labels
        shares = np.asarray(model.predict_proba(X), dtype=float)
        return Predictions(verdicts, shares, shares)
    if len(classes) == 0:
        return Predictions(verdicts, verdicts[:, None], None)
    known = np.asarray(model.classes_)
    likely = None
    if hasattr(model, "predict_proba"):
        likely = _in_order(np.asarray(model.predict_proba(X)), known, classes, 0.0)
    if likely is not None and not hasattr(model, "decision_function"):
        return Predictions(verdicts, _ranking(likely), likely)
    scores = np.asarray(model.decision_function(X), dtype=float)
    if scores.ndim == 1 and len(classes) == _TWO_CLASSES:
        return Predictions(verdicts, scores[:, None], likely)
    if scores.ndim == 1:
        scores = np.column_stack([-scores, scores])
    # A class that was not met in training ranks below all others.
    lowest = float(scores.min(initial=0.0)) - 1
    return Predictions(verdicts, _in_order(scores, known, classes, lowest), likely)


def measure(
    y: NDArray[Any],
    said: Predictions,
    classes: NDArray[Any],
    criterion: Criterion | None = None,
    weights: Vector | None = None,
) -> dict[str, float | None]:
    """Return every metric of the predictions; None where the model has no answer.

    The metric of a `criterion` that only some goals have is added; with `weights` a
    row counts as often as they say.
    """
    if weights is not None and not weights.any():
        weights = None  # where nothing counts, all count alike
    if criterion is not None and criterion.alarm_rate is not None:
        return _of_detector(y, said.verdicts, criterion.alarm_rate)
    if y.ndim == _TWO_CLASSES:
        return _of_labels(y, said, weights)
    special = (
        {} if criterion is None else _special(y, said, classes, criterion, weights)
    )
    if len(classes) == 0:
        return {**_of_numbers(y, said, weights), **special}
    accuracy = float(np.average(said.verdicts == y, weights=weights))
    loss = None
    if said.probabilities is not None:
        losses = log_losses(y, said.probabilities, classes)
        loss = float(np.average(losses, weights=weights))
    return {
        "auc": _area(y, said, classes, weights),
        "accuracy": accuracy,
        "error": 1 - accuracy,
        "balanced_accuracy": _balanced(y, said.verdicts, weights),
        "log_loss": loss,
        **special,
    }


def count_extreme(said: Sequence[Predictions], y: NDArray[Any]) -> list[int]:
    """Count answers further from all targets seen than these are from each other.

    An exponential of scores can be right for all rows but one, and that one costs more
    than all the others. Targets that are all the same tell nothing about what is far.
    """
    low, high = float(np.min(y)), float(np.max(y))
    span = high - low if high > low else np.inf
    return [
        int(np.sum((each.verdicts < low - span) | (each.verdicts > high + span)))
        for each in said
    ]


def _of_numbers(
    y: NDArray[Any], said: Predictions, weights: Vector | None
) -> dict[str, float | None]:
    # An exponential may overflow: that is a bad answer, not the end of the race.
    with np.errstate(over="ignore", invalid="ignore"):
        sizes = np.abs(y - said.verdicts)
        left = np.average(sizes**2, weights=weights)
        spread = np.average((y - np.average(y, weights=weights)) ** 2, weights=weights)
        return {
            "rmse": float(np.sqrt(left)),
            "mae": float(np.average(sizes, weights=weights)),
            "r2": float(1 - left / spread) if np.ptp(y) > 0 and spread > 0 else 0.0,
        }


def _of_labels(
    y: NDArray[Any], said: Predictions, weights: Vector | None
) -> dict[str, float | None]:
    """Return averages over labels, and the share of rows with all of them right."""
    surprise = log_losses(y, said.scores, np.array([])).mean(axis=1)
    counts = np.ones(len(y)) if weights is None else weights
    hits = counts @ (y * said.verdicts)
    flagged = counts @ (y + said.verdicts)
    missed = y != said.verdicts
    return {
        "log_loss": float(np.average(surprise, weights=weights)),
        "hamming": float(np.average(missed.mean(axis=1), weights=weights)),
        "macro_f1": float(np.mean(2 * hits / np.where(flagged > 0, flagged, 1))),
        "all_right": float(np.average(~missed.any(axis=1), weights=weights)),
    }


def _of_detector(
    y: NDArray[Any], strange: Vector, rate: float
) -> dict[str, float | None]:
    """Compare real rows (0) with imitated ones (1) by how strange they are said to be.

    The volume is the share of imitations within the least region that holds all real
    rows but a share `rate`; the area is that of the ROC curve, over all rates.
    """
    real, imitated = strange[y == 0], strange[y == 1]
    limit = np.quantile(real, 1 - rate, method="higher")
    return {
        "volume": float(np.mean(imitated <= limit)),
        "area": area_under_roc(y == 1, np.nan_to_num(strange), np.array([False, True])),
    }


def _special(
    y: NDArray[Any],
    said: Predictions,
    classes: NDArray[Any],
    criterion: Criterion,
    weights: Vector | None,
) -> dict[str, float | None]:
    each = special_losses(y, said, classes, criterion)
    if each is None:
        return {}
    return {criterion.metric: float(np.average(each, weights=weights))}


def _area(
    y: NDArray[Any], said: Predictions, classes: NDArray[Any], weights: Vector | None
) -> float:
    scores = said.scores[:, 0] if said.scores.shape[1] == 1 else said.scores
    if weights is None:
        return area_under_roc(y, scores, classes)
    shown = classes[-1:] if said.scores.shape[1] == 1 else classes
    known = []
    for label, column in zip(shown, said.scores.T, strict=True):
        yes, no = weights * (y == label), weights * (y != label)
        if yes.any() and no.any():
            known.append(area_influence(yes, no, column)[0])
    return float(np.mean(known)) if known else float("nan")


def _ranking(likely: Matrix) -> Matrix:
    return likely[:, 1:] if likely.shape[1] == _TWO_CLASSES else likely


def _in_order(
    table: Matrix, known: NDArray[Any], classes: NDArray[Any], filler: float
) -> Matrix:
    ordered = np.full((len(table), len(classes)), filler)
    ordered[:, np.searchsorted(classes, known)] = table
    return ordered


def _balanced(
    y: NDArray[Any], verdicts: NDArray[Any], weights: Vector | None = None
) -> float:
    counts = np.ones(len(y)) if weights is None else weights
    shares = [
        np.average(verdicts[y == label] == label, weights=counts[y == label])
        for label in np.unique(y[counts > 0])
    ]
    return float(np.mean(shares))
