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

__all__ = ["overlap", "summed_overlap"]

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
    reach = min(window.reach, FAR)
    apart = 2.0 * reach * np.linspace(0.0, 1.0, TABLE) ** 2
    spline = CubicSpline(apart, [_overlap_at(window, dimension, s) for s in apart])
    return lambda s: np.where(s < 2.0 * reach, spline(np.minimum(s, 2.0 * reach)), 0.0)


def summed_overlap(X: Matrix, weights: Vector, width: float, window: Window) -> float:
    """Return ∫(Σ w h((x - xᵢ)/width))² over the space of the rows of X."""
    shared = overlap(window, X.shape[1])
    total, step = 0.0, max(1, BLOCK // len(X))
    for start in range(0, len(X), step):
        rows = slice(start, start + step)
        total += float(weights[rows] @ shared(cdist(X[rows], X) / width) @ weights)
    return float(total * width ** X.shape[1])


def _overlap_at(window: Window, dimension: int, s: float) -> float:
    reach = min(window.reach, FAR)
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


@cache
def _rule() -> tuple[Vector, Vector]:
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    return np.asarray(nodes), np.asarray(weights)
