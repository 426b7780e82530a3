"""The level bundle method."""

from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import check_domains, nonnegative, opened, whole
from infimum.study.convexity.bundles._plane_program import bounded, nearest_below
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.cutting_plane import lowest_point
from infimum.study.convexity.descent.plane_book import CuttingPlaneTrace, PlaneBook
from infimum.study.convexity.descent.premises import Premises
from infimum.study.convexity.sets.box import Box
from infimum.typing import Vector

__all__ = ["LevelBundle"]


@dataclass(frozen=True)
class LevelBundle:
    r"""Cutting planes that are only asked for a fair share of the gap.

    .. math:: w_{t+1} = \arg\min_w \tfrac12\|w - w_t\|^2 \quad\text{subject to}\quad
              \max_i \bigl(f(w_i) + \langle g_i, w - w_i\rangle\bigr) \le τ_t

    with the level :math:`τ_t` at the share `level` of the way from the lower bound, the
    minimum of the model, up to the best value. Where the cutting plane method jumps to
    the model's minimum and oscillates, this goes no farther than needed: after
    :math:`(GD/ε)^2/((1-λ)^2λ(2-λ))` iterations the proven gap is at most ε, whatever
    the dimension.

    >>> import numpy as np
    >>> from infimum.study.convexity import Norm
    >>> box = Box(np.full(2, -2.0), np.full(2, 3.0))
    >>> trace = LevelBundle().minimize(Norm(1.0), np.array([2.0, 1.0]), box)
    >>> trace.gap <= 1e-6, np.allclose(trace.point, 0.0, atol=1e-6)
    (True, True)

    References
    ----------
    Lemaréchal, Nemirovskii & Nesterov (1995), Mathematical Programming 69.
    """

    level: float = field(default=0.3, metadata={"domain": opened(0, 1)})
    tolerance: float = field(default=1e-6, metadata={"domain": nonnegative})
    max_iterations: int = field(default=200, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)

    def minimize(
        self, function: ConvexFunction, start: Vector, region: Box
    ) -> CuttingPlaneTrace:
        """Add planes from `start` on until the gap is at most the tolerance."""
        book, box = PlaneBook(function), bounded("LevelBundle", region)
        point = box.project(np.asarray(start, dtype=float))
        while True:
            book.visit(point)
            book.prove(lowest_point(*book.planes, box)[1])
            if book.gap <= self.tolerance:
                return book.close("gap")
            if len(book.points) > self.max_iterations:
                return book.close("budget")
            level = book.lower[-1] + self.level * book.gap
            point = nearest_below(book, point, level, box)

    def bound(self, iterations: int, premises: Premises) -> float:
        r"""Return :math:`GD/\sqrt{T(1-λ)^2λ(2-λ)}`; the proven gap keeps it too."""
        if iterations == 0:
            return np.inf
        constant = (1.0 - self.level) ** 2 * self.level * (2.0 - self.level)
        width = premises.lipschitz * premises.diameter
        return float(width / np.sqrt(iterations * constant))
