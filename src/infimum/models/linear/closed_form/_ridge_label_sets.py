"""Ridge classification of sets of labels: every label is a risk of its own."""

from __future__ import annotations

from abc import ABC
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.multiclass import type_of_target

from infimum.data.canonical import given_out
from infimum.data.doors import Rows, class_weighted, read, weighed
from infimum.errors import DataError
from infimum.models.linear._classifier import LinearClassifier
from infimum.models.linear.coding import Signs
from infimum.typing import Vector

__all__ = ["RidgeLabels", "coding_of"]


class SetSigns(Signs):
    """Sets of labels coded ±1: one risk for each label."""

    def targets(self, y: Any) -> tuple[Vector, ...]:
        """Return the columns."""
        return tuple(y.T)


class RidgeLabels(LinearClassifier, ABC):
    """A linear classifier of one label for each sample, or of a column for each label.

    Attributes
    ----------
    multilabel_ : bool
        Whether a sample has a set of labels: a row of zeros and ones.
    sparse_output_ : bool
        Whether these rows were sparse; then predictions are so too.
    """

    multilabel_ = False
    sparse_output_ = False

    def _rows(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Rows:
        several = sparse.issparse(y) or np.asarray(y).ndim > 1
        several = several and type_of_target(y) == "multilabel-indicator"
        if reset:
            self.multilabel_, self.sparse_output_ = several, sparse.issparse(y)
        elif several != self.multilabel_:
            raise DataError(
                f"{type(self).__name__} was fitted on one label for each sample, and "
                "gets sets of labels, or the other way round."
            )
        if not several:
            return super()._rows(X, y, sample_weight, reset=reset)
        return self._sets(X, y, sample_weight, reset=reset)

    def _sets(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Rows:
        """Admit rows with a set of labels each, coded ±1."""
        X, y = read(self, X, y, several=True, reset=reset)
        given = np.asarray(y.toarray() if hasattr(y, "toarray") else y)
        if not (np.isin(given, (0, 1)).all() or np.isin(given, (-1, 1)).all()):
            raise DataError(
                f"{type(self).__name__}: sets of labels are rows of zeros and ones, "
                f"got {np.unique(given).tolist()}."
            )
        sets = (given > 0).astype(np.intp)
        if not reset and sets.shape[1] != len(self.classes_):
            raise DataError(
                f"{type(self).__name__} was fitted on {len(self.classes_)} labels, got "
                f"{sets.shape[1]}."
            )
        weights = None if sample_weight is None else weighed(sample_weight, X)
        classes, owner = np.arange(sets.shape[1]), type(self).__name__
        known = [np.arange(2)] * len(classes)
        weights = class_weighted(owner, self.class_weight, known, sets, weights)
        return Rows(X, 2.0 * sets - 1.0, weights, None, classes)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the highest score, or all labels with scores above 0.

        Sets of labels are rows of zeros and ones.
        """
        if not self.multilabel_:
            return super().predict(X)
        found = (self.decision_function(X) > 0).astype(np.intp)
        return given_out(sparse.csr_array(found)) if self.sparse_output_ else found

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        return tags


def coding_of(rows: Rows) -> Signs:
    """Return the coding of one label for each sample, or of sets of labels."""
    kind = SetSigns if np.ndim(rows.y) > 1 else Signs
    return kind(len(rows.classes))
