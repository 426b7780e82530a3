"""Maps from scores to probabilities: a sigmoid, and a temperature."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit, log_softmax, softmax
from sklearn.base import BaseEstimator, RegressorMixin

from infimum.data.doors import array, check_fitted, weighed
from infimum.models.kernel.support_vectors._score_calibration import platt
from infimum.typing import Matrix, Vector

__all__ = ["SigmoidCalibration", "TemperatureScaling"]

#: What a probability of 0 is taken for where its logarithm is asked.
LEAST = 1e-12
#: Scores are scaled down to this, so that no exponential overflows.
LARGEST = 30.0


class SigmoidCalibration(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Platt's sigmoid 1 / (1 + exp(a f + b)), fitted to scores and labels of 0 and 1.

    Attributes
    ----------
    a_, b_ : float

    Examples
    --------
    >>> model = SigmoidCalibration().fit([-2.0, -1.0, 1.0, 2.0], [0, 0, 1, 1])
    >>> bool(model.predict([0.0])[0].round(6) == 0.5)
    True
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit slope and offset; return self."""
        scores = np.asarray(array(X, ensure_2d=False), dtype=float).reshape(-1)
        labels = np.asarray(y, dtype=float)
        weights = weighed(sample_weight, scores)
        weights = np.ones(len(scores)) if weights is None else weights
        scale = max(float(np.abs(scores).max(initial=0.0)) / LARGEST, 1.0)
        signs = np.where(labels > 0, 1.0, -1.0)
        slope, offset = platt(scores / scale, signs, weights)
        self.a_, self.b_ = -slope / scale, -offset
        return self

    def predict(self, T: Any) -> Vector:
        """Return the probabilities of scores."""
        check_fitted(self, "a_")
        scores = np.asarray(array(T, ensure_2d=False), dtype=float).reshape(-1)
        return np.asarray(expit(-(self.a_ * scores + self.b_)))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array, tags.input_tags.two_d_array = True, False
        return tags


class TemperatureScaling(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """One factor of all scores, such that their softmax makes labels likeliest.

    Attributes
    ----------
    beta_ : float
        The inverse temperature.

    Examples
    --------
    >>> scores = [[9.0, 0.0], [9.0, 0.0], [0.0, 9.0], [9.0, 0.0]]
    >>> bool(TemperatureScaling().fit(scores, [0, 0, 1, 1]).beta_ < 1.0)
    True
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the inverse temperature; return self."""
        scores = _scores(X)
        codes = np.asarray(y, dtype=np.intp)
        weights = weighed(sample_weight, codes)
        weights = np.ones(len(codes)) if weights is None else weights
        own = np.arange(len(codes))

        def loss(logarithm: float) -> float:
            told = log_softmax(np.exp(logarithm) * scores, axis=1)
            return -float(weights @ told[own, codes]) / float(weights.sum())

        eps = 64 * np.finfo(np.float64).eps
        found = minimize_scalar(loss, bounds=(-10.0, 10.0), options={"xatol": eps})
        self.beta_ = float(np.exp(found.x))
        return self

    def predict(self, X: Any) -> Matrix:
        """Return the probabilities of scores: samples × classes."""
        check_fitted(self, "beta_")
        return np.asarray(softmax(self.beta_ * _scores(X), axis=1))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        return tags


def _scores(X: Any) -> Matrix:
    """Return scores of all classes; logarithms of what are probabilities."""
    given = np.asarray(array(X, ensure_2d=False), dtype=float)
    given = given.reshape(len(given), -1)
    if given.shape[1] == 1:
        return np.column_stack((-given, given))
    shares = ((given >= 0) & (given <= 1)).all() and np.allclose(given.sum(axis=1), 1.0)
    return np.log(given + LEAST) if shares else given
