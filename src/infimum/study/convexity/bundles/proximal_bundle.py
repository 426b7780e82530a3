"""The proximal bundle method."""

from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import check_domains, nonnegative, opened, positive, whole
from infimum.study.convexity.bundles._plane_program import (
    bounded,
    iterations_inverted,
    proximal,
)
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.cutting_plane import lowest_point
from infimum.study.convexity.descent.plane_book import CuttingPlaneTrace, PlaneBook
from infimum.study.convexity.descent.premises import Premises
from infimum.study.convexity.sets.box import Box
from infimum.typing import Vector

__all__ = ["ProximalBundle"]


@dataclass(frozen=True)
class ProximalBundle:
    r"""Cutting planes that stay near the best point by a quadratic pull.

    .. math:: w_{t+1} = \arg\min_w \tfrac{\zeta}2\|w - \hat w\|^2 + \max_i
              \bigl(f(w_i) + \langle g_i, w - w_i\rangle\bigr)

    If f falls by at least the share `decrease` of what the model promised, the centre
    moves there (a serious step), else only a plane is added (a null step). Planes bound
    f from below, so the trace has proven gaps on the box.

    >>> import numpy as np
    >>> from infimum.study.convexity import Norm
    >>> box = Box(np.full(2, -2.0), np.full(2, 3.0))
    >>> trace = ProximalBundle().minimize(Norm(1.0), np.array([2.0, 1.0]), box)
    >>> trace.gap <= 1e-6, np.allclose(trace.point, 0.0, atol=1e-6)
    (True, True)

    References
    ----------
    Kiwiel (1990), Mathematical Programming 46.
    """

    proximity: float = field(default=1.0, metadata={"domain": positive})
    decrease: float = field(default=0.1, metadata={"domain": opened(0, 1)})
    tolerance: float = field(default=1e-6, metadata={"domain": nonnegative})
    max_iterations: int = field(default=200, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)

    def minimize(
        self, function: ConvexFunction, start: Vector, region: Box
    ) -> CuttingPlaneTrace:
        """Add planes from `start` on until the gap is at most the tolerance."""
        book, box = PlaneBook(function), bounded("ProximalBundle", region)
        centre = box.project(np.asarray(start, dtype=float))
        value = book.visit(centre)
        for _ in range(self.max_iterations):
            found = proximal(book, centre, self.proximity, box)
            book.prove(max(found.lower, lowest_point(*book.planes, box)[1]))
            if book.gap <= self.tolerance:
                return book.close("gap")
            there = book.visit(found.point)
            if there <= value - self.decrease * (value - found.height):
                centre, value = found.point, there
        book.prove(lowest_point(*book.planes, box)[1])
        return book.close("gap" if book.gap <= self.tolerance else "budget")

    def bound(self, iterations: int, premises: Premises) -> float:
        """Return the least error that `enough` iterations are known to reach."""
        return iterations_inverted(
            lambda target: self.enough(target, premises), iterations, premises.gap
        )

    def enough(self, target: float, premises: Premises) -> float:
        r"""Return a number of iterations after which the error is at most `target`.

        With slopes of at most G, a box of diameter D and the proximal decrease
        :math:`\Delta = \min(ε/2, ε^2/2ζD^2)` at an error ε: a serious step pays
        `decrease` · Δ, and fewer than :math:`8G^2/ζ(1-m)^2Δ` null steps separate two of
        them. It is of the order :math:`1/ε^3`; practice is far better.
        """
        pull = self.proximity * premises.diameter**2
        drop = min(target / 2.0, target**2 / (2.0 * pull))
        halvings = np.log(max(premises.gap / target, 1.0))
        serious = 2.0 * (pull / target + halvings) / self.decrease
        steep = premises.lipschitz / (1.0 - self.decrease)
        null = 8.0 * steep**2 / (self.proximity * drop)
        return float((serious + 1.0) * (null + 1.0))
