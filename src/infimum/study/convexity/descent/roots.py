"""Newton's method for a root of a function of one variable."""

from collections.abc import Callable

from infimum.errors import DataError
from infimum.parameters import check_domain, positive, whole

__all__ = ["newton_root"]


def newton_root(
    function: Callable[[float], float],
    derivative: Callable[[float], float],
    start: float,
    *,
    tolerance: float = 1e-12,
    max_iterations: int = 100,
) -> float:
    r"""Return a root by :math:`\theta' = \theta - f(\theta)/f'(\theta)`.

    Given f′ and f″ instead of f and f′ it finds a stationary point, an extremum of f.
    Near a simple root each step doubles the number of right digits; far from one the
    steps may lead anywhere.

    >>> round(newton_root(lambda t: t * t - 2.0, lambda t: 2.0 * t, 1.0), 12)
    1.414213562373
    """
    check_domain("newton_root.tolerance", tolerance, positive)
    check_domain("newton_root.max_iterations", max_iterations, whole(1))
    theta = float(start)
    for _ in range(max_iterations):
        slope = derivative(theta)
        if slope == 0.0:
            raise DataError(
                f"newton_root met a horizontal tangent at {theta:g}; "
                "start somewhere else."
            )
        step = function(theta) / slope
        theta -= step
        if abs(step) <= tolerance * max(1.0, abs(theta)):
            return theta
    raise DataError(
        f"newton_root found no root within {max_iterations} steps from {start:g}; "
        "start closer to one."
    )
