"""Reductions over the scores of each sample: sums, largest and least."""

import numpy as np

from infimum.typing import Matrix, Vector

__all__ = ["over_scores"]

#: With so few scores a sample, columns are combined whole.
FEW = 12


def over_scores(combine: np.ufunc, scores: Matrix) -> Vector:
    """Combine the scores of each sample by a ufunc.

    NumPy reduces row by row, which for a few scores takes up to twenty times as long as
    going through whole columns.

    Examples
    --------
    >>> over_scores(np.maximum, np.array([[1.0, 3.0, 2.0], [0.0, -1.0, -2.0]]))
    array([3., 0.])
    """
    if not 1 < scores.shape[1] <= FEW:
        return np.asarray(combine.reduce(scores, axis=1))
    found = combine(scores[:, 0], scores[:, 1])
    for column in scores.T[2:]:
        combine(found, column, out=found)
    return np.asarray(found)
