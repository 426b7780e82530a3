"""A first layer of which two threads have some columns of X each, and their weights.

What a thread gathers, multiplies and moves stays in the cache of its core: all that
crosses are the sums of the units, and their derivatives back.
"""

from typing import Any

import numpy as np

from infimum.compiled.descent.adam_step import adam_step
from infimum.compiled.descent.momentum_step import momentum_step
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.spin_wait import announce, wait_long_for

__all__ = [
    "END",
    "FOLLOWER",
    "LEADER",
    "follow_columns",
    "lead_columns",
    "pull_columns",
]

#: Places of the clock, on lines of the cache of their own. Both count two for a batch:
#: the leader has derivatives, then the numbers of the step; the follower has sums, then
#: has moved its weights.
LEADER, FOLLOWER = 0, 8
#: What the leader writes if there is nothing more to do, and the follower at its end.
END = 1 << 62


@inner_loop()
def _gather(X: Any, rows: Any, low: int, out: Any) -> None:
    for r in range(rows.size):
        i = rows[r]
        for j in range(out.shape[1]):
            out[r, j] = X[i, low + j]


@loop(error_model="numpy")
def follow_columns(
    clock: Any, X: Any, order: Any, buffers: Any, weights: Any, shared: Any,
    gradient: Any, memory: Any, squares: Any,
) -> None:  # fmt: skip
    """Work on the last columns, batch by batch; `squares` gets those of its weights.

    What is `shared` are the sums of the units and their derivatives. `memory` is that
    of Adam, and its numbers; without a second one it is momentum's.
    """
    (sums, deltas), (first, second, numbers) = shared, memory
    size, width = buffers.shape[1], buffers.shape[2]
    low, theta, flat = X.shape[1] - width, weights.ravel(), gradient.ravel()
    batches = -(-order.size // size)
    _gather(X, order[:size], low, buffers[0])
    for batch in range(batches):
        rows = min(size, order.size - batch * size)
        here = buffers[batch % 2][:rows]
        np.dot(here, weights, sums[:rows])
        squares[0] = np.dot(theta, theta)
        announce(clock, FOLLOWER, 2 * batch + 1)
        if batch + 1 < batches:
            following = order[(batch + 1) * size : (batch + 2) * size]
            _gather(X, following, low, buffers[(batch + 1) % 2])
        wait_long_for(clock, LEADER, 2 * batch + 1)
        if clock[LEADER] == END:
            return
        np.dot(here.T, deltas[:rows], gradient)
        wait_long_for(clock, LEADER, 2 * batch + 2)
        if clock[LEADER] == END:
            return
        if second.size:
            adam_step(theta, flat, first, second, theta.size, numbers)
        else:
            momentum_step(theta, flat, first, theta.size, numbers)
        announce(clock, FOLLOWER, 2 * batch + 2)


@loop(error_model="numpy")
def lead_columns(
    clock: Any, X: Any, rows: Any, buffer: Any, weights: Any, sums: Any, out: Any,
    number: int,
) -> None:  # fmt: skip
    """Write the sums of all columns, of which the follower has those of the last."""
    _gather(X, rows, 0, buffer)
    np.dot(buffer, weights, out)
    wait_long_for(clock, FOLLOWER, number)
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] += sums[i, j]


@loop(error_model="numpy")
def pull_columns(
    clock: Any, buffer: Any, deltas: Any, gradient: Any, number: int
) -> None:
    """Let the follower have the derivatives; write the gradient of one's columns."""
    announce(clock, LEADER, number)
    np.dot(buffer.T, deltas, gradient)
