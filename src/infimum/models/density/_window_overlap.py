"""How much two windows overlap, as a function of the distance of their centres."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from itertools import pairwise

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.spatial.distance import cdist

from infimum.kernels.windows import Window
from infimum.typing import Matrix, Vector

__all__ = ["end_of", "overlap", "squared_window", "summed_overlap"]

#: Distances in a table of overlaps, and nodes of each integral.
TABLE, NODES = 200, 48
#: Where windows without an end have next to nothing left, in widths.
FAR = 40.0
#: Distances held at a time: 32 MiB.
BLOCK = 2**22


@cache
def overlap(window: Window, dimension: int) -> Callable[[Matrix], Matrix]:
    r"""Return :math:`s \mapsto \int h(\|u\|)\, h(\|u - s e\|)\, du`, as a spline.

    In polar coordinates about one centre: in several dimensions only the length and
    the angle to the other centre matter. Profiles are not normalised.
    """
    reach = end_of(window)
    apart = 2.0 * reach * np.linspace(0.0, 1.0, TABLE) ** 2
    at = _on_the_line if dimension == 1 else _in_space
    spline = CubicSpline(apart, [at(window, dimension, s) for s in apart])
    return lambda s: np.where(s < 2.0 * reach, spline(np.minimum(s, 2.0 * reach)), 0.0)


def squared_window(window: Window, dimension: int) -> float:
    """Return ∫h(‖u‖)² over the space: how much a window overlaps with itself."""
    at = _on_the_line if dimension == 1 else _in_space
    return at(window, dimension, 0.0)


def summed_overlap(X: Matrix, weights: Vector, width: float, window: Window) -> float:
    """Return ∫(Σ w h(u - xᵢ/width))² over u: the rows of X in units of the width."""
    shared = overlap(window, X.shape[1])
    total, step = 0.0, max(1, BLOCK // len(X))
    for start in range(0, len(X), step):
        rows = slice(start, start + step)
        total += float(weights[rows] @ shared(cdist(X[rows], X) / width) @ weights)
    return total


def _on_the_line(window: Window, dimension: int, s: float) -> float:
    """Return the overlap in one dimension, where both centres are corners."""
    reach = end_of(window)
    cuts = np.unique(np.clip([s - reach, 0.0, s, reach], s - reach, reach))
    nodes, weights = _rule()
    total = 0.0
    for low, high in pairwise(cuts):
        half = (high - low) / 2.0
        u = low + half * (nodes + 1.0)
        both = window.profile(np.abs(u)) * window.profile(np.abs(u - s))
        total += half * float(weights @ both)
    return total


def _in_space(window: Window, dimension: int, s: float) -> float:
    reach = end_of(window)
    # The integrand has corners at the other centre, and where its window begins.
    cuts = np.unique(np.clip([0.0, s, abs(reach - s), reach], 0.0, reach))
    nodes, weights = _rule()
    total = 0.0
    for low, high in pairwise(cuts):
        half = (high - low) / 2.0
        r = low + half * (nodes + 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            cosine = (r * r + s * s - reach * reach) / (2.0 * r * s)
        inside = r + s <= reach
        widest = np.where(inside, math.pi, np.arccos(np.clip(cosine, -1.0, 1.0)))
        angle = widest[:, None] / 2.0 * (nodes + 1.0)
        square = r[:, None] ** 2 + s * s - 2.0 * r[:, None] * s * np.cos(angle)
        # Rounding must not put a point of the support beyond its edge.
        length = np.minimum(np.sqrt(np.maximum(square, 0.0)), reach)
        inner = (window.profile(length) * np.sin(angle) ** (dimension - 2)) @ weights
        outer = window.profile(r) * r ** (dimension - 1) * widest / 2.0
        total += half * float(weights @ (outer * inner))
    sphere = math.pi ** ((dimension - 1) / 2) / math.gamma((dimension - 1) / 2)
    return float(2.0 * sphere * total)


def end_of(window: Window) -> float:
    """Return where a window ends, or has next to nothing left."""
    end = min(window.reach, float(getattr(window, "radius", math.inf)))
    if math.isfinite(end):
        return end
    return FAR * max(1.0, float(getattr(window, "scale", 1.0)))


@cache
def _rule() -> tuple[Vector, Vector]:
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    return np.asarray(nodes), np.asarray(weights)
