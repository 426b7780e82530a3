"""All ways in which a line parts points of the plane, each once."""

from fractions import Fraction

import numpy as np

from infimum.typing import Mask, Matrix, Vector

__all__ = ["line_patterns"]

_UNIT = np.finfo(float).eps


def line_patterns(points: Matrix) -> Mask:
    """Return every labelling of points by the two sides of a line, complements too.

    Two parts that a line separates have exactly one common tangent between them that
    turns counter-clockwise into a separating line. It touches one point of each part.
    So every pair of neighbours on a line through points gives one partition, and every
    partition comes from one pair: no labelling is met twice. Orientations that
    rounding leaves open are computed with fractions.
    """
    places, where = np.unique(points, axis=0, return_inverse=True)
    m = len(places)
    parted = (_turned(places, i) for i in range(m - 1))
    halves = np.vstack([np.ones((1, m), dtype=bool), *parted])[:, where.ravel()]
    return np.vstack([halves, ~halves])


def _turned(places: Matrix, i: int) -> Mask:
    """Return the partitions of the lines through point i and a later one."""
    side, m = _orientations(places, i), len(places)
    on_line, behind = side == 0, np.arange(m) <= i
    # Points are sorted, so that those of one line stand in its order.
    between = on_line & ~behind & (np.arange(m) < np.arange(i + 1, m)[:, None])
    left = (side > 0) | (on_line & behind)
    return np.asarray(left[~between.any(axis=1)])


def _orientations(places: Matrix, i: int) -> Matrix:
    """Return the sign of each turn i, j, k for all later j (rows) and all k."""
    x, y = (places - places[i]).T
    first, second = np.outer(x[i + 1 :], y), np.outer(y[i + 1 :], x)
    turns = first - second
    # Differences and products round by at most these shares of the two products.
    doubt = 4 * _UNIT * (np.abs(first) + np.abs(second))
    open_cases = np.argwhere(np.abs(turns) <= doubt)
    for row, k in open_cases:
        j = row + i + 1
        if k in (i, j):
            turns[row, k] = 0.0
        else:
            turns[row, k] = _exact(places[i], places[j], places[k])
    return np.asarray(np.sign(turns))


def _exact(a: Vector, b: Vector, c: Vector) -> float:
    (ax, ay), (bx, by), (cx, cy) = (map(Fraction, p.tolist()) for p in (a, b, c))
    turn = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    return float((turn > 0) - (turn < 0))
