"""Conjugate gradients for quadratics, that is, for linear systems."""

from collections.abc import Callable
from time import perf_counter

import numpy as np

from infimum.study.convexity.descent.descent_trace import DescentTrace
from infimum.typing import Matrix, Vector

__all__ = ["conjugate_gradient", "conjugate_gradient_textbook"]

Product = Callable[[Vector], Vector]


def conjugate_gradient(
    product: Product,
    target: Vector,
    start: Vector | None = None,
    tolerance: float = 1e-10,
    max_iterations: int | None = None,
) -> DescentTrace:
    r"""Solve Aw = b, A positive definite, with one product Ap a step.

    It minimises :math:`\tfrac12 w^\top A w - b^\top w` along directions that are
    conjugate, :math:`p_i^\top A p_j = 0`, and so ends, but for rounding, in at most as
    many steps as A has distinct eigenvalues. Stops when ‖Aw - b‖ ≤ tolerance.

    >>> import numpy as np
    >>> A = np.array([[4.0, 1.0], [1.0, 3.0]])
    >>> trace = conjugate_gradient(lambda p: A @ p, np.array([1.0, 2.0]))
    >>> trace.iterations, np.allclose(A @ trace.point, [1.0, 2.0])
    (2, True)
    """
    began, (point, gradient) = perf_counter(), _begin(product, target, start)
    rows = [(point, gradient, 0.0)]
    moves: list[tuple[Vector, float]] = []
    direction, square = -gradient, float(gradient @ gradient)
    for _ in range(max_iterations or 10 * target.size):
        if np.sqrt(square) <= tolerance:
            return _trace(rows, moves, target, "gradient")
        image = product(direction)
        step = square / float(direction @ image)
        point, gradient = point + step * direction, gradient + step * image
        rows.append((point, gradient, perf_counter() - began))
        moves.append((direction, step))
        previous, square = square, float(gradient @ gradient)
        direction = -gradient + square / previous * direction
    reason = "gradient" if np.sqrt(square) <= tolerance else "budget"
    return _trace(rows, moves, target, reason)


def conjugate_gradient_textbook(
    matrix: Matrix, target: Vector, start: Vector | None = None, steps: int = 10
) -> DescentTrace:
    r"""Take `steps` conjugate gradient steps by the recurrences of the definition.

    .. math:: \alpha = -\frac{g^\top p}{p^\top A p}, \quad w_+ = w + \alpha p, \quad
              g_+ = A w_+ - b, \quad \beta = \frac{g_+^\top A p}{p^\top A p}, \quad
              p_+ = -g_+ + \beta p

    In exact arithmetic the points are those of `conjugate_gradient`, which is cheaper.
    """
    began = perf_counter()
    point, gradient = _begin(lambda p: matrix @ p, target, start)
    rows = [(point, gradient, 0.0)]
    moves: list[tuple[Vector, float]] = []
    direction = -gradient
    for _ in range(steps):
        image = matrix @ direction
        curvature = float(direction @ image)
        step = -float(gradient @ direction) / curvature
        point = point + step * direction
        gradient = matrix @ point - target
        rows.append((point, gradient, perf_counter() - began))
        moves.append((direction, step))
        direction = -gradient + float(gradient @ image) / curvature * direction
    return _trace(rows, moves, target, "budget")


def _begin(
    product: Product, target: Vector, start: Vector | None
) -> tuple[Vector, Vector]:
    if start is None:
        return np.zeros(target.size), -target
    return np.array(start, dtype=float), np.asarray(product(start) - target)


def _trace(
    rows: list[tuple[Vector, Vector, float]],
    moves: list[tuple[Vector, float]],
    target: Vector,
    reason: str,
) -> DescentTrace:
    points = np.array([point for point, _, _ in rows])
    gradients = np.array([gradient for _, gradient, _ in rows])
    return DescentTrace(
        points,
        # With Aw = g + b the objective needs no further product: ½⟨w, g - b⟩.
        0.5 * np.sum(points * (gradients - target), axis=1),
        seconds=np.array([seconds for _, _, seconds in rows]),
        reason=reason,
        gradients=gradients,
        directions=np.array([p for p, _ in moves]).reshape(-1, target.size),
        steps=np.array([step for _, step in moves]),
    )
