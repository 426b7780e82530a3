"""Heads of networks: the meaning of the scores, and their loss.

A head turns scores into answers in place and gives the derivative of its loss in the
scores. Costs are those of scikit-learn: sums over outputs of weighted means, the
squared error halved and averaged over outputs, logarithms of no probability below the
unit of rounding.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from math import exp
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, xlogy

from infimum.losses import Loss
from infimum.typing import Matrix, Vector

__all__ = ["Classes", "Counts", "Head", "Labels", "LossHead", "Squares"]

_NO_WEIGHTS = np.empty(0)
#: So many scores of a single row are faster handled one by one.
FEW = 32


class Head(ABC):
    """The end of a network."""

    #: scikit-learn's name for the last activation.
    activation: ClassVar[str]

    @abstractmethod
    def answers(self, scores: Matrix) -> Matrix:
        """Return probabilities, means or scores."""

    @abstractmethod
    def value(self, Y: Matrix, scores: Matrix, weights: Vector | None) -> float:
        """Return the weighted mean of the loss."""

    @abstractmethod
    def delta(self, Y: Matrix, scores: Matrix) -> Matrix:
        """Return the derivative of each sample's loss in its scores."""

    def value_and_delta(
        self, Y: Matrix, scores: Matrix, weights: Vector | None
    ) -> tuple[float, Matrix]:
        """Return both."""
        return self.value(Y, scores, weights), self.delta(Y, scores)


@dataclass(frozen=True)
class Labels(Head):
    """One logistic loss for each column of zeros and ones."""

    activation: ClassVar[str] = "logistic"

    def answers(self, scores: Matrix) -> Matrix:
        return np.asarray(expit(scores))

    def value(self, Y: Matrix, scores: Matrix, weights: Vector | None) -> float:
        costs = np.logaddexp(0, scores) - Y * scores
        return float(_mean(_clipped(costs), weights).sum())

    def delta(self, Y: Matrix, scores: Matrix) -> Matrix:
        return np.asarray(expit(scores) - Y)


@dataclass(frozen=True)
class Classes(Head):
    """Softmax of one score for each class; Y has a 1 in the column of the class."""

    activation: ClassVar[str] = "softmax"

    def answers(self, scores: Matrix) -> Matrix:
        if len(scores) == 1 and scores.shape[1] <= FEW:
            row: list[float] = scores[0].tolist()
            top = max(row)
            shares = [exp(score - top) for score in row]
            total = sum(shares)
            return np.array([[share / total for share in shares]], scores.dtype)
        out: Matrix = np.exp(scores - scores.max(axis=1, keepdims=True))
        out /= out.sum(axis=1, keepdims=True)
        return out

    def value(self, Y: Matrix, scores: Matrix, weights: Vector | None) -> float:
        return self.value_and_delta(Y, scores, weights)[0]

    def delta(self, Y: Matrix, scores: Matrix) -> Matrix:
        return self.value_and_delta(Y, scores, None)[1]

    def value_and_delta(
        self, Y: Matrix, scores: Matrix, weights: Vector | None
    ) -> tuple[float, Matrix]:
        from infimum.compiled.descent.softmax_head import softmax_head

        delta = np.empty_like(scores)
        given = _NO_WEIGHTS if weights is None else weights
        cost = softmax_head(Y, scores, given, *_limits(scores.dtype), delta)
        return cost, delta


@dataclass(frozen=True)
class Squares(Head):
    """Half the squared error, averaged over outputs; its derivative is not."""

    activation: ClassVar[str] = "identity"

    def answers(self, scores: Matrix) -> Matrix:
        return scores

    def value(self, Y: Matrix, scores: Matrix, weights: Vector | None) -> float:
        return 0.5 * float(_mean((Y - scores) ** 2, weights).mean())

    def delta(self, Y: Matrix, scores: Matrix) -> Matrix:
        return np.asarray(scores - Y)


@dataclass(frozen=True)
class Counts(Head):
    """Poisson deviance of means e^score."""

    activation: ClassVar[str] = "exp"

    def answers(self, scores: Matrix) -> Matrix:
        return np.exp(scores)

    def value(self, Y: Matrix, scores: Matrix, weights: Vector | None) -> float:
        cost = xlogy(Y, Y) - Y * scores - Y + np.exp(scores)
        return float(_mean(cost, weights).sum())

    def delta(self, Y: Matrix, scores: Matrix) -> Matrix:
        return np.asarray(np.exp(scores) - Y)


@dataclass(frozen=True)
class LossHead(Head):
    """Any smooth loss of `infimum.losses` on each output."""

    loss: Loss
    activation: ClassVar[str] = "identity"

    def answers(self, scores: Matrix) -> Matrix:
        return scores

    def value(self, Y: Matrix, scores: Matrix, weights: Vector | None) -> float:
        cost = self.loss.value(Y.ravel(), scores.ravel()).reshape(Y.shape)
        return float(_mean(cost, weights).sum())

    def delta(self, Y: Matrix, scores: Matrix) -> Matrix:
        found = self.loss.derivative(Y.ravel(), scores.ravel())
        return np.asarray(found, dtype=scores.dtype).reshape(Y.shape)


def _clipped(costs: NDArray[Any]) -> NDArray[Any]:
    """Cut costs off where scikit-learn cuts probabilities: stopping depends on it."""
    return np.asarray(np.clip(costs, *_limits(costs.dtype)))


@cache
def _limits(dtype: np.dtype[Any]) -> tuple[float, float]:
    """Return the least and the greatest logarithmic loss."""
    least = float(np.finfo(dtype).eps)
    return float(-np.log1p(-least)), float(-np.log(least))


def _mean(costs: NDArray[Any], weights: Vector | None) -> Any:
    """Return the mean over samples; np.average costs more than the sum."""
    if weights is None:
        return costs.mean(axis=0)
    return weights @ costs / weights.sum()
