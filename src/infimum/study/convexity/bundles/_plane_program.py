"""The quadratic programs of the bundle methods, over the planes met so far."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.study.convexity.descent.plane_book import PlaneBook
from infimum.study.convexity.programmes.interior_point import PathFollowing
from infimum.study.convexity.programmes.quadratic_program import QuadraticProgram
from infimum.study.convexity.sets.box import Box
from infimum.typing import Matrix, Vector

__all__ = ["Candidate", "bounded", "iterations_inverted", "nearest_below", "proximal"]


class Candidate(NamedTuple):
    """Where to take the next plane, the model's height there, and a lower bound."""

    point: Vector
    height: float
    lower: float


def bounded(owner: str, region: Box) -> Box:
    """Return the box if it is bounded, which every lower bound here rests on."""
    if not (np.all(np.isfinite(region.low)) and np.all(np.isfinite(region.high))):
        raise InvalidParameterError(
            f"{owner} needs a box with finite bounds: planes alone have no minimum."
        )
    return region


def proximal(book: PlaneBook, centre: Vector, weight: float, region: Box) -> Candidate:
    """Minimise the model plus weight/2 ‖w - centre‖² over the box."""
    slopes, offsets = book.planes
    count, size = slopes.shape
    best = min(book.values)
    # In (w - centre, t - best) the numbers are as small as the progress to be made.
    walls, room = _walls(centre, region)
    rows = np.vstack(
        [
            np.hstack([slopes, -np.ones((count, 1))]),
            np.hstack([walls, np.zeros((len(walls), 1))]),
        ]
    )
    limits = np.concatenate([best - offsets - slopes @ centre, room])
    program = QuadraticProgram(
        np.diag(np.append(np.full(size, weight), 0.0)),
        np.append(np.zeros(size), 1.0),
        inequality_matrix=rows,
        inequality_limit=limits,
    )
    *_, end = PathFollowing().states(program)
    point = region.project(centre + end.point[:size])
    mixture = end.inequality[:count]
    return Candidate(
        point,
        float(np.max(slopes @ point + offsets)),
        mixture_bound(mixture / np.sum(mixture), slopes, offsets, region),
    )


def nearest_below(book: PlaneBook, centre: Vector, level: float, region: Box) -> Vector:
    """Return the point of the box nearest to the centre where the model is low."""
    slopes, offsets = book.planes
    walls, room = _walls(centre, region)
    program = QuadraticProgram(
        np.eye(centre.size),
        np.zeros(centre.size),
        inequality_matrix=np.vstack([slopes, walls]),
        inequality_limit=np.concatenate([level - offsets - slopes @ centre, room]),
    )
    *_, end = PathFollowing().states(program)
    return region.project(centre + end.point)


def mixture_bound(
    mixture: Vector, slopes: Matrix, offsets: Vector, region: Box
) -> float:
    """Return the minimum over the box of a convex mixture of planes."""
    return float(mixture @ offsets) - region.support(-(mixture @ slopes))


def iterations_inverted(
    enough: Callable[[float], float], iterations: int, first: float
) -> float:
    """Return the least target in (0, first] for which the iterations are enough."""
    if enough(first) > iterations:
        return first
    low, high = -60.0, 0.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        if enough(first * np.exp(middle)) <= iterations:
            high = middle
        else:
            low = middle
    return float(first * np.exp(high))


def _walls(centre: Vector, region: Box) -> tuple[Matrix, Vector]:
    identity = np.eye(centre.size)
    room = np.concatenate([region.high - centre, centre - region.low])
    return np.vstack([identity, -identity]), room
