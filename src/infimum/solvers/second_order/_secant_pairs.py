"""Secant pairs of limited-memory BFGS: curvature learnt from past steps."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

from infimum.typing import Vector

__all__ = ["SecantPairs"]


class SecantPairs:
    """Remembered (step, change of gradient) pairs, and the inverse Hessian they imply.

    Parameters
    ----------
    memory : int
        How many pairs are kept.
    start : callable, optional
        An approximate inverse Hessian, to be corrected by the pairs; a multiple of the
        identity when None.
    """

    def __init__(
        self, memory: int, start: Callable[[Vector], Vector] | None = None
    ) -> None:
        self.pairs: deque[tuple[Vector, Vector, float]] = deque(maxlen=memory)
        self.start = start

    def __bool__(self) -> bool:
        return bool(self.pairs)

    def forget(self) -> None:
        """Drop all pairs."""
        self.pairs.clear()

    def learn(self, move: Vector, change: Vector) -> None:
        """Keep a pair, if the gradient grew along the step as convexity demands."""
        curved = float(np.sum(change * move))
        if curved > 1e-12 * np.sum(change * change):
            self.pairs.append((move, change, curved))

    def direction(self, gradient: Vector) -> Vector:
        """Return minus the inverse Hessian times `gradient` (two-loop recursion)."""
        result, shares = gradient.copy(), []
        for move, change, curved in reversed(self.pairs):
            share = float(np.sum(move * result)) / curved
            result -= share * change
            shares.append(share)
        if self.start is not None:
            result = self.start(result)
        elif self.pairs:
            _, change, curved = self.pairs[-1]
            result *= curved / float(np.sum(change * change))
        for (move, change, curved), share in zip(
            self.pairs, reversed(shares), strict=True
        ):
            result += (share - float(np.sum(change * result)) / curved) * move
        return -result
