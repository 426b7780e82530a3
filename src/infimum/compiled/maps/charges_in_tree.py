"""The field of charges by a tree: far cells count as one charge at their centre.

Cells are halved along every axis at once: four children in the plane, eight in space
(Barnes and Hut, Nature 1986).
"""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["grow_cells", "sum_cells", "weigh_cells"]

#: Levels below which points count as equal.
DEEPEST = 40


@inner_loop(error_model="numpy")
def _octant(y: Vector, middle: Vector) -> int:
    which = 0
    for s in range(y.size):
        if y[s] >= middle[s]:
            which += 1 << s
    return which


@inner_loop(error_model="numpy")
def _enter(
    y: Vector,
    cell: int,
    count: int,
    middles: Matrix,
    halves: Vector,
    children: Indices,
    heads: Indices,
) -> tuple[int, int]:
    """Return the child a point lies in, made if there is none, and how many cells."""
    which = _octant(y, middles[cell])
    if children[cell, which] >= 0:
        return children[cell, which], count
    children[cell, which] = count
    halves[count] = 0.5 * halves[cell]
    for s in range(y.size):
        side = 1.0 if (which >> s) & 1 else -1.0
        middles[count, s] = middles[cell, s] + side * halves[count]
    children[count] = -1
    heads[count] = -1
    return count, count + 1


@loop(error_model="numpy")
def grow_cells(
    Y: Matrix,
    middles: Matrix,
    halves: Vector,
    children: Indices,
    heads: Indices,
    nexts: Indices,
) -> int:
    """Insert every point into a cell of its own; return the number of cells.

    `children[c]` names the cells inside c, -1 where there is none; a leaf holds the
    chain of points ``heads[c], nexts[heads[c]], …``, which is longer than one only
    for points that cannot be told apart. Returns -1 if the cells given do not suffice.
    """
    count = 1
    children[0] = -1
    heads[0] = -1
    leaf = np.ones(middles.shape[0], dtype=np.bool_)
    for i in range(Y.shape[0]):
        cell, level = 0, 0
        while not leaf[cell] or (heads[cell] >= 0 and level < DEEPEST):
            if count + 2 > middles.shape[0]:
                return -1
            if leaf[cell]:
                other = heads[cell]
                heads[cell] = -1
                leaf[cell] = False
                below, count = _enter(
                    Y[other], cell, count, middles, halves, children, heads
                )
                heads[below] = other
            cell, count = _enter(Y[i], cell, count, middles, halves, children, heads)
            level += 1
        nexts[i] = heads[cell]
        heads[cell] = i
    return count


@inner_loop(error_model="numpy")
def _pile(centre: Vector, charge: float, place: Vector) -> None:
    for s in range(place.size):
        centre[s] += charge * place[s]


@loop(error_model="numpy")
def weigh_cells(
    Y: Matrix,
    charges: Vector,
    count: int,
    children: Indices,
    heads: Indices,
    nexts: Indices,
    totals: Vector,
    centres: Matrix,
) -> None:
    """Write the charge of each cell and where it acts; children come after parents."""
    for cell in range(count - 1, -1, -1):
        total = 0.0
        centres[cell] = 0.0
        who = heads[cell]
        while who >= 0:
            total += charges[who]
            _pile(centres[cell], charges[who], Y[who])
            who = nexts[who]
        for which in range(children.shape[1]):
            below = children[cell, which]
            if below >= 0:
                total += totals[below]
                _pile(centres[cell], totals[below], centres[below])
        totals[cell] = total
        if total > 0.0:
            centres[cell] /= total


@inner_loop(error_model="numpy")
def _push_children(children: Indices, stack: Indices, size: int) -> int:
    for which in range(children.size):
        if children[which] >= 0:
            stack[size] = children[which]
            size += 1
    return size


@loop(error_model="numpy", fastmath={"reassoc", "contract"})
def sum_cells(
    at: Matrix,
    children: Indices,
    halves: Vector,
    totals: Vector,
    centres: Matrix,
    angle: float,
    potential: Vector,
    slope: Matrix,
) -> None:
    """Write the field of 1 / (1 + r²) at each place.

    A cell wide by less than `angle` times its distance acts from its centre; a leaf
    always does, since its points cannot be told apart.
    """
    sides = at.shape[1]
    stack = np.empty(children.shape[1] * (DEEPEST + 2), dtype=np.int64)
    gap = np.empty(sides)
    limit = angle * angle
    for i in range(at.shape[0]):
        value = 0.0
        slope[i] = 0.0
        stack[0], size = 0, 1
        while size:
            size -= 1
            cell = stack[size]
            square = 0.0
            for s in range(sides):
                gap[s] = at[i, s] - centres[cell, s]
                square += gap[s] * gap[s]
            if 4.0 * halves[cell] * halves[cell] >= limit * square:
                more = _push_children(children[cell], stack, size)
                if more > size:
                    size = more
                    continue
            close = 1.0 / (1.0 + square)
            part = totals[cell] * close
            value += part
            for s in range(sides):
                slope[i, s] -= 2.0 * part * close * gap[s]
        potential[i] = value
