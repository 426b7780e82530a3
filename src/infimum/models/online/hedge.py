"""Hedge: weights on experts that fall exponentially with their losses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.certificates import Regret, hedge_bound
from infimum.models.online._experts import losses_of
from infimum.parameters import check_domain, positive, whole
from infimum.typing import Vector

__all__ = ["Hedge"]


class Hedge:
    r"""Shares of a stake that shrink exponentially with what each expert lost.

    .. math:: p_i ∝ \exp\Bigl(-η \sum_{s<t} ℓ_{s,i}\Bigr), \qquad
              \sum_t ⟨p_t, ℓ_t⟩ - \min_i \sum_t ℓ_{t,i} ≤ \frac{\ln N}η + \frac{ηT}8

    for losses within [0, 1], whoever chooses them.

    Parameters
    ----------
    experts : int
        How many there are.
    rate : float or None, default=None
        The η; None takes the best one for `rounds`, :math:`\sqrt{8\ln N/T}`.
    rounds : int, default=1000
        How many rounds are expected.

    Attributes
    ----------
    totals : ndarray
        What each expert has lost.
    incurred : float
        What the stake has lost.

    Examples
    --------
    >>> stake = Hedge(2, rate=1.0)
    >>> stake.learn([0.0, 1.0]).shares.round(3).tolist(), stake.incurred
    ([0.731, 0.269], 0.5)

    References
    ----------
    Freund & Schapire (1997), Journal of Computer and System Sciences 55.
    """

    def __init__(
        self, experts: int, *, rate: float | None = None, rounds: int = 1000
    ) -> None:
        check_domain("Hedge.experts", experts, whole(1))
        check_domain("Hedge.rounds", rounds, whole(1))
        # One expert needs no choice, and would make the best rate 0.
        best = math.sqrt(8.0 * math.log(max(int(experts), 2)) / rounds)
        self.rate = best if rate is None else float(rate)
        check_domain("Hedge.rate", self.rate, positive)
        self.totals: Any = np.zeros(int(experts))
        self.incurred, self.rounds_played = 0.0, 0

    @property
    def shares(self) -> Vector:
        """The shares of the stake; they sum to 1."""
        grown = np.exp(-self.rate * (self.totals - self.totals.min()))
        return np.asarray(grown / grown.sum())

    def learn(self, losses: ArrayLike) -> Hedge:
        """Pay the losses of this round by the present shares, then shift them."""
        found = losses_of("Hedge", losses, len(self.totals))
        self.incurred += float(self.shares @ found)
        self.totals = self.totals + found
        self.rounds_played += 1
        return self

    def regret(self) -> Regret:
        """Return what was lost against the best expert, beside the bound."""
        bound = hedge_bound(len(self.totals), self.rounds_played, self.rate)
        return Regret(self.incurred, float(self.totals.min()), bound)
