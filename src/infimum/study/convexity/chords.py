"""Looking for chords that leave a set or cut through a function."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from infimum.typing import Matrix, Vector

__all__ = ["Chord", "stray_chord", "worst_chord"]

_FRACTIONS = (0.25, 0.5, 0.75)


class Chord(NamedTuple):
    """Two points, a fraction between them, and how far the chord lies above there."""

    x: Vector
    y: Vector
    fraction: float
    slack: float
    allowance: float

    @property
    def violates(self) -> bool:
        """Whether the function lies above its chord by more than rounding."""
        return bool(self.slack < -self.allowance)

    @property
    def strict(self) -> bool:
        """Whether the function lies below its chord by more than rounding."""
        return bool(self.slack > self.allowance)

    @property
    def middle(self) -> Vector:
        """The point on the chord."""
        return self.fraction * self.x + (1.0 - self.fraction) * self.y


def worst_chord(
    function: Callable[[Vector], float],
    points: Matrix,
    fractions: Sequence[float] = _FRACTIONS,
) -> Chord:
    """Return the chord between sample points with the least room below it.

    The slack is t f(x) + (1 - t) f(y) - f(t x + (1 - t) y). If the worst chord
    `violates`, f is not convex; if it is `strict`, so is every other one tried.

    >>> import numpy as np
    >>> points = np.linspace(0.0, 3.0, 7)[:, None]
    >>> worst_chord(lambda x: float(np.sin(x[0])), points).violates
    True
    """
    values = [function(point) for point in points]
    finite = [(p, v) for p, v in zip(points, values, strict=True) if np.isfinite(v)]
    # Every value carries an error of a few eps of the largest one.
    scale = max((abs(value) for _, value in finite), default=0.0)
    allowance = 64 * np.finfo(float).eps * (1.0 + scale)
    chords = (
        Chord(x, y, t, t * at_x + (1.0 - t) * at_y - function(middle), allowance)
        for ((x, at_x), (y, at_y)) in combinations(finite, 2)
        for t, middle in _between(x, y, fractions)
    )
    return min(chords, key=lambda chord: chord.slack)


def stray_chord(
    contains: Callable[[Vector], bool],
    points: Matrix,
    fractions: Sequence[float] = _FRACTIONS,
) -> Chord | None:
    """Return a chord between members that leaves the set, None if no chord does.

    >>> import numpy as np
    >>> ring = lambda x: bool(1.0 <= np.linalg.norm(x) <= 2.0)
    >>> stray = stray_chord(ring, np.array([[1.5, 0.0], [-1.5, 0.0]]))
    >>> stray.middle.tolist()
    [-0.75, 0.0]
    """
    members = [point for point in points if contains(point)]
    for x, y in combinations(members, 2):
        for t, middle in _between(x, y, fractions):
            if not contains(middle):
                return Chord(x, y, t, -np.inf, 0.0)
    return None


def _between(
    x: Vector, y: Vector, fractions: Sequence[float]
) -> Iterator[tuple[float, Vector]]:
    for t in fractions:
        yield t, np.asarray(t * x + (1.0 - t) * y)
