"""Scorers of ``sklearn_crfsuite.scorers``, for searches and cross-validation."""

from sklearn.metrics import make_scorer

from infimum.dropin.sklearn_crfsuite.metrics import (
    flat_accuracy_score,
    sequence_accuracy_score,
)

__all__ = ["flat_accuracy", "sequence_accuracy"]

flat_accuracy = make_scorer(flat_accuracy_score)
sequence_accuracy = make_scorer(sequence_accuracy_score)
