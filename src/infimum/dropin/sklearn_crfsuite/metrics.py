"""Scores of ``sklearn_crfsuite.metrics``: scikit-learn's, over all tokens."""

from __future__ import annotations

from typing import Any

from sklearn import metrics

from infimum.dropin.sklearn_crfsuite.utils import flatten

__all__ = [
    "flat_accuracy_score",
    "flat_classification_report",
    "flat_f1_score",
    "flat_fbeta_score",
    "flat_precision_score",
    "flat_recall_score",
    "sequence_accuracy_score",
]


def flat_accuracy_score(y_true: Any, y_pred: Any) -> float:
    """Return the share of tokens with the right label."""
    return float(metrics.accuracy_score(flatten(y_true), flatten(y_pred)))


def flat_precision_score(y_true: Any, y_pred: Any, **kwargs: Any) -> Any:
    """Return the precision over all tokens."""
    return metrics.precision_score(flatten(y_true), flatten(y_pred), **kwargs)


def flat_recall_score(y_true: Any, y_pred: Any, **kwargs: Any) -> Any:
    """Return the recall over all tokens."""
    return metrics.recall_score(flatten(y_true), flatten(y_pred), **kwargs)


def flat_f1_score(y_true: Any, y_pred: Any, **kwargs: Any) -> Any:
    """Return the F-score over all tokens."""
    return metrics.f1_score(flatten(y_true), flatten(y_pred), **kwargs)


def flat_fbeta_score(y_true: Any, y_pred: Any, beta: float, **kwargs: Any) -> Any:
    """Return the F-score of a weight of recall over all tokens."""
    found = flatten(y_true), flatten(y_pred)
    return metrics.fbeta_score(*found, beta=beta, **kwargs)


def flat_classification_report(
    y_true: Any, y_pred: Any, labels: Any = None, **kwargs: Any
) -> Any:
    """Return precision, recall and F-score by label, as text or dict."""
    found = flatten(y_true), flatten(y_pred)
    return metrics.classification_report(*found, labels=labels, **kwargs)


def sequence_accuracy_score(y_true: Any, y_pred: Any) -> float:
    """Return the share of sequences whose labels are all right; 0 of none."""
    pairs = list(zip(y_true, y_pred, strict=True))
    return sum(list(a) == list(b) for a, b in pairs) / len(pairs) if pairs else 0.0
