"""Counts of labels as weighted rows: binomial and multinomial data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from infimum.errors import DataError
from infimum.typing import Vector

__all__ = ["counted_rows"]


def counted_rows(X: Any, counts: ArrayLike) -> tuple[Any, NDArray[np.intp], Vector]:
    """Unfold a table of counts into samples, labels and weights.

    Row i of `counts` says how often each label was seen at sample i. Since a weight
    means repetition, a classifier fitted to the result maximises the binomial (two
    columns: failures, successes) or multinomial likelihood of the counts.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Samples.
    counts : array-like of shape (n_samples, n_labels)
        Numbers that are not negative, whole or not.

    Returns
    -------
    X : array or sparse matrix
        The samples, each repeated once for every label that it has.
    y : ndarray
        The labels 0, 1, …
    sample_weight : ndarray
        The counts, none of them 0.

    Examples
    --------
    >>> from infimum.models.linear import LogisticRegression
    >>> doses, died_of_ten = [[0.0], [1.0], [2.0]], [2, 5, 8]
    >>> rows, y, weight = counted_rows(doses, [[10 - k, k] for k in died_of_ten])
    >>> model = LogisticRegression(C=float("inf"), tol=1e-6).fit(rows, y, weight)
    >>> model.predict_proba(doses)[:, 1].round(2)
    array([0.2, 0.5, 0.8])
    """
    samples: Any = X.tocsr() if hasattr(X, "tocsr") else np.asarray(X)
    table = np.asarray(counts, dtype=np.float64)
    if table.ndim != 2 or len(table) != samples.shape[0]:  # noqa: PLR2004
        raise DataError(
            f"counted_rows.counts must have one row for each of the {samples.shape[0]} "
            f"samples, got an array of shape {table.shape}."
        )
    if not np.isfinite(table).all() or table.min(initial=0.0) < 0:
        raise DataError("counted_rows.counts must be finite and not negative.")
    rows, labels = np.nonzero(table)
    return samples[rows], labels, table[rows, labels]
