"""Derivatives by central differences, to check formulas and to do without them."""

from collections.abc import Callable

import numpy as np

from infimum.study.convexity.convex_function import ConvexFunction
from infimum.typing import Matrix, Vector

__all__ = ["numeric_gradient", "numeric_hessian", "smallest_curvature"]

# The step that balances the h² of the formula with the eps/h of rounding.
_STEP = np.finfo(float).eps ** (1.0 / 3.0)


def numeric_gradient(function: Callable[[Vector], float], x: Vector) -> Vector:
    """Return the gradient by central differences, good to about 1e-10 relative.

    >>> import numpy as np
    >>> numeric_gradient(lambda x: float(x @ x), np.array([1.0, 2.0])).round(6).tolist()
    [2.0, 4.0]
    """
    steps = _STEP * np.maximum(np.abs(x), 1.0)
    shifts = np.diag(steps)
    return np.array(
        [
            (function(x + shift) - function(x - shift)) / (2.0 * step)
            for shift, step in zip(shifts, steps, strict=True)
        ]
    )


def numeric_hessian(function: ConvexFunction, x: Vector) -> Matrix:
    """Return the Hessian by central differences of the gradient, made symmetric."""
    steps = _STEP * np.maximum(np.abs(x), 1.0)
    shifts = np.diag(steps)
    rows = [
        (function.gradient(x + shift) - function.gradient(x - shift)) / (2.0 * step)
        for shift, step in zip(shifts, steps, strict=True)
    ]
    return np.asarray(0.5 * (np.array(rows) + np.array(rows).T))


def smallest_curvature(function: ConvexFunction, x: Vector) -> float:
    """Return the least eigenvalue of the numeric Hessian; convex means none below 0."""
    return float(np.linalg.eigvalsh(numeric_hessian(function, x))[0])
