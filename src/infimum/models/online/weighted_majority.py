"""Weighted majority: experts that err keep a smaller vote."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.certificates import Regret, weighted_majority_bound
from infimum.models.online._experts import votes_of
from infimum.parameters import check_domain, opened, whole
from infimum.typing import Vector

__all__ = ["WeightedMajority"]


class WeightedMajority:
    r"""A vote in which every mistake multiplies an expert's weight by β.

    The deterministic majority makes at most :math:`(m\ln(1/β) + \ln N)/\ln(2/(1+β))`
    mistakes where the best expert makes m; following an expert drawn by weight makes
    :math:`(m\ln(1/β) + \ln N)/(1-β)` or fewer on average.

    Parameters
    ----------
    experts : int
        How many there are.
    factor : float, default=0.5
        The β, between 0 and 1.
    randomized : bool, default=False
        Whether to follow one expert drawn by weight instead of the majority.
    random_state : int or None, default=None
        Seed of the draws.

    Attributes
    ----------
    weights : ndarray
        The experts' weights; they sum to 1.
    mistakes : int
        Wrong answers so far.
    expected_mistakes : float
        Sum of the weights of wrong experts, round by round: the mean of `mistakes` over
        all draws.
    expert_mistakes : ndarray of int
        Wrong answers of each expert.

    Examples
    --------
    >>> committee = WeightedMajority(3)
    >>> committee.learn([1, 1, -1], -1).weights.tolist(), committee.mistakes
    ([0.25, 0.25, 0.5], 1)

    References
    ----------
    Littlestone & Warmuth (1994), Information and Computation 108.
    """

    def __init__(
        self,
        experts: int,
        *,
        factor: float = 0.5,
        randomized: bool = False,
        random_state: int | None = None,
    ) -> None:
        check_domain("WeightedMajority.experts", experts, whole(1))
        check_domain("WeightedMajority.factor", factor, opened(0, 1))
        self.factor, self.randomized = float(factor), randomized
        self._generator = np.random.default_rng(random_state)
        self.expert_mistakes: Any = np.zeros(int(experts), dtype=np.int64)
        self.mistakes, self.expected_mistakes = 0, 0.0

    @property
    def weights(self) -> Vector:
        """The experts' weights; they sum to 1."""
        # From counts, not products: after a thousand mistakes none has vanished.
        behind = self.expert_mistakes - self.expert_mistakes.min()
        grown = self.factor**behind
        return np.asarray(grown / grown.sum())

    def predict(self, votes: ArrayLike) -> float:
        """Return the answer ±1 of the majority, or of an expert drawn by weight."""
        found = votes_of("WeightedMajority", votes, len(self.expert_mistakes))
        if self.randomized:
            return float(self._generator.choice(found, p=self.weights))
        return 1.0 if self.weights @ found >= 0 else -1.0

    def learn(
        self, votes: ArrayLike, y: float, answer: float | None = None
    ) -> WeightedMajority:
        """Count a mistake of `answer`, what `predict` says when None; lower voices."""
        found = votes_of("WeightedMajority", votes, len(self.expert_mistakes))
        answer = self.predict(found) if answer is None else answer
        self.mistakes += int(answer != y)
        self.expected_mistakes += float(self.weights @ (found != y))
        self.expert_mistakes = self.expert_mistakes + (found != y)
        return self

    def regret(self) -> Regret:
        """Return the mistakes, expected if randomised, against the best expert's."""
        best, size = int(self.expert_mistakes.min()), len(self.expert_mistakes)
        most = weighted_majority_bound(
            size, best, self.factor, randomized=self.randomized
        )
        paid = self.expected_mistakes if self.randomized else self.mistakes
        return Regret(paid, best, most - best)
