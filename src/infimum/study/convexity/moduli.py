"""Strong convexity and smoothness of a function, looked for where no formula says."""

from itertools import combinations

import numpy as np

from infimum.errors import DataError
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.norms import dual_order, norm
from infimum.typing import Matrix

__all__ = ["sampled_moduli"]


def sampled_moduli(function: ConvexFunction, points: Matrix) -> tuple[float, float]:
    r"""Return bounds on the moduli: no larger σ and no smaller L can hold.

    .. math:: \sigma \le \min_{x,y} \frac{\langle x-y, g_x-g_y\rangle}{\|x-y\|^2},
              \qquad L \ge \max_{x,y} \frac{\|g_x-g_y\|_*}{\|x-y\|}

    over the pairs of the given points (rows), in the function's own norm. A function
    states its moduli as `strong_convexity` and `smoothness`; this refutes a wrong
    statement and guesses a missing one.

    >>> import numpy as np
    >>> from infimum.study.convexity import Quadratic
    >>> points = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> sampled_moduli(Quadratic(np.diag([1.0, 4.0])), points)
    (1.0, 4.0)
    """
    if len(points) < 2:  # noqa: PLR2004
        raise DataError("sampled_moduli needs two points at least.")
    slopes = [function.gradient(point) for point in points]
    order = function.norm_order
    curved, steep = np.inf, 0.0
    for (x, at_x), (y, at_y) in combinations(zip(points, slopes, strict=True), 2):
        length = norm(x - y, order)
        if length > 0.0:
            curved = min(curved, float((x - y) @ (at_x - at_y)) / length**2)
            steep = max(steep, norm(at_x - at_y, dual_order(order)) / length)
    return curved, steep
