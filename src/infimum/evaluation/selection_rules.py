"""Choosing among validated models: cross-validated errors and the honest winner."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from infimum.errors import DataError
from infimum.evaluation.folds import Split
from infimum.typing import Matrix, Vector

__all__ = ["ErrorTable", "cross_validate", "one_standard_error"]


@dataclass(frozen=True)
class ErrorTable:
    """The error of each candidate (row) on each fold (column)."""

    errors: Matrix

    @property
    def means(self) -> Vector:
        """Average error of each candidate."""
        return np.asarray(self.errors.mean(axis=1))

    @property
    def standard_errors(self) -> Vector:
        """Standard error of each average over the folds."""
        n_folds = self.errors.shape[1]
        if n_folds == 1:
            return np.zeros(len(self.errors))
        return np.asarray(self.errors.std(axis=1, ddof=1) / np.sqrt(n_folds))

    @property
    def best(self) -> int:
        """Position of the candidate with the least average error."""
        return int(np.argmin(self.means))


def cross_validate(
    candidates: Sequence[Any],
    X: Any,
    y: ArrayLike,
    splits: Iterable[Split],
    error: Callable[[Any, Any], float],
) -> ErrorTable:
    """Fit a clone of every candidate on every split and measure it on the held rows."""
    targets = np.asarray(y)
    columns = []
    for train, held in splits:
        fitted = [clone(model).fit(X[train], targets[train]) for model in candidates]
        columns.append([error(targets[held], m.predict(X[held])) for m in fitted])
    return ErrorTable(np.asarray(columns, dtype=float).T)


def one_standard_error(
    means: ArrayLike, errors: ArrayLike, complexity_order: ArrayLike
) -> int:
    """Return the simplest candidate that the best one does not clearly beat.

    Among the candidates whose average error `means` lies within one standard error of
    the least one, the first in `complexity_order` (positions, simplest first) wins:
    differences smaller than the noise of the measurement do not pay for complexity.

    Examples
    --------
    >>> from infimum.evaluation import one_standard_error
    >>> one_standard_error([0.30, 0.21, 0.20], [0.02] * 3, complexity_order=[0, 1, 2])
    1

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen and C. Stone (1984), Classification and
    Regression Trees, section 3.4.3.
    """
    averages, spread = np.asarray(means, float), np.asarray(errors, float)
    if not np.isfinite(averages).any():
        raise DataError("one_standard_error needs at least one finite average error.")
    best = int(np.nanargmin(averages))
    slack = spread[best] if np.isfinite(spread[best]) else 0.0
    near = averages <= averages[best] + slack
    return next(int(i) for i in np.asarray(complexity_order) if near[int(i)])
