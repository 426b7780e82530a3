"""Values of the nodes of a grown tree: weights, sums and quantiles of their rows."""

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["number_nodes", "quantile_nodes", "sum_nodes"]


@loop(error_model="numpy")
def number_nodes(left: Indices, right: Indices) -> Indices:
    """Return the nodes in pre-order: a node, all on its left, all on its right."""
    order = np.empty(left.size, dtype=np.int64)
    stack = np.empty(left.size, dtype=np.int64)
    stack[0], size, count = 0, 1, 0
    while size:
        size -= 1
        at = stack[size]
        order[count] = at
        count += 1
        if left[at] >= 0:
            stack[size], stack[size + 1] = right[at], left[at]
            size += 2
    return order


@loop(error_model="numpy")
def sum_nodes(
    nodes: Indices,
    rows: Indices,
    weight: Vector,
    numbers: Matrix,
    codes: Indices,
    width: int,
    weights: Vector,
    sums: Matrix,
    squares: Matrix,
) -> None:
    """Write the sums of the rows of every node: weights, targets and their squares.

    `nodes` are four lines: left and right children, first rows, those after the last.
    With a width, the sums are those of classes. Children come after their parents.
    """
    left, right, starts, stops = nodes[0], nodes[1], nodes[2], nodes[3]
    outputs = codes.shape[1] if width else numbers.shape[1]
    for node in range(left.size - 1, -1, -1):
        if left[node] >= 0:
            a, b = left[node], right[node]
            weights[node] = weights[a] + weights[b]
            for j in range(sums.shape[1]):
                sums[node, j] = sums[a, j] + sums[b, j]
            for j in range(squares.shape[1]):
                squares[node, j] = squares[a, j] + squares[b, j]
            continue
        for t in range(starts[node], stops[node]):
            r = rows[t]
            weights[node] += weight[r]
            for o in range(outputs):
                if width:
                    sums[node, o * width + codes[r, o]] += weight[r]
                else:
                    y = numbers[r, o]
                    sums[node, o] += weight[r] * y
                    squares[node, o] += weight[r] * y * y


@loop(error_model="numpy")
def quantile_nodes(
    starts: Indices,
    stops: Indices,
    rows: Indices,
    weight: Vector,
    targets: Vector,
    order: Indices,
    level: float,
    values: Vector,
    losses: Vector,
) -> None:
    """Write the quantile of every node and its mean loss.

    Where a whole interval is optimal its middle is taken, as for the median of an even
    number of rows.
    """
    for node in range(starts.size):
        mine = rows[starts[node] : stops[node]]
        mine = mine[np.argsort(order[mine], kind="mergesort")]
        total = weight[mine].sum()
        goal, below, t = level * total, 0.0, 0
        slack = 1e-12 * total
        while t < mine.size - 1 and below + weight[mine[t]] < goal - slack:
            below += weight[mine[t]]
            t += 1
        q = targets[mine[t]]
        even = abs(below + weight[mine[t]] - goal) <= slack
        if even and t + 1 < mine.size:
            q = q / 2.0 + targets[mine[t + 1]] / 2.0
        values[node] = q
        loss = 0.0
        for r in mine:
            apart = targets[r] - q
            loss += weight[r] * (level * apart if apart > 0 else (level - 1.0) * apart)
        losses[node] = loss / total
