"""Choosing among validated models: cross-validated errors and the honest winner."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from infimum.errors import DataError
from infimum.evaluation.folds import Split
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["ErrorTable", "cross_validate", "not_clearly_beaten", "one_standard_error"]


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


def not_clearly_beaten(
    errors: Matrix, order: Indices, fragile: Mask | None = None
) -> int:
    """Return the first in `order` that the best one does not clearly beat.

    Clearly means by more than one standard error, of the best one's average or of the
    difference fold by fold, whichever is less: what is hard for all of them on some
    fold is no noise between them. What is `fragile` must be the best: its errors vary
    because it fails now and then, which is no excuse.
    """
    means = ErrorTable(errors).means
    best = int(np.nanargmin(means))
    apart = ErrorTable(errors - errors[best]).standard_errors
    own = ErrorTable(errors[best : best + 1]).standard_errors[0]
    slack = np.fmin(apart, own if np.isfinite(own) else 0.0)
    near = means - means[best] <= np.where(np.isfinite(slack), slack, 0.0)
    if fragile is not None:
        near &= ~fragile
        near[best] = True
    return next(int(i) for i in order if near[int(i)])


def standard_error(values: Vector) -> float:
    """Return the standard error of an average, 0 of a single value."""
    return float(ErrorTable(values[None, :]).standard_errors[0])
