"""The inner loop of nonnegative factorisation: many columns solved side by side.

On one thread: it alternates with products, whose threads are still awake.
"""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["improve_columns"]

#: So many columns are solved together, so that they stay in the nearest cache.
WIDTH = 256


@loop()
def improve_columns(
    near: Matrix,
    kept: Matrix,
    product: Matrix,
    gram: Matrix,
    order: Indices,
    cost: float,
    level: float,
    sweeps: int,
) -> float:
    """Lower ½ vᵀ G v - vᵀ (p - cost) over v ≥ 0 for every column v of `near`, in place.

    Column i has its own p, that of `product`, and shares G. The coordinates are visited
    in `order`, as often as `sweeps` says. The columns found replace those of `kept`,
    and are carried on by `level` times what they have moved from there, not below 0:
    that is in `near`. Return the sum of all projected gradients before the first sweep.
    """
    slopes, found = np.empty(WIDTH, near.dtype), np.zeros(WIDTH, near.dtype)
    for start in range(0, near.shape[1], WIDTH):
        stop = min(start + WIDTH, near.shape[1])
        for sweep in range(sweeps):
            for at in range(len(order)):
                t = order[at]
                _set_slopes(slopes, near, product, gram[t], (t, start, stop), cost)
                if sweep == 0:
                    _add_violations(found, slopes, near[t, start:stop])
                _go_down(near[t, start:stop], slopes, gram[t, t])
        for t in range(len(order)):
            _carry_on(near[t, start:stop], kept[t, start:stop], level)
    return float(found.sum())


@inner_loop()
def _set_slopes(
    slopes: Vector,
    near: Matrix,
    product: Matrix,
    gram: Vector,
    place: tuple[int, int, int],
    cost: float,
) -> None:
    """Set the gradients of one coordinate for the columns from start to stop."""
    t, start, stop = place
    pull, price = product[t, start:stop], near.dtype.type(cost)
    for j in range(len(pull)):
        slopes[j] = price - pull[j]
    whole = len(gram) - len(gram) % 4
    for r in range(0, whole, 4):
        a, b, c, d = gram[r], gram[r + 1], gram[r + 2], gram[r + 3]
        first, second = near[r, start:stop], near[r + 1, start:stop]
        third, fourth = near[r + 2, start:stop], near[r + 3, start:stop]
        for j in range(len(pull)):
            slopes[j] += a * first[j] + b * second[j] + (c * third[j] + d * fourth[j])
    for r in range(whole, len(gram)):
        a, first = gram[r], near[r, start:stop]
        for j in range(len(pull)):
            slopes[j] += a * first[j]


@inner_loop()
def _add_violations(found: Vector, slopes: Vector, values: Vector) -> None:
    """Add the projected gradients of one coordinate."""
    zero = values.dtype.type(0.0)
    for j in range(len(values)):
        found[j] += abs(slopes[j]) if values[j] > zero else max(-slopes[j], zero)


@inner_loop()
def _go_down(values: Vector, slopes: Vector, curvature: float) -> None:
    """Put one coordinate of some columns where it is best."""
    zero = values.dtype.type(0.0)
    if curvature > zero:
        inverse = values.dtype.type(1.0) / curvature
        for j in range(len(values)):
            values[j] = max(values[j] - inverse * slopes[j], zero)


@inner_loop()
def _carry_on(values: Vector, kept: Vector, level: float) -> None:
    """Carry values on by a part of their way from those kept, and keep them."""
    share, zero = values.dtype.type(level), values.dtype.type(0.0)
    for j in range(len(values)):
        new = values[j]
        values[j] = max(new + share * (new - kept[j]), zero)
        kept[j] = new
