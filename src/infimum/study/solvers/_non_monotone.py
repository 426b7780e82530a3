"""A patient line search: better than the worst of the last few values is enough."""

from __future__ import annotations

from collections import deque

from infimum.objectives import Evaluation
from infimum.typing import Vector

__all__ = ["PatientSearch"]

#: Differences of the objective below this share of it are rounding.
BLUR = 1e-15
MAX_HALVINGS = 50


class PatientSearch:
    r"""Backtracking against the largest of the last `window` values.

    .. math:: P(w + \lambda d) \le \max_{j < \text{window}} P(w_{t-j})
              + \text{decrease}\; \lambda\, \Delta

    Δ < 0 is the change that the model promises for the whole step. Single values may
    rise, which lets spectral steps keep their length; a window of 1 forbids that.

    References
    ----------
    Grippo, Lampariello & Lucidi (1986), SIAM J. Numerical Analysis 23.
    """

    def __init__(self, window: int, decrease: float) -> None:
        self.decrease = decrease
        self.values: deque[float] = deque(maxlen=window)

    def accept(
        self, here: Evaluation, target: Vector, shift: Vector, promised: float
    ) -> Evaluation | None:
        """Return the first acceptable point on the way to `target`, or None.

        `shift` is the change of the scores over the whole way.
        """
        self.values.append(here.value)
        risk, limit = here.risk, max(self.values)
        blur = BLUR * abs(limit)
        share = 1.0
        for _ in range(MAX_HALVINGS):
            point = target
            if share < 1.0:
                point = (1.0 - share) * here.point + share * target
                point = risk.prox(point, 0.0)  # rounding may leave a set
            there = risk.evaluate(point, here.scores + share * shift)
            if there.value <= limit + self.decrease * share * promised + blur:
                return there
            share *= 0.5
        return None
