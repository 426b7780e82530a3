"""Discs of the plane."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from infimum.theory.classes._hypothesis_class import HypothesisClass
from infimum.theory.classes._separation import Separator, separate
from infimum.typing import Mask, Matrix, Vector

__all__ = ["Discs"]


class _Disc(NamedTuple):
    """A hyperplane over points lifted to (x, |x|²), each moved and scaled first."""

    plane: Separator
    origin: Vector
    scale: float


@dataclass(frozen=True)
class Discs(HypothesisClass):
    r"""Functions that are positive inside a circle.

    Lifting x to :math:`(x, |x|^2)` turns circles into planes, so that one linear
    programme decides whether a labelling is possible. The VC dimension is 3 and the
    growth :math:`\sum_{i \le 3} \binom{n}{i}`.

    Examples
    --------
    >>> from infimum.theory import Discs
    >>> [Discs().growth(n) for n in (2, 3, 4, 5)]
    [4, 8, 15, 26]
    >>> centre, radius = Discs().circle(Discs().realize([[0, 0], [4, 0]], [1, -1]))
    >>> bool(abs(centre[0]) < radius < abs(centre[0] - 4))
    True
    """

    dimension = 2
    vc_dimension = 3.0

    def circle(self, parameters: Any) -> tuple[Vector, float]:
        """Return centre and radius of a disc that `realize` found."""
        plane, origin, scale = parameters
        *across, lifted = plane.weights / plane.scale
        offset = plane.offset - plane.weights @ plane.origin / plane.scale
        middle = np.array(across) / (-2 * lifted)
        squared = middle @ middle - offset / lifted
        return origin + scale * middle, scale * float(np.sqrt(max(squared, 0.0)))

    def _realize(self, points: Matrix, positive: Mask) -> Any:
        origin = points.mean(axis=0)
        scale = float(np.linalg.norm(points - origin, axis=1).max(initial=0.0)) or 1.0
        if not positive.any():
            origin = points.max(axis=0) + 2 * scale  # a disc that meets no point
        lifted = _lifted(points, origin, scale)
        if not positive.any():
            plane = Separator(np.array([0.0, 0.0, -1.0]), 0.5, np.zeros(3), 1.0)
            return _Disc(plane, origin, scale)
        # Any negative weight of |x|² bounds the disc: a little one is always free.
        plane_found = separate(lifted, positive, [(None, None)] * 2 + [(None, -1e-6)])
        return None if plane_found is None else _Disc(plane_found, origin, scale)

    def _predict(self, parameters: Any, points: Matrix) -> Mask:
        plane, origin, scale = parameters
        return np.asarray(plane.scores(_lifted(points, origin, scale)) >= 0)


def _lifted(points: Matrix, origin: Vector, scale: float) -> Matrix:
    moved = (points - origin) / scale
    return np.column_stack([moved, np.square(moved).sum(axis=1)])
