"""Two ways over the batches of a pass: one after the other, or two cores in step.

BLAS wakes a second thread for each product, and what stands between the products is
done by one, most of it with numbers that the other core has just written. Here the
second thread stays for a whole pass, and each core keeps its columns of the table, with
their weights and steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.compiled.threads import (
    alongside,
    blas_threads,
    free_cores,
    one_blas_thread,
)
from infimum.data.short_products import FEW_MULTIPLICATIONS, products_of
from infimum.models.neural.layers import Batch, Dense, Layer, Shape
from infimum.models.neural.network import Network
from infimum.typing import Indices

__all__ = ["OneByOne", "TwoCores", "way_of"]

#: So many threads share a layer; where BLAS has more, it is faster with them.
THREADS = 2
#: A thread is not begun for fewer batches.
BATCHES = 4


class OneByOne:
    """Batches one after the other, by whatever threads BLAS takes."""

    def __init__(self, network: Network, steps: Any, table: Any, size: int) -> None:
        self.network, self.steps, self.table = network, steps, table
        self.short = products_of(size * network.multiplications)
        self.shuffled = bool(steps.model.shuffle)

    def run(self, order: Indices, work: Callable[[], None]) -> None:
        """Do the work of a pass over the rows in this order."""
        self.order = order
        with self.short:
            work()

    def part(self, places: Any) -> Any:
        """Return the rows of a batch, given by its place in the order of the pass."""
        return self.table.at(self.order[places] if self.shuffled else places)

    def squares(self) -> float:
        """Return the sum of the squared weights."""
        weights = self.network.theta[: self.network.n_weights]
        return float(weights @ weights)

    def move(self, decay: float) -> None:
        """Take a step."""
        network = self.network
        self.steps.prepare(decay)
        self.steps.apply(network.theta, network.gradient, network.n_weights)

    def settle(self) -> None:
        """Return once the step is taken."""


class TwoCores(Layer):
    """The first layer while two threads share it; it reads numbers of rows."""

    def __init__(self, network: Network, steps: Any, table: Any, size: int) -> None:
        self.network, self.steps, self.table = network, steps, table
        first = network.layers[0]
        assert isinstance(first, Dense)  # or way_of chooses the other way
        self.dense, (d, h), kind = first, (table.X.shape[1], first.units), table.X.dtype
        self.middle = _middle(network)
        self.cut, self.end = self.middle * h, d * h
        self.clock = np.zeros(16, dtype=np.int64)
        self.buffer = np.empty((size, self.middle), kind)
        self.buffers = np.empty((2, size, d - self.middle), kind)
        self.sums, self.out, self.deltas = np.empty((3, size, h), kind)
        self.their_squares = np.zeros(1, kind)
        self.batch = 0

    def run(self, order: Indices, work: Callable[[], None]) -> None:
        """Do the work of a pass, the other thread beside it."""
        from infimum.compiled.descent.shared_columns import END, LEADER
        from infimum.compiled.spin_wait import announce

        self.clock[:] = self.batch = 0
        self.order, layers = order, self.network.layers

        def lead() -> None:
            try:
                work()
            finally:  # whatever has ended it, the other one waits no longer
                self.settle()
                announce(self.clock, LEADER, END)

        layers[0] = self
        try:
            with one_blas_thread():
                alongside(THREADS, lead, lambda _: self._follow(order))
        finally:
            layers[0] = self.dense

    def _follow(self, order: Indices) -> None:
        from infimum.compiled.descent.shared_columns import (
            END,
            FOLLOWER,
            follow_columns,
        )
        from infimum.compiled.spin_wait import announce

        cut, end = self.cut, self.end
        weights = self.network.parameters[0][0][self.middle :]
        gradient = self.network.gradient[cut:end].reshape(weights.shape)
        memory = [own[cut:end] for own in self.steps.memory]
        second = memory[1] if len(memory) > 1 else memory[0][:0]
        try:
            follow_columns(
                self.clock, self.table.X, order, self.buffers, weights,
                (self.sums, self.deltas), gradient,
                (memory[0], second, self.steps.numbers), self.their_squares,
            )  # fmt: skip
        finally:
            announce(self.clock, FOLLOWER, END)

    def part(self, places: Any) -> Any:
        """Return the rows of a batch: their numbers, and their targets."""
        table, places = self.table, self.order[places]
        weights = None if table.weights is None else table.weights[places]
        return type(table)(places, table.Y.take(places, axis=0, mode="clip"), weights)

    def output(self, shape: Shape) -> Shape:
        return self.dense.output(shape)

    def forward(self, X: Batch, parameters: list[NDArray[Any]]) -> tuple[Batch, Any]:
        from infimum.compiled.descent.shared_columns import END, FOLLOWER, lead_columns

        n = len(X)
        buffer, sums, out = self.buffer[:n], self.sums[:n], self.out[:n]
        weights, number = parameters[0][: self.middle], 2 * self.batch + 1
        lead_columns(self.clock, self.table.X, X, buffer, weights, sums, out, number)
        if self.clock[FOLLOWER] == END:
            raise RuntimeError("The thread beside this one has ended.")
        out = self.dense.function.forward(out, parameters[1])
        return out, (buffer, out)

    def backward(
        self,
        delta: Batch,
        memory: Any,
        parameters: list[NDArray[Any]],
        gradient: list[NDArray[Any]],
        *,
        first: bool,
    ) -> Batch:
        from infimum.compiled.descent.shared_columns import pull_columns

        buffer, out = memory
        self.dense.function.backward(out, delta, gradient[1])
        deltas = self.deltas[: len(delta)]
        deltas[...] = delta
        own, number = gradient[0][: self.middle], 2 * self.batch + 1
        pull_columns(self.clock, buffer, deltas, own, number)
        return None

    def squares(self) -> float:
        """Return the sum of the squared weights."""
        theta = self.network.theta
        own, rest = theta[: self.cut], theta[self.end : self.network.n_weights]
        return float(own @ own + self.their_squares[0] + rest @ rest)

    def move(self, decay: float) -> None:
        """Take a step, each thread for its weights."""
        from infimum.compiled.descent.shared_columns import LEADER
        from infimum.compiled.spin_wait import announce

        network, steps = self.network, self.steps
        steps.prepare(decay)
        announce(self.clock, LEADER, 2 * self.batch + 2)
        self.batch += 1
        theta, gradient = network.theta, network.gradient
        steps.apply(theta, gradient, self.cut, slice(self.cut))
        rest = network.n_weights - self.end
        steps.apply(theta, gradient, rest, slice(self.end, None))

    def settle(self) -> None:
        """Return once the other thread has taken its step."""
        from infimum.compiled.descent.shared_columns import FOLLOWER
        from infimum.compiled.spin_wait import wait_long_for

        wait_long_for(self.clock, FOLLOWER, 2 * self.batch)


def _middle(network: Network) -> int:
    """Return how many columns are the first thread's, which has the other layers."""
    units = network.shapes[1][0]
    d = network.shape[0]
    others = network.multiplications - d * units
    return int(d / 2 - 0.75 * others / units)  # two products here, three of the others


def way_of(network: Network, steps: Any, table: Any, size: int) -> OneByOne | TwoCores:
    """Return the faster way over batches of a size."""
    X, weights = table.X, table.weights
    shared = (
        size * network.multiplications > FEW_MULTIPLICATIONS
        and len(table) >= BATCHES * size
        and type(network.layers[0]) is Dense
        and len(network.layers) > 1
        and type(X) is np.ndarray
        and X.flags.c_contiguous
        and X.dtype == network.theta.dtype
        and (weights is None or bool(weights.min() > 0))  # no batch is passed over
        and 4 * _middle(network) > X.shape[1]
        and free_cores() >= THREADS == blas_threads()
    )
    return (TwoCores if shared else OneByOne)(network, steps, table, size)
