"""Winnow: multiplicative updates, for few relevant features among many."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.parameters import Interval, check_domain, whole
from infimum.typing import Matrix, Vector

__all__ = ["Winnow"]


class Winnow:
    r"""A learner of disjunctions whose mistakes grow with the logarithm of d.

    .. math:: \hat y = [\,⟨w, x⟩ ≥ d\,], \qquad \text{on a mistake: }
              w_j ← w_j\,α^{\,y - \hat y} \text{ where } x_j = 1

    Rows and labels are 0 and 1. A label that is a disjunction of k features costs at
    most `infimum.certificates.winnow_bound` mistakes; a perceptron's may grow with d.

    Parameters
    ----------
    features : int
        How many there are: d, also the threshold.
    factor : float, default=2.0
        The α, above 1.

    Attributes
    ----------
    weights : ndarray
        One positive weight per feature, from 1 on.
    mistakes : int
        Wrong answers so far.

    Examples
    --------
    >>> learner = Winnow(4).learn([[1, 0, 0, 1], [1, 0, 1, 0]], [1, 1])
    >>> learner.weights.tolist(), learner.mistakes
    ([4.0, 1.0, 2.0, 2.0], 2)

    References
    ----------
    Littlestone (1988), Machine Learning 2.
    """

    def __init__(self, features: int, *, factor: float = 2.0) -> None:
        check_domain("Winnow.features", features, whole(1))
        above_1 = Interval(1, np.inf, open_low=True)
        check_domain("Winnow.factor", factor, above_1)
        self.factor = float(factor)
        self.weights: Any = np.ones(int(features))
        self.mistakes = 0

    def predict(self, X: ArrayLike) -> Vector:
        """Return the answer, 0 or 1, for each row."""
        scores = self._rows(X) @ self.weights
        return np.asarray(scores >= len(self.weights), dtype=np.float64)

    def learn(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Meet the rows in their order; promote or demote on each mistake."""
        rows, labels = self._rows(X), np.asarray(y, dtype=np.float64)
        if labels.shape != (len(rows),) or not np.isin(labels, (0.0, 1.0)).all():
            raise DataError(f"Winnow needs {len(rows)} labels of 0 or 1, one per row.")
        for row, label in zip(rows, labels, strict=True):
            error = label - float(row @ self.weights >= len(self.weights))
            self.mistakes += int(error != 0)
            self.weights = self.weights * self.factor ** (error * row)
        return self

    def _rows(self, X: ArrayLike) -> Matrix:
        rows = np.asarray(X, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != len(self.weights):  # noqa: PLR2004
            raise DataError(
                f"Winnow needs rows of {len(self.weights)} features, got the shape "
                f"{rows.shape}."
            )
        if not np.isin(rows, (0.0, 1.0)).all():
            raise DataError("Winnow reads features of 0 and 1 only.")
        return rows
