"""The trust region bundle method."""

from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import check_domains, nonnegative, opened, positive, whole
from infimum.study.convexity.bundles._plane_program import (
    Candidate,
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

__all__ = ["TrustRegionBundle"]

_TRIALS = 60


@dataclass(frozen=True)
class TrustRegionBundle:
    r"""Cutting planes that are trusted only near the best point.

    .. math:: w_{t+1} = \arg\min_w \max_i \bigl(f(w_i) + \langle g_i, w - w_i\rangle
              \bigr) \quad\text{subject to}\quad \tfrac12\|w - \hat w\|^2 \le κ

    The multiplier ζ of the ball makes it the step of `ProximalBundle` with that ζ; it
    is found by bisection. Serious and null steps as there. With
    ``adapt`` the radius grows after a serious step that met the wall and shrinks after
    a null step whose value exceeded the centre's.

    >>> import numpy as np
    >>> from infimum.study.convexity import Norm
    >>> box = Box(np.full(2, -2.0), np.full(2, 3.0))
    >>> trace = TrustRegionBundle().minimize(Norm(1.0), np.array([2.0, 1.0]), box)
    >>> trace.gap <= 1e-6, np.allclose(trace.point, 0.0, atol=1e-6)
    (True, True)

    References
    ----------
    Schramm & Zowe (1992), SIAM J. Optimization 2(1).
    """

    trust: float = field(default=0.5, metadata={"domain": positive})
    adapt: bool = True
    decrease: float = field(default=0.1, metadata={"domain": opened(0, 1)})
    tolerance: float = field(default=1e-6, metadata={"domain": nonnegative})
    max_iterations: int = field(default=200, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)

    def minimize(
        self, function: ConvexFunction, start: Vector, region: Box
    ) -> CuttingPlaneTrace:
        """Add planes from `start` on until the gap is at most the tolerance."""
        book, box = PlaneBook(function), bounded("TrustRegionBundle", region)
        centre = box.project(np.asarray(start, dtype=float))
        value, radius = book.visit(centre), float(np.sqrt(2.0 * self.trust))
        for _ in range(self.max_iterations):
            found, _ = within_radius(book, centre, radius, box, precision=0.1)
            book.prove(found.lower)
            if book.gap <= self.tolerance:
                return book.close("gap")
            there = book.visit(found.point)
            if there <= value - self.decrease * (value - found.height):
                length = float(np.linalg.norm(found.point - centre))
                radius *= 2.0 if self.adapt and length > 0.9 * radius else 1.0
                centre, value = found.point, there
            elif self.adapt and there > value:
                radius *= 0.5
        book.prove(lowest_point(*book.planes, box)[1])
        return book.close("gap" if book.gap <= self.tolerance else "budget")

    def bound(self, iterations: int, premises: Premises) -> float:
        """Return the least error that `enough` iterations reach; fixed radius only."""
        if self.adapt:
            return np.inf
        return iterations_inverted(
            lambda target: self.enough(target, premises), iterations, premises.gap
        )

    def enough(self, target: float, premises: Premises) -> float:
        r"""Return a number of iterations after which the error is at most `target`.

        With the radius R, slopes of at most G and a box of diameter D, the model
        promises at least q = min(1, R/D) of the error; a serious step pays `decrease`
        of that, and the points of null steps are farther than (1-m)qε/2G apart in the
        ball, where fewer than :math:`(1+4GR/(1-m)qε)^d` of them fit.
        """
        radius = float(np.sqrt(2.0 * self.trust))
        share = min(1.0, radius / premises.diameter)
        ratio = max(premises.gap / target, 1.0)
        serious = np.log(ratio) / -np.log1p(-self.decrease * share)
        apart = (1.0 - self.decrease) * share * target / premises.lipschitz
        null = (1.0 + 4.0 * radius / apart) ** premises.dimension
        return float((np.ceil(serious) + 1.0) * (null + 1.0))


def within_radius(
    book: PlaneBook,
    centre: Vector,
    radius: float,
    region: Box,
    precision: float = 1e-6,
) -> tuple[Candidate, float]:
    """Minimise the model over box and ball; return the multiplier of the ball too.

    The radius is met from below up to the share `precision`.
    """
    slopes, offsets = book.planes
    point, lower = lowest_point(slopes, offsets, region)
    if np.linalg.norm(point - centre) <= radius:
        return Candidate(point, float(np.max(slopes @ point + offsets)), lower), 0.0
    # Slopes of at most G cannot pull farther than G/ζ: that weight is surely enough.
    weight = float(np.max(np.linalg.norm(slopes, axis=1))) / radius
    low, high = 0.0, weight
    best = proximal(book, centre, high, region)
    for _ in range(_TRIALS):
        length = float(np.linalg.norm(best.point - centre))
        if length >= (1.0 - precision) * radius:
            break
        weight = 0.5 * (low + high)
        found = proximal(book, centre, weight, region)
        if np.linalg.norm(found.point - centre) <= radius:
            best, high = found, weight
        else:
            low = weight
    return best._replace(lower=max(best.lower, lower)), high
