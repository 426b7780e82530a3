"""Halving: a majority vote that drops every expert that was wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.certificates import Regret, halving_bound
from infimum.errors import DataError
from infimum.models.online._experts import votes_of
from infimum.parameters import check_domain, whole

__all__ = ["Halving"]


class Halving:
    r"""The majority of those experts that were never wrong.

    .. math:: C_{t+1} = \{i ∈ C_t : f_i(x_t) = y_t\}

    Each mistake is shared by half of the experts or more, so that with one among the N
    who never errs there are at most :math:`\log_2 N` mistakes, on any sequence.

    Parameters
    ----------
    experts : int
        How many there are.

    Attributes
    ----------
    standing : ndarray of bool
        The experts that were never wrong.
    mistakes : int
        Wrong answers so far.

    Examples
    --------
    >>> committee = Halving(3)
    >>> committee.predict([1, 1, -1])
    1.0
    >>> committee.learn([1, 1, -1], -1).standing.tolist(), committee.mistakes
    ([False, False, True], 1)
    """

    def __init__(self, experts: int) -> None:
        check_domain("Halving.experts", experts, whole(1))
        self.standing: Any = np.ones(int(experts), dtype=bool)
        self.mistakes = 0

    def predict(self, votes: ArrayLike) -> float:
        """Return the majority of the standing experts' votes ±1; a tie is +1."""
        found = votes_of("Halving", votes, len(self.standing))
        return 1.0 if found[self.standing].sum() >= 0 else -1.0

    def learn(self, votes: ArrayLike, y: float) -> Halving:
        """Count a mistake of the majority, and drop the experts that were wrong."""
        found = votes_of("Halving", votes, len(self.standing))
        right = self.standing & (found == y)
        if not right.any():
            raise DataError(
                "Halving needs one expert who never errs, and now all have; "
                "WeightedMajority forgives."
            )
        self.mistakes += int(self.predict(found) != y)
        self.standing = right
        return self

    def regret(self) -> Regret:
        """Return the mistakes against an expert without any, beside the bound."""
        return Regret(self.mistakes, 0.0, halving_bound(len(self.standing)))
