"""Interpolation: models that fit any labels, and why some still predict."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.parameters import check_domain, whole
from infimum.theory.plain_record import PlainRecord
from infimum.typing import Matrix, Vector

__all__ = ["DoubleDescent", "ShuffledLabels", "double_descent", "shuffled_labels"]


@dataclass(frozen=True)
class DoubleDescent(PlainRecord):
    """Mean squared errors of least squares of least norm, by number of features."""

    features: tuple[int, ...]
    training: Vector
    test: Vector


def double_descent(
    X: ArrayLike,
    y: ArrayLike,
    X_test: ArrayLike,
    y_test: ArrayLike,
    features: Sequence[int],
    *,
    repetitions: int = 1,
    random_state: int = 0,
) -> DoubleDescent:
    """Fit random features of growing number, past the point of interpolation.

    Features are rectified random projections of a row and a constant. Up to n of them
    least squares is fitted; beyond, the solution of least norm among those without
    training error. The test error peaks where the two meet.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.theory import double_descent
    >>> rng = np.random.default_rng(0)
    >>> X, X_test = rng.standard_normal((2, 40, 5))
    >>> def noisy(X):
    ...     return X[:, 0] + 0.5 * rng.standard_normal(len(X))
    >>> found = double_descent(X, noisy(X), X_test, noisy(X_test), [10, 40, 2000])
    >>> int(found.test.argmax()), bool(found.training[2] < 1e-12)
    (1, True)
    """
    rows, fresh = (np.asarray(part, dtype=np.float64) for part in (X, X_test))
    target, truth = (np.asarray(part, dtype=np.float64) for part in (y, y_test))
    check_domain("double_descent's repetitions", repetitions, whole(1))
    if not features or min(features) < 1:
        raise DataError("double_descent needs numbers of features of at least 1.")
    errors = np.zeros((2, len(features)))
    for seed in range(repetitions):
        weights = _weights(rows.shape[1], max(features), [random_state, seed])
        here, there = _rectified(rows, weights), _rectified(fresh, weights)
        for place, count in enumerate(features):
            solved = np.linalg.lstsq(here[:, :count], target, rcond=1e-10)[0]
            errors[0, place] += np.mean((here[:, :count] @ solved - target) ** 2)
            errors[1, place] += np.mean((there[:, :count] @ solved - truth) ** 2)
    errors /= repetitions
    return DoubleDescent(tuple(int(each) for each in features), *errors)


@dataclass(frozen=True)
class ShuffledLabels(PlainRecord):
    """Error rates after training on the true and on shuffled labels."""

    training: float
    test: float
    shuffled_training: float
    shuffled_test: float


def shuffled_labels(
    X: ArrayLike,
    y: ArrayLike,
    X_test: ArrayLike,
    y_test: ArrayLike,
    *,
    features: int = 2000,
    random_state: int = 0,
) -> ShuffledLabels:
    """Fit a rich model to true labels -1 and 1 and to the same labels shuffled.

    A model that fits both has a class so rich that no uniform bound says anything,
    and yet it predicts if the labels are true.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.theory import shuffled_labels
    >>> X = np.random.default_rng(0).standard_normal((400, 4))
    >>> y = np.where(X[:, 0] > 0, 1, -1)
    >>> found = shuffled_labels(X[:200], y[:200], X[200:], y[200:])
    >>> found.training, found.shuffled_training, found.test < 0.2 < found.shuffled_test
    (0.0, 0.0, True)
    """
    check_domain("shuffled_labels's features", features, whole(1))
    rows, fresh = (np.asarray(part, dtype=np.float64) for part in (X, X_test))
    target, truth = (np.where(np.asarray(part) > 0, 1.0, -1.0) for part in (y, y_test))
    weights = _weights(rows.shape[1], features, [random_state, 0])
    here, there = _rectified(rows, weights), _rectified(fresh, weights)
    mixed = np.random.default_rng([random_state, 1]).permutation(target)
    made = []
    for labels in (target, mixed):
        solved = np.linalg.lstsq(here, labels, rcond=1e-10)[0]
        made.append(float(np.mean(np.sign(here @ solved) != labels)))
        made.append(float(np.mean(np.sign(there @ solved) != truth)))
    return ShuffledLabels(*made)


def _weights(columns: int, features: int, seed: list[int]) -> Matrix:
    drawn = np.random.default_rng(seed).standard_normal((columns + 1, features))
    return np.asarray(drawn / np.sqrt(columns + 1))


def _rectified(rows: Matrix, weights: Matrix) -> Matrix:
    return np.asarray(np.maximum(rows @ weights[:-1] + weights[-1], 0.0))
