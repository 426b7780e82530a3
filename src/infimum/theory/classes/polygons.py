"""Convex polygons with a given number of edges."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb, pi
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.parameters import whole
from infimum.theory.classes._hypothesis_class import HypothesisClass
from infimum.typing import Mask, Matrix, Vector

__all__ = ["Polygons"]

_MOST_CHOICES = 2_000_000
_FAR, _INNER = 1e3, 1e-3


@dataclass(frozen=True)
class Polygons(HypothesisClass):
    """Functions that are positive inside a convex polygon with at most k edges.

    An edge that has a negative point outside and all positive ones inside faces one
    of an arc of directions. The labelling is possible if k directions meet all arcs
    and leave no gap of half a turn, so that the edges close. The VC dimension is
    2k + 1: points evenly on a circle.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.theory import Polygons, shatters
    >>> turn = 2 * np.pi * np.arange(7) / 7
    >>> shatters(Polygons(3), np.column_stack([np.cos(turn), np.sin(turn)]))
    True
    """

    edges: int = field(default=3, metadata={"domain": whole(3)})
    dimension = 2

    @property
    def vc_dimension(self) -> float:
        """Twice the number of edges plus 1."""
        return 2.0 * self.edges + 1.0

    def _realize(self, points: Matrix, positive: Mask) -> Any:
        inside, outside = points[positive], points[~positive]
        if not len(inside):
            far = points.max(axis=0, initial=0.0) + 1.0
            inside, outside = far[None, :] + _FAR, points[:0]
        arcs = [_arc(point, inside) for point in outside]
        if any(arc is None for arc in arcs):
            return None
        chosen = _directions([arc for arc in arcs if arc is not None], self.edges)
        return None if chosen is None else _edges(chosen, inside, outside)

    def _predict(self, parameters: Any, points: Matrix) -> Mask:
        normals, offsets = parameters
        return np.asarray(np.all(points @ normals.T <= offsets, axis=1))


def _arc(point: Vector, inside: Matrix) -> tuple[float, float] | None:
    """Return the open arc of directions in which a point is beyond all the others."""
    away = point - inside
    angles = np.arctan2(away[:, 1], away[:, 0])
    if np.any(np.all(away == 0, axis=1)):
        return None
    ordered = np.sort(angles)
    gaps = np.diff(np.append(ordered, ordered[0] + 2 * pi))
    widest = int(np.argmax(gaps))
    if gaps[widest] <= pi * (1 + 1e-12):
        return None  # the point lies in the hull of the others
    first = ordered[(widest + 1) % len(ordered)]
    spread = 2 * pi - gaps[widest]
    return float(first + spread - pi / 2), float(first + pi / 2)


def _directions(arcs: Sequence[tuple[float, float]], edges: int) -> Vector | None:
    """Return at most that many directions that meet all arcs and close, or None."""
    places = _candidates(arcs)
    met = np.array([[_within(place, arc) for arc in arcs] for place in places])
    met = met.reshape(len(places), len(arcs))
    fewest = _pierced(places, met)
    if len(fewest) < edges:
        return _closed(fewest)
    useful = np.flatnonzero(met.any(axis=1))
    cost = comb(len(useful), edges)
    if cost > _MOST_CHOICES:
        raise DataError(
            f"Polygons would try {cost:,} sets of {edges} edges; {_MOST_CHOICES:,} are "
            "allowed: take fewer points."
        )
    for chosen in combinations(useful.tolist(), edges):
        if met[list(chosen)].any(axis=0).all() and _spans(places[list(chosen)]):
            return np.asarray(places[list(chosen)])
    return None


def _candidates(arcs: Sequence[tuple[float, float]]) -> Vector:
    """Return three directions between any two neighbouring ends of arcs."""
    if not arcs:
        return np.array([0.0])
    ends = np.unique(np.mod(np.array(arcs).ravel(), 2 * pi))
    gaps = np.diff(np.append(ends, ends[0] + 2 * pi))
    steps = np.array([_INNER, 0.5, 1 - _INNER])
    return np.asarray(np.ravel(ends[:, None] + gaps[:, None] * steps))


def _within(place: float, arc: tuple[float, float]) -> bool:
    return bool(np.mod(place - arc[0], 2 * pi) < arc[1] - arc[0])


def _pierced(places: Vector, met: Mask) -> Vector:
    """Return a smallest set that meets all arcs: greedy, from each start."""
    if not met.shape[1]:
        return places[:1]
    order = np.argsort(np.mod(places, 2 * pi))
    best: list[int] = list(range(met.shape[1] + 1))
    for turn in range(len(order)):
        chosen = _swept(np.roll(order, -turn), met, len(best))
        best = chosen if len(chosen) < len(best) else best
    return np.asarray(places[best])


def _swept(order: Any, met: Mask, enough: int) -> list[int]:
    """Start with the first direction, then go as far as the next open arc allows."""
    chosen = [int(order[0])]
    left = ~met[order[0]]
    while left.any() and len(chosen) < enough:
        # Arcs are runs of the order now: take the place where the first one ends.
        lasts = [
            int(np.flatnonzero(met[order, arc])[-1]) for arc in np.flatnonzero(left)
        ]
        pick = int(order[min(lasts)])
        chosen.append(pick)
        left &= ~met[pick]
    return chosen if not left.any() else list(range(enough + 1))


def _closed(chosen: Vector) -> Vector:
    """Add the edges that bound what few edges leave open."""
    if len(chosen) == 1:
        return np.append(chosen, [chosen[0] + 2 * pi / 3, chosen[0] - 2 * pi / 3])
    if _spans(chosen):
        return chosen
    ordered = np.sort(np.mod(chosen, 2 * pi))
    gaps = np.diff(np.append(ordered, ordered[0] + 2 * pi))
    widest = int(np.argmax(gaps))
    return np.append(chosen, ordered[widest] + gaps[widest] / 2)


def _spans(chosen: Vector) -> bool:
    ordered = np.sort(np.mod(chosen, 2 * pi))
    gaps = np.diff(np.append(ordered, ordered[0] + 2 * pi))
    return bool(gaps.max() < pi * (1 - 1e-9))


def _edges(chosen: Vector, inside: Matrix, outside: Matrix) -> tuple[Matrix, Vector]:
    normals = np.column_stack([np.cos(chosen), np.sin(chosen)])
    reach = (inside @ normals.T).max(axis=0)
    size = float(np.ptp(np.vstack([inside, outside]), axis=0).max()) or 1.0
    offsets = reach + _FAR * size
    if len(outside):
        beyond = outside @ normals.T
        nearest = np.where(beyond > reach, beyond, np.inf).min(axis=0)
        cut = np.isfinite(nearest)
        offsets[cut] = 0.5 * (reach[cut] + nearest[cut])
    return normals, offsets
