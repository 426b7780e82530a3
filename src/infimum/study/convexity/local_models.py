"""Simple functions that agree with a function at a point."""

import numpy as np

from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.functions.affine import Affine
from infimum.study.convexity.functions.quadratic import Quadratic
from infimum.typing import Matrix, Vector

__all__ = ["first_order_model", "gradient_step_model", "second_order_model"]


def first_order_model(function: ConvexFunction, point: Vector) -> Affine:
    """Return the tangent plane at a point; a convex function lies above it."""
    slope = function.gradient(point)
    return Affine(slope, function.value(point) - float(slope @ point))


def second_order_model(function: ConvexFunction, point: Vector) -> Quadratic:
    """Return the Taylor polynomial of degree two; Newton's step minimises it.

    >>> import numpy as np
    >>> from infimum.study.convexity import ExponentialSum
    >>> model = second_order_model(ExponentialSum(), np.zeros(1))
    >>> model.value(np.array([1.0])), model.minimizer.tolist()
    (2.5, [-1.0])
    """
    return _bowl(function, point, function.hessian(point))


def gradient_step_model(
    function: ConvexFunction, point: Vector, step: float = 1.0
) -> Quadratic:
    """Return the tangent plane plus ‖w - point‖²/2step; the gradient step minimises it.

    When 1/step is at least the smoothness the model lies above the function.
    """
    return _bowl(function, point, np.eye(point.size) / step)


def _bowl(function: ConvexFunction, point: Vector, curvature: Matrix) -> Quadratic:
    gradient = function.gradient(point)
    # g·(w - p) + ½(w - p)ᵀH(w - p) + f(p), sorted by powers of w.
    bent = curvature @ point
    constant = function.value(point) - float((gradient - 0.5 * bent) @ point)
    return Quadratic(curvature, gradient - bent, constant)
