"""Uniform points in discs and ellipses."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.distributions._given import generator
from infimum.distributions.sampling.rejection import Accepted, restrict
from infimum.parameters import Choice, check_domain, positive, whole
from infimum.typing import Matrix

__all__ = ["disc_by_rejection", "uniform_disc", "uniform_ellipse"]


def uniform_disc(n: int, random_state: Any = None) -> Matrix:
    """Draw points of the unit disc: an angle, and the root of a uniform number.

    Examples
    --------
    >>> uniform_disc(3, random_state=0).shape
    (3, 2)
    """
    check_domain("uniform_disc.n", n, whole(1))
    spun = generator("uniform_disc", random_state).random((2, int(n)))
    radius, angle = np.sqrt(spun[0]), 2.0 * np.pi * spun[1]
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def uniform_ellipse(a: float, b: float, n: int, random_state: Any = None) -> Matrix:
    """Draw points of {x²/a² + y²/b² ≤ 1}: a disc, stretched along its axes.

    Examples
    --------
    >>> uniform_ellipse(3.0, 1.0, 3, random_state=0).shape
    (3, 2)
    """
    check_domain("uniform_ellipse.a", a, positive)
    check_domain("uniform_ellipse.b", b, positive)
    return np.asarray(uniform_disc(n, random_state) * np.array([a, b]))


def disc_by_rejection(
    n: int, around: str = "square", random_state: Any = None
) -> Accepted:
    """Draw points of the unit disc from a square (π/4) or a hexagon (π/√12) around it.

    Examples
    --------
    >>> round(disc_by_rejection(20_000, random_state=0).acceptance, 1)
    0.8
    """
    check_domain("disc_by_rejection.around", around, Choice(("square", "hexagon")))
    draw = _square if around == "square" else _hexagon
    return restrict(draw, lambda y: (y**2).sum(axis=1) <= 1.0, n, random_state)


def _square(n: int, rng: Any) -> Matrix:
    return np.asarray(rng.uniform(-1.0, 1.0, size=(n, 2)))


def _hexagon(n: int, rng: Any) -> Matrix:
    """Draw from a rhombus, three of which make the hexagon around the unit disc."""
    side = 2.0 / np.sqrt(3.0)
    corners = side * np.array(
        [[1.0, 0.0], [-0.5, np.sqrt(0.75)], [-0.5, -np.sqrt(0.75)]]
    )
    first = rng.integers(0, 3, size=n)
    spun = rng.random((2, n, 1))
    return np.asarray(spun[0] * corners[first] + spun[1] * corners[first - 1])
