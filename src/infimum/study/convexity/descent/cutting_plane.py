"""The cutting plane method: minimise the planes met so far."""

from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linprog

from infimum.errors import DataError
from infimum.parameters import check_domains, nonnegative, whole
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.plane_book import CuttingPlaneTrace, PlaneBook
from infimum.study.convexity.descent.premises import Premises
from infimum.study.convexity.sets.box import Box
from infimum.typing import Matrix, Vector

__all__ = ["CuttingPlane"]


@dataclass(frozen=True)
class CuttingPlane:
    """Minimise a convex function over a box, smooth or not, with a certified gap.

    The function lies above each of its tangent planes, so the minimum of their maximum
    (a linear program) bounds the minimum from below; the next plane is taken there.

    >>> import numpy as np
    >>> from infimum.study.convexity import Norm
    >>> box = Box(np.full(2, -2.0), np.full(2, 3.0))
    >>> trace = CuttingPlane().minimize(Norm(1.0), np.array([2.0, 1.0]), box)
    >>> trace.gap <= 1e-6, float(np.min(trace.values))
    (True, 0.0)

    References
    ----------
    Kelley (1960), J. Society for Industrial and Applied Mathematics 8(4).
    """

    tolerance: float = field(default=1e-6, metadata={"domain": nonnegative})
    max_iterations: int = field(default=200, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)

    def minimize(
        self, function: ConvexFunction, start: Vector, region: Box
    ) -> CuttingPlaneTrace:
        """Add planes from `start` on until the gap is at most the tolerance."""
        book, point = PlaneBook(function), start
        while True:
            book.visit(point)
            point, bound = lowest_point(*book.planes, region)
            book.prove(bound)
            if book.gap <= self.tolerance:
                return book.close("gap")
            if len(book.points) == self.max_iterations:
                return book.close("budget")

    def bound(self, iterations: int, premises: Premises) -> float:
        r"""Return :math:`GD/(T^{1/d}-1)` for T planes of slope at most G.

        D is the diameter of the box. While the gap exceeds ε a new point is farther
        than ε/G from all others, and so many such points do not fit. The curse of the
        dimension is real here: bundle methods exist to break it.
        """
        root = float((iterations + 1) ** (1.0 / premises.dimension))
        if root <= 1.0:
            return np.inf
        return premises.lipschitz * premises.diameter / (root - 1.0)


def lowest_point(slopes: Matrix, offsets: Vector, region: Box) -> tuple[Vector, float]:
    """Minimise t subject to ⟨slope, x⟩ + offset ≤ t for every plane, x in the box."""
    planes, dimension = slopes.shape
    program = linprog(
        c=np.append(np.zeros(dimension), 1.0),
        A_ub=np.hstack([slopes, -np.ones((planes, 1))]),
        b_ub=-offsets,
        bounds=[*zip(region.low, region.high, strict=True), (None, None)],
        method="highs",
    )
    if program.status != 0:
        raise DataError(f"CuttingPlane needs a bounded box: {program.message}")
    # Any convex mixture of the planes lies below the function; its minimum over the
    # box is a bound whatever the accuracy of the linear program.
    mixture = np.maximum(-np.asarray(program.ineqlin.marginals), 0.0)
    mixture = mixture / np.sum(mixture)
    bound = float(mixture @ offsets) - region.support(-(mixture @ slopes))
    return region.project(np.asarray(program.x)[:-1]), bound
