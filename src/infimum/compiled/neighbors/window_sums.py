"""Sums of windows over the points of a k-d tree, up to a stated error.

A node far away, or small against the widths, lies between two values of the window. It
is counted at their mean when the tolerance allows for half their difference. The
moments of a node do better where windows are smooth: a parabola is added up exactly, a
Gaussian up to the third order. What neither settles is opened. Windows are
decreasing, 1 in the middle, and read u = (distance/width)².
"""

import math

import numpy as np

from infimum.compiled.exponentials import _double as exponentiate
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["sum_windows", "weigh_nodes"]

GAUSSIAN, EXPONENTIAL, PARABOLA, UNIFORM, TRIANGLE, TRICUBE, COSINE = range(7)


@inner_loop()
def _window(shape: int, parameter: float, u: float) -> float:
    """Return the window at u; the parameter is its rate, power or squared reach."""
    if shape == GAUSSIAN:
        out = math.exp(-0.5 * u)
    elif shape == EXPONENTIAL:
        out = math.exp(-parameter * math.sqrt(u))
    elif shape == PARABOLA:
        out = max(1.0 - u, 0.0) ** parameter
    elif shape == UNIFORM:
        out = 1.0 if u <= parameter else 0.0
    elif shape == TRIANGLE:
        out = max(1.0 - math.sqrt(u), 0.0) if u <= parameter else 0.0
    elif shape == TRICUBE:
        out = max(1.0 - u * math.sqrt(u), 0.0) ** 3
    else:
        out = math.cos(0.5 * math.pi * math.sqrt(u)) if u < 1.0 else 0.0
    return out


@inner_loop()
def _edges(place: int, width: int, count: int) -> tuple[int, int]:
    return place * count // width, (place + 1) * count // width


@loop()
def weigh_nodes(heights: Vector, scales: Vector, levels: int, facts: Matrix) -> None:
    """Write the sum of the heights of each node, and its least and greatest scale."""
    count, leaves = heights.size, 1 << levels
    for place in range(leaves):
        low, high = _edges(place, leaves, count)
        node = leaves - 1 + place
        facts[0, node] = heights[low:high].sum()
        facts[1, node], facts[2, node] = scales[low:high].min(), scales[low:high].max()
    for node in range(leaves - 2, -1, -1):
        left, right = 2 * node + 1, 2 * node + 2
        facts[0, node] = facts[0, left] + facts[0, right]
        facts[1, node] = min(facts[1, left], facts[1, right])
        facts[2, node] = max(facts[2, left], facts[2, right])


@inner_loop()
def _to_box(q: Vector, low: Vector, high: Vector) -> tuple[float, float]:
    """Return the least and greatest squared distance to a box."""
    near, far = 0.0, 0.0
    for t in range(q.size):
        below, above = low[t] - q[t], q[t] - high[t]
        apart = max(below, 0.0, above)
        near += apart * apart
        apart = max(-below, -above)
        far += apart * apart
    return near, far


@inner_loop(fastmath={"reassoc", "contract"})
def _sum_range(
    points: Matrix,
    heights: Vector,
    scales: Vector,
    q: Vector,
    edges: tuple[int, int],
    kind: tuple[int, float],
    rooms: tuple[Vector, Vector, Indices, Vector],
) -> float:
    """Return the sum of the windows of consecutive points."""
    low, high = edges
    size = high - low
    apart, out = rooms[0][:size], rooms[1][:size]
    apart[:] = 0.0
    for t in range(q.size):
        here, side = q[t], points[t, low:high]
        for j in range(size):
            gap = side[j] - here
            apart[j] += gap * gap
    widths, tops = scales[low:high], heights[low:high]
    shape, parameter = kind
    if shape == GAUSSIAN:
        for j in range(size):
            apart[j] *= -0.5 * widths[j]
        exponentiate(apart, out, rooms[2], rooms[3])
    else:
        for j in range(size):
            out[j] = _window(shape, parameter, apart[j] * widths[j])
    total = 0.0
    for j in range(size):
        total += out[j] * tops[j]
    return total


@inner_loop()
def _sum_leaf(
    points: Matrix,
    heights: Vector,
    scales: Vector,
    q: Vector,
    edges: tuple[int, int],
    kind: tuple[int, float],
    rooms: tuple[Vector, Vector, Indices, Vector],
    own: tuple[int, float],
) -> float:
    """Return the sum of a leaf in which one point may count for less."""
    low, high = edges
    if not low <= own[0] < high:
        return float(_sum_range(points, heights, scales, q, edges, kind, rooms))
    before = _sum_range(points, heights, scales, q, (low, own[0]), kind, rooms)
    after = _sum_range(points, heights, scales, q, (own[0] + 1, high), kind, rooms)
    return float(before + after + own[1])


@inner_loop()
def _extremes(kind: tuple[int, float], near: float, far: float) -> tuple[float, float]:
    """Return the window at both ends, or 0 for the far one where it will not matter.

    An exponential that falls by much from end to end is opened, whatever its lower end.
    """
    most = _window(kind[0], kind[1], near)
    if kind[0] == GAUSSIAN and far - near > 2.0:
        return most, 0.0
    return most, _window(kind[0], kind[1], far)


@inner_loop()
def _third_slope(r: float) -> float:
    """Return the maximum of |p³ - 3p| over |p| up to r.

    Times the Gaussian it bounds the third derivative along any line at distance r.
    """
    if r <= 1.0:
        return r * (3.0 - r * r)
    return max(2.0, r * (r * r - 3.0))


@inner_loop()
def _misses(kind: tuple[int, float], most: float, far: float, third: float) -> float:
    """Return how far the sum of a node is at most from what its moments tell.

    The squared distance and the third moment are in units of the width; the window is
    `most` where it is nearest.
    """
    if kind[0] == GAUSSIAN:
        return _third_slope(math.sqrt(far)) * most * third / 6.0
    inside = kind[0] == PARABOLA and kind[1] == 1.0 and far <= 1.0 and third < math.inf
    return 0.0 if inside else math.inf


@inner_loop()
def _by_moments(
    kind: tuple[int, float],
    q: Vector,
    fact: Vector,
    moments: tuple[Matrix, Matrix, Vector],
    node: int,
) -> float:
    """Return the sum of a node from its centre and its second moments."""
    d, mass, scale = q.size, fact[0], fact[1]
    centre, spread = moments[0][node], moments[1][node]
    apart, along, around = 0.0, 0.0, 0.0
    for s in range(d):
        gap = q[s] - centre[s]
        apart += gap * gap
        around += spread[s * d + s]
        for t in range(d):
            along += gap * spread[s * d + t] * (q[t] - centre[t])
    if kind[0] == GAUSSIAN:
        bent = 0.5 * scale * (scale * along - around)
        return float(math.exp(-0.5 * scale * apart) * (mass + bent))
    return float(mass * (1.0 - scale * apart) - scale * around)


@inner_loop()
def _holds(node: int, place: int, count: int) -> bool:
    """Tell whether a point is one of a node's."""
    width = 1
    while 2 * width - 1 <= node:
        width *= 2
    low, high = _edges(node - (width - 1), width, count)
    return bool(low <= place < high)


@inner_loop()
def _open(
    q: Vector,
    left: int,
    lows: Matrix,
    highs: Matrix,
    names: Indices,
    spans: Matrix,
    size: int,
) -> None:
    """Put both children on the stack, the nearer one on top."""
    to_left = _to_box(q, lows[left], highs[left])
    to_right = _to_box(q, lows[left + 1], highs[left + 1])
    at = 1 if to_left[0] <= to_right[0] else 0
    names[size + at], names[size + 1 - at] = left, left + 1
    spans[size + at, 0], spans[size + at, 1] = to_left
    spans[size + 1 - at, 0], spans[size + 1 - at, 1] = to_right


@inner_loop()
def _may_tell(third: float, most: float, far: float, limit: float) -> bool:
    """Tell whether moments can be right up to a limit, before they are asked.

    From a distance of 1 width on a third derivative along a line is at least 2 times
    the window somewhere.
    """
    return bool(far < 1.0 or most * third < 3.0 * limit)


@inner_loop()
def _sum_at(
    q: Vector,
    tree: tuple[Matrix, Vector, Vector, Matrix, Matrix, Matrix],
    moments: tuple[Matrix, Matrix, Vector],
    kind: tuple[int, float],
    tolerances: tuple[float, float],
    own: tuple[int, float],
    stack: tuple[Indices, Matrix],
    rooms: tuple[Vector, Vector, Indices, Vector],
) -> tuple[float, float, int]:
    """Return the sum at a query, its greatest error, and what was looked at."""
    points, heights, scales, lows, highs, facts = tree
    inner, count = lows.shape[0] // 2, points.shape[1]
    names, spans = stack
    # What a node may err is a share of its own sum, and a share of the sum so far by
    # its mass; what is not used is left for others.
    rtol, atol = 0.5 * tolerances[0], tolerances[1]
    total, least, error, left = 0.0, 0.0, 0.0, 0.0
    names[0], size, seen = 0, 1, 0
    spans[0, 0], spans[0, 1] = _to_box(q, lows[0], highs[0])
    while size:
        size -= 1
        seen += 1
        node, near, far = names[size], spans[size, 0], spans[size, 1]
        mass = facts[0, node]
        most, fewest = _extremes(kind, near * facts[1, node], far * facts[2, node])
        part, gap = 0.5 * (most + fewest) * mass, 0.5 * (most - fewest) * mass
        far, third = far * facts[1, node], moments[2][node]
        hope = left + rtol * (most + (least + most * mass) / facts[0, 0]) * mass + atol
        if gap > 0.0 and _may_tell(third, most, far, min(gap, hope)):
            miss = _misses(kind, most, far, third)
            if miss < gap and miss <= hope:
                told = _by_moments(kind, q, facts[:, node], moments, node)
                part, gap = min(max(told, fewest * mass), most * mass), miss
        low = max(part - gap, fewest * mass)
        share = (rtol * (least + low) + atol) * mass / facts[0, 0]
        allowed = left + rtol * low + share
        if gap <= allowed and (own[0] < 0 or not _holds(node, own[0], count)):
            total, least = total + part, least + low
            error, left = error + gap, allowed - gap
        elif node < inner:
            _open(q, 2 * node + 1, lows, highs, names, spans, size)
            size += 2
        else:
            edges = _edges(node - inner, inner + 1, count)
            part = _sum_leaf(points, heights, scales, q, edges, kind, rooms, own)
            total, least = total + part, least + part
            left += rtol * part + (rtol * least + atol) * mass / facts[0, 0]
            seen += edges[1] - edges[0]
    return total, error, seen


@loop()
def sum_windows(
    tree: tuple[Matrix, Vector, Vector, Matrix, Matrix, Matrix],
    moments: tuple[Matrix, Matrix, Vector],
    queries: Matrix,
    owns: Indices,
    spare: Vector,
    kind: tuple[int, float],
    tolerances: tuple[float, float],
    sums: Vector,
    errors: Vector,
) -> int:
    """Write Σ heights·window at each query, and by how much it can be wrong.

    Return how many windows and nodes were looked at.

    Parameters
    ----------
    tree : points with a row per feature, heights, scales (1/width²), boxes and facts
        All in the order of the tree; facts are those of `weigh_nodes`.
    moments : those of `gather_moments`
        The third ones in units of the width; infinite where the others are not known.
    queries : a row for each
    owns : for each query the place of a point whose height is another, or -1
    spare : that height, for each point
    kind : number of the window, and its parameter
    tolerances : relative and absolute
        The error is at most the first times the sum, plus the second.
    sums, errors : what is written
    """
    leaves = tree[3].shape[0] // 2 + 1
    widest = tree[0].shape[1] // leaves + 1
    levels = 0
    while (1 << levels) < leaves:
        levels += 1
    depth = 2 * levels + 2
    stack = (np.empty(depth, dtype=np.int64), np.empty((depth, 2)))
    bits = np.empty(widest, dtype=np.int64)
    rooms = (np.empty(widest), np.empty(widest), bits, bits.view(np.float64))
    looked = 0
    for i in range(queries.shape[0]):
        own = (owns[i], spare[max(owns[i], 0)])
        sums[i], errors[i], seen = _sum_at(
            queries[i], tree, moments, kind, tolerances, own, stack, rooms
        )
        looked += seen
    return looked
