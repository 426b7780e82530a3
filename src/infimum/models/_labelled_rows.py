"""Labelled rows that may have missing values, weighed; rows of weight 0 are gone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from infimum.data.validation import accept, accept_weights, check_labels
from infimum.typing import Indices, Vector

__all__ = ["LabelledRows", "admit_samples"]

_ADMITTED: dict[str, Any] = {
    "dtype": [np.float64, np.float32],
    "accept_sparse": ["csr", "csc"],
    "ensure_all_finite": "allow-nan",
}


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """Rows, their classes as positions in ``classes_``, and positive weights."""

    X: Any
    codes: Indices
    weights: Vector

    @classmethod
    def admit(
        cls, estimator: Any, X: Any, y: Any, sample_weight: Any = None, **how: Any
    ) -> LabelledRows:
        """Let rows in; record the sorted labels on the estimator.

        One class is enough: then the answer is always the same.
        """
        X, y = accept(estimator, X, y, **(_ADMITTED | how))
        labels = np.asarray(y)
        if labels.dtype.kind not in "biu":
            check_labels(labels)
        weights = accept_weights(sample_weight, X)
        if weights is None:
            weights = np.ones(len(labels))
        elif not weights.all():
            kept = np.flatnonzero(weights)
            X, labels, weights = X[kept], labels[kept], weights[kept]
        estimator.classes_, codes = np.unique(labels, return_inverse=True)
        return cls(X, codes, weights)


def admit_samples(estimator: Any, X: Any, **how: Any) -> Any:
    """Let new rows in, with the features that the estimator was fitted on."""
    check_is_fitted(estimator)
    return accept(estimator, X, reset=False, **(_ADMITTED | how))
