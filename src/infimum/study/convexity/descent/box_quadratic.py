"""A quadratic over a box, one clipped coordinate at a time."""

import numpy as np

from infimum.errors import IncompatibleError
from infimum.study.convexity.descent.descent_trace import DescentTrace, Logbook
from infimum.study.convexity.functions.quadratic import Quadratic
from infimum.study.convexity.inequalities import optimality_slack
from infimum.study.convexity.sets.box import Box
from infimum.typing import Vector

__all__ = ["minimize_in_box"]


def minimize_in_box(
    quadratic: Quadratic,
    region: Box,
    start: Vector,
    tolerance: float = 1e-10,
    max_sweeps: int = 1000,
) -> DescentTrace:
    r"""Minimise a quadratic over a box by projected coordinate descent.

    Each coordinate goes to its own minimum, clipped to its interval:
    :math:`w_i \leftarrow \mathrm{clip}(w_i - (Aw + b)_i / A_{ii}, l_i, u_i)`. The trace
    holds one point a sweep; it ends with reason ``"gradient"`` when no point of the box
    can be better by more than `tolerance` (`optimality_slack`).

    >>> import numpy as np
    >>> bowl = Quadratic(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([-3.0, 3.0]))
    >>> box = Box(np.zeros(2), np.ones(2))
    >>> minimize_in_box(bowl, box, np.zeros(2)).point.tolist()
    [1.0, 0.0]
    """
    curvature = np.diag(quadratic.matrix)
    if np.min(curvature) <= 0.0:
        raise IncompatibleError(
            "minimize_in_box needs a positive diagonal; a coordinate without curvature "
            "has no minimum of its own."
        )
    log = Logbook(quadratic, region.project(start))
    for _ in range(max_sweeps):
        if -optimality_slack(quadratic, log.point, region) <= tolerance:
            return log.close("gradient")
        point, gradient = log.point.copy(), log.gradient.copy()
        for i, bend in enumerate(curvature):
            goal = np.clip(point[i] - gradient[i] / bend, region.low[i], region.high[i])
            gradient += (goal - point[i]) * quadratic.matrix[:, i]
            point[i] = goal
        if not log.move(1.0, point - log.point, to=point):
            return log.close("stalled")
    return log.close("budget")
