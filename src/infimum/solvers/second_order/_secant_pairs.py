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
    curvatures : ndarray, optional
        A guess at the diagonal of the Hessian: a multiple of its inverse takes the
        place of the identity.
    """

    def __init__(
        self,
        memory: int,
        start: Callable[[Vector], Vector] | None = None,
        curvatures: Vector | None = None,
    ) -> None:
        self.pairs: deque[tuple[Vector, Vector, float]] = deque(maxlen=memory)
        self.start = start
        self.inverse = None if curvatures is None else 1.0 / curvatures

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
        result = self._scaled(result) if self.start is None else self.start(result)
        for (move, change, curved), share in zip(
            self.pairs, reversed(shares), strict=True
        ):
            result += (share - float(np.sum(change * result)) / curved) * move
        return -result

    def _scaled(self, result: Vector) -> Vector:
        """Return a vector times the simplest inverse that fits the last pair."""
        if not self.pairs:
            return result if self.inverse is None else result * self.inverse
        _, change, curved = self.pairs[-1]
        if self.inverse is None:
            return result * (curved / float(np.sum(change * change)))
        turn = curved / float(np.sum(change * self.inverse * change))
        return result * self.inverse * turn
