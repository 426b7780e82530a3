"""The risk of a whole sample: one loss of all scores together, or of each query."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from infimum.data.designs import Design
from infimum.losses import SampleLoss
from infimum.objectives.plane_risk import Plane, PlaneEvaluation, PlaneRisk
from infimum.penalties import Penalty
from infimum.typing import Indices, Vector

__all__ = ["SampleRisk"]

UNIT = float(np.finfo(np.float64).eps) / 2.0


class SampleRisk(PlaneRisk):
    r"""A loss of the scores Xw + b of all samples, or the mean over groups of them.

    .. math:: R(w, b) = \sum_g q_g\, \ell(y_g, X_g w + b)

    `groups` are the rows of each query; one group of all rows when None. A plane is
    rebuilt from the point that it touches at.
    """

    halvings: ClassVar[int] = 8

    def __init__(
        self,
        design: Design,
        y: Any,
        loss: SampleLoss,
        penalty: Penalty,
        groups: list[Indices] | None = None,
        weights: Vector | None = None,
        *,
        intercept: bool = False,
    ) -> None:
        self.design, self.y, self.loss, self.penalty = design, y, loss, penalty
        self.groups, self.intercept = groups, intercept
        self.weights = weights
        self.size = design.shape[1]

    def touch(self, point: Vector) -> tuple[float, Plane]:
        scores = np.asarray(self.design.scores(point[:-1]), dtype=np.float64)
        value, slopes = self.measured(scores + point[-1])
        pulled = np.asarray(self.design.pull_back(slopes), dtype=np.float64)
        slope = np.append(pulled, slopes.sum() if self.intercept else 0.0)
        height = value - float(slopes @ (scores + point[-1]))
        if not self.intercept:
            height += float(slopes.sum() * point[-1])
        sums = 2.0 * UNIT * (self.design.depth + len(scores) + 8.0)
        blur = sums * float(np.linalg.norm(slopes)) * self._reach
        doubt = sums * (value + float(np.abs(slopes) @ np.abs(scores + point[-1])))
        return value, Plane(slope, height, point.copy(), blur, doubt)

    @cached_property
    def _reach(self) -> Vector:
        """The lengths of the columns, as products meet them, and of the intercept's."""
        n = self.design.shape[0]
        return np.append(self.design.reach(np.ones(n)), np.sqrt(n))

    def measured(self, scores: Vector) -> tuple[float, Vector]:
        """Return the mean loss of scores, and its slopes."""
        if self.groups is None:
            given: Any = {} if self.weights is None else {"sample_weight": self.weights}
            value, slopes = self.loss.evaluate(self.y, scores, **given)
            # Where the right answer is none of those compared, a loss may be negative.
            return (value, slopes) if value > 0.0 else (0.0, np.zeros(len(scores)))
        shares = np.ones(len(self.groups)) if self.weights is None else self.weights
        shares = shares / shares.sum()
        value, slopes = 0.0, np.zeros(len(scores))
        for share, rows in zip(shares, self.groups, strict=True):
            if share > 0.0:
                part, own = self.loss.evaluate(self.y[rows], scores[rows])
                value += share * part
                slopes[rows] = share * own
        return value, slopes

    def rebuild(self, witness: Any) -> Plane:
        return self.touch(np.asarray(witness, dtype=np.float64))[1]

    def evaluate(self, point: Vector) -> PlaneEvaluation:
        return PlaneEvaluation(self, point)

    judge = evaluate
