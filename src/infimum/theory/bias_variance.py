"""Bias and variance: the error of a learner, split by its causes."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from infimum.typing import Matrix, Vector

__all__ = ["BiasVariance", "bias_variance"]


class BiasVariance(NamedTuple):
    """The expected squared error at each point, in three parts.

    Attributes
    ----------
    noise : ndarray
        What no predictor avoids: the variance of y given x.
    squared_bias : ndarray
        How far the average prediction is from the truth, squared.
    variance : ndarray
        How much predictions vary from one training set to the next.
    """

    noise: Vector
    squared_bias: Vector
    variance: Vector

    @property
    def error(self) -> Vector:
        """The expected squared error of a prediction of a fresh y."""
        return self.noise + self.squared_bias + self.variance


def bias_variance(
    learner: Any,
    training_sets: Iterable[tuple[Any, Any]],
    points: Matrix,
    truth: Callable[[Matrix], ArrayLike],
    noise: float,
) -> BiasVariance:
    """Fit a learner on many training sets and split its error at some points.

    Parameters
    ----------
    learner : estimator
        What to fit; a clone of it for every training set.
    training_sets : iterable of (X, y)
        Independent draws from the same law.
    points : ndarray of shape (n, d)
        Where to look.
    truth : callable
        The conditional mean of y at points.
    noise : float
        The standard deviation of y around it.
    """
    predictions = np.array(
        [clone(learner).fit(X, y).predict(points) for X, y in training_sets]
    )
    mean = predictions.mean(axis=0)
    gap = mean - np.asarray(truth(points), dtype=np.float64)
    return BiasVariance(
        np.full(len(points), float(noise) ** 2), gap**2, predictions.var(axis=0)
    )
