"""How good predictions are: one criterion to choose by, several to look at."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from infimum.evaluation import area_under_roc, summarize_residuals
from infimum.typing import Matrix, Vector

__all__ = ["Criterion", "Predictions", "criterion_for", "measure", "predict_all"]

_TWO_CLASSES = 2


class Criterion(NamedTuple):
    """The number a model is chosen by."""

    metric: str
    label: str
    greater_is_better: bool
    reason: str

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


def criterion_for(classes: NDArray[Any]) -> Criterion:
    """Return the criterion for so many classes; no classes mean regression."""
    if len(classes) == 0:
        return Criterion("rmse", "RMSE", False, "it is in the units of the target")
    if len(classes) == _TWO_CLASSES:
        reason = "it compares rankings, which models without probabilities have too"
        return Criterion("auc", "AUC", True, reason)
    reason = "it means the same for models with and without probabilities"
    return Criterion("accuracy", "accuracy", True, reason)


def predict_all(model: Any, X: Any, classes: NDArray[Any]) -> Predictions:
    """Ask a model everything it can say about `X`, in the order of `classes`."""
    verdicts = np.asarray(model.predict(X))
    if len(classes) == 0:
        return Predictions(verdicts, verdicts[:, None], None)
    known = np.asarray(model.classes_)
    scores = np.asarray(model.decision_function(X), dtype=float)
    likely = None
    if hasattr(model, "predict_proba"):
        likely = _in_order(np.asarray(model.predict_proba(X)), known, classes, 0.0)
    if scores.ndim == 1 and len(classes) == _TWO_CLASSES:
        return Predictions(verdicts, scores[:, None], likely)
    if scores.ndim == 1:
        scores = np.column_stack([-scores, scores])
    # A class that was not met in training ranks below all others.
    lowest = float(scores.min(initial=0.0)) - 1
    return Predictions(verdicts, _in_order(scores, known, classes, lowest), likely)


def measure(
    y: NDArray[Any], said: Predictions, classes: NDArray[Any]
) -> dict[str, float | None]:
    """Return every metric of the predictions; None where the model has no answer."""
    if len(classes) == 0:
        summary = summarize_residuals(y, said.verdicts)
        return {
            "rmse": summary.root_mean_square,
            "mae": summary.mean_absolute,
            "r2": summary.explained,
        }
    scores = said.scores[:, 0] if said.scores.shape[1] == 1 else said.scores
    accuracy = float(np.mean(said.verdicts == y))
    loss = None
    if said.probabilities is not None:
        codes = np.searchsorted(classes, y)
        loss = _log_loss(codes, said.probabilities)
    return {
        "auc": area_under_roc(y, scores, classes),
        "accuracy": accuracy,
        "error": 1 - accuracy,
        "balanced_accuracy": _balanced(y, said.verdicts),
        "log_loss": loss,
    }


def _in_order(
    table: Matrix, known: NDArray[Any], classes: NDArray[Any], filler: float
) -> Matrix:
    ordered = np.full((len(table), len(classes)), filler)
    ordered[:, np.searchsorted(classes, known)] = table
    return ordered


def _log_loss(codes: NDArray[Any], probabilities: Matrix) -> float:
    # A probability of exactly 0 for what happened would make every average infinite.
    chance: Vector = probabilities[np.arange(len(codes)), codes]
    return float(-np.mean(np.log(np.clip(chance, np.finfo(float).eps, 1))))


def _balanced(y: NDArray[Any], verdicts: NDArray[Any]) -> float:
    return float(
        np.mean([np.mean(verdicts[y == label] == label) for label in np.unique(y)])
    )
