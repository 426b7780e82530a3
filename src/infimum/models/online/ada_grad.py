"""AdaGrad: every coefficient has its own step, short where slopes were steep."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.certificates import Regret
from infimum.parameters import check_domain, positive, whole
from infimum.typing import Vector

__all__ = ["AdaGrad"]


class AdaGrad:
    r"""A point in a box whose coordinates step by their own history of slopes.

    .. math:: w_j ← \text{clip}\Bigl(w_j - \frac{η\,g_{t,j}}{s_{t,j}}, ±R\Bigr), \quad
              s_{t,j} = \sqrt{\textstyle\sum_{s≤t} g_{s,j}²}, \qquad
              \text{regret} ≤ \Bigl(\frac{2R²}{η} + η\Bigr) \sum_j s_{T,j}

    Rare features keep long steps, which is what sparse text asks for.

    Parameters
    ----------
    features : int
        How many coefficients there are.
    rate : float or None, default=None
        The η; None takes the best one for the bound, √2·R.
    radius : float, default=1.0
        The R: half the side of the box.

    Attributes
    ----------
    point : ndarray
        Where the learner stands.
    incurred : float
        The sum of the losses met.

    Examples
    --------
    >>> import numpy as np
    >>> player = AdaGrad(2, rate=0.5)
    >>> player.learn(0.0, np.array([-100.0, 0.01])).point.tolist()
    [0.5, -0.5]

    References
    ----------
    Duchi, Hazan & Singer (2011), JMLR 12.
    """

    def __init__(
        self, features: int, *, rate: float | None = None, radius: float = 1.0
    ) -> None:
        check_domain("AdaGrad.features", features, whole(1))
        check_domain("AdaGrad.radius", radius, positive)
        self.radius = float(radius)
        self.rate = float(np.sqrt(2.0)) * self.radius if rate is None else float(rate)
        check_domain("AdaGrad.rate", self.rate, positive)
        self.point: Any = np.zeros(int(features))
        self.squares: Any = np.zeros(int(features))
        self.incurred = 0.0

    def learn(self, loss: float, gradient: Vector) -> AdaGrad:
        """Pay the loss at the present point, and step against its subgradient."""
        self.incurred += float(loss)
        slopes = np.asarray(gradient, dtype=np.float64)
        self.squares = self.squares + slopes**2
        scale = np.sqrt(self.squares)
        moves = np.divide(slopes, scale, out=np.zeros_like(slopes), where=scale > 0)
        moved = self.point - self.rate * moves
        self.point = np.clip(moved, -self.radius, self.radius)
        return self

    def regret(self, comparator_loss: float) -> Regret:
        """Return what was paid against a fixed point of the box, beside the bound."""
        factor = 2.0 * self.radius**2 / self.rate + self.rate
        bound = factor * float(np.sqrt(self.squares).sum())
        return Regret(self.incurred, float(comparator_loss), bound)
