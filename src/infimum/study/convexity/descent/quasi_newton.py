"""Quasi-Newton methods: curvature learned from the gradients met on the way."""

from collections import deque
from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import Choice, whole
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.descend import Compass, DescentMethod
from infimum.study.convexity.descent.inexact_steps import WolfeStep
from infimum.study.convexity.descent.premises import Premises
from infimum.study.convexity.descent.rates import conjugate_gradient_bound
from infimum.study.convexity.descent.secant import curvature_holds, inverse_update
from infimum.study.convexity.descent.step_rules import StepRule
from infimum.typing import Matrix, Vector

__all__ = ["BFGS", "LimitedMemoryBFGS"]


@dataclass(frozen=True)
class BFGS(DescentMethod):
    """Go along -B∇f, where B grows into the inverse Hessian.

    B starts as the identity; just before the first update it is rescaled to
    ⟨s, y⟩/⟨y, y⟩. A pair without positive curvature is skipped. Superlinear near the
    minimum; on a quadratic with exact steps it ends in as many steps as variables.

    >>> import numpy as np
    >>> from infimum.study.convexity import LogSumExp, SquaredNorm
    >>> function = LogSumExp() + SquaredNorm()
    >>> BFGS().minimize(function, np.array([5.0, -3.0])).point.round(6).tolist()
    [-0.5, -0.5]
    """

    step: StepRule = field(default_factory=WolfeStep)

    def compass(self, function: ConvexFunction) -> Compass:
        return _DenseCompass()

    def bound(self, iterations: int, premises: Premises) -> float:
        """Return the promise on quadratics with exact steps: conjugate gradients'."""
        if iterations >= premises.dimension:
            return 0.0
        return conjugate_gradient_bound(premises.condition, premises.gap, iterations)


@dataclass(frozen=True)
class LimitedMemoryBFGS(DescentMethod):
    """BFGS that keeps the last few pairs instead of a matrix: O(memory · d) a step.

    The two-loop recursion applies the updates to a multiple of the identity, taken from
    the ``"last"`` pair or, as the dense method does, the ``"first"``.

    >>> import numpy as np
    >>> from infimum.study.convexity import Softplus, SquaredNorm
    >>> function = Softplus() + SquaredNorm()
    >>> trace = LimitedMemoryBFGS(memory=3).minimize(function, np.arange(1000.0) / 500)
    >>> trace.reason, trace.gradient_norms[-1] <= 1e-8
    ('gradient', np.True_)

    References
    ----------
    Nocedal (1980), Mathematics of Computation 35(151).
    """

    step: StepRule = field(default_factory=WolfeStep)
    memory: int = field(default=10, metadata={"domain": whole(1)})
    scaling: str = field(default="last", metadata={"domain": Choice(("last", "first"))})

    def compass(self, function: ConvexFunction) -> Compass:
        return _LimitedCompass(self.memory, self.scaling == "first")

    def bound(self, iterations: int, premises: Premises) -> float:
        """Return the promise on quadratics with exact steps: conjugate gradients'."""
        if iterations >= premises.dimension:
            return 0.0
        return conjugate_gradient_bound(premises.condition, premises.gap, iterations)


class _PairWatcher:
    """Turns consecutive points and gradients into moves and turns."""

    def __init__(self) -> None:
        self._last: tuple[Vector, Vector] | None = None

    def pair(self, point: Vector, gradient: Vector) -> tuple[Vector, Vector] | None:
        last, self._last = self._last, (point, gradient)
        if last is None:
            return None
        move, turn = point - last[0], gradient - last[1]
        return (move, turn) if curvature_holds(move, turn) else None


class _DenseCompass(_PairWatcher):
    def __init__(self) -> None:
        super().__init__()
        self._inverse: Matrix = np.empty((0, 0))

    def __call__(self, point: Vector, gradient: Vector) -> Vector:
        pair = self.pair(point, gradient)
        if pair is not None:
            move, turn = pair
            if self._inverse.size == 0:
                self._inverse = np.eye(point.size) * (move @ turn) / (turn @ turn)
            self._inverse = inverse_update(self._inverse, move, turn)
        return -gradient if self._inverse.size == 0 else -self._inverse @ gradient


class _LimitedCompass(_PairWatcher):
    def __init__(self, memory: int, keep_first_scale: bool) -> None:  # noqa: FBT001
        super().__init__()
        self._pairs: deque[tuple[Vector, Vector]] = deque(maxlen=memory)
        self._keep_first_scale = keep_first_scale
        self._scale = 1.0

    def __call__(self, point: Vector, gradient: Vector) -> Vector:
        pair = self.pair(point, gradient)
        if pair is not None:
            move, turn = pair
            if not self._pairs or not self._keep_first_scale:
                self._scale = float(move @ turn) / float(turn @ turn)
            self._pairs.append(pair)
        return -self._apply(gradient)

    def _apply(self, gradient: Vector) -> Vector:
        result, weights = np.array(gradient), []
        for move, turn in reversed(self._pairs):
            weights.append(float(move @ result) / float(move @ turn))
            result = result - weights[-1] * turn
        result = self._scale * result
        for (move, turn), weight in zip(self._pairs, reversed(weights), strict=True):
            correction = weight - float(turn @ result) / float(move @ turn)
            result = result + correction * move
        return np.asarray(result)
