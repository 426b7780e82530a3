"""Coordinate descent on the exponential risk, one weak learner a coordinate.

Scores of K classes sum to 0, so that two classes have the scores f and -f. The risk is

    R(f) = Σ wᵢ exp(-f_yᵢ(xᵢ) / (K - 1)),    Σ wᵢ = 1,

which for two classes is the mean of exp(-y f). The weights of the next round are the
terms of R over their sum, so that each round multiplies R by the normaliser

    Z = Σ Dᵢ exp(-s h_yᵢ(xᵢ) / (K - 1)),

and R after T rounds is exactly the product of the normalisers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.typing import Indices, Mask, Vector

__all__ = ["ExponentialDescent", "exact_step", "vote_step"]

#: The least error a step is computed for. An error of 0 would make it infinite; this
#: one lowers the risk to 1.5e-8 of what it was, which leaves no row wrong.
LEAST_ERROR = float(np.finfo(np.float64).eps)


def vote_step(error: float, count: int) -> float:
    r"""Return the step of SAMME, log((1 - ε)/ε) + log(K - 1).

    >>> round(vote_step(0.3, 2), 6)
    0.847298
    """
    floored = min(max(error, LEAST_ERROR), 1.0 - LEAST_ERROR)
    return float(np.log1p(-floored) - np.log(floored) + np.log(count - 1))


def exact_step(error: float, count: int) -> float:
    r"""Return the step s that minimises the normaliser of a vote.

    .. math:: Z(s) = (1 - ε)\, e^{-s/(K-1)} + ε\, e^{s/(K-1)^2}

    For two classes it is half the log-odds of being right, and Z = 2√(ε(1 - ε)).

    >>> round(exact_step(0.3, 2), 6)
    0.423649
    """
    return (count - 1) ** 2 / count * vote_step(error, count)


@dataclass
class ExponentialDescent:
    """The rounds so far: weights of the rows, and what each round achieved.

    Attributes
    ----------
    codes : ndarray of shape (n_rows,)
        The class of each row.
    weights : ndarray of shape (n_rows,)
        The distribution that the next weak learner will see; sums to 1.
    count : int
        The number of classes.
    scores : ndarray of shape (n_rows,)
        The score of each row's own class.
    """

    codes: Indices
    weights: Vector
    count: int
    errors: list[float] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    normalizers: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.weights = self.weights / self.weights.sum()

    @property
    def chance(self) -> float:
        """The error of guessing."""
        return 1.0 - 1.0 / self.count

    def error(self, wrong: Mask) -> float:
        """Return the weight of the rows that are wrong."""
        return float(self.weights @ wrong)

    def vote(self, wrong: Mask, error: float, learning_rate: float) -> None:
        """Add a learner that names a class: +1 for it and -1/(K - 1) for the others.

        Rows that were right are multiplied by one number and those that were wrong by
        another, which are the terms of the normaliser.
        """
        others = self.count - 1
        step = learning_rate * exact_step(error, self.count)
        if error >= self.chance:
            step = 0.0
        right, missed = np.exp(-step / others), np.exp(step / others**2)
        self._reweigh(np.array([right, missed])[wrong.view(np.int8)], error, step)

    def score(self, own: Vector, wrong: Mask, learning_rate: float) -> None:
        """Add a learner that gives scores, `own` to the true class of each row."""
        terms = np.exp(-learning_rate * own / (self.count - 1))
        self._reweigh(terms, self.error(wrong), learning_rate)

    def _reweigh(self, terms: Any, error: float, step: float) -> None:
        weights = self.weights * terms
        normalizer = float(weights.sum())
        self.weights = weights / normalizer
        self.errors.append(error)
        self.steps.append(step)
        self.normalizers.append(normalizer)

    def undo(self, weights: Vector) -> None:
        """Forget the last round, before which rows had these weights."""
        self.weights = weights
        for record in (self.errors, self.steps, self.normalizers):
            record.pop()
