"""Determinants of matrices that are known by their products, from random vectors."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import eigh_tridiagonal, solve_banded

from infimum.models.kernel.kernel_ridges._conjugate_gradients import Product
from infimum.models.kernel.kernel_ridges._shifted_lanczos import KrylovSpace
from infimum.typing import Vector

__all__ = ["Estimate", "trace_of_logarithm"]

#: Random vectors, and the most products with each.
PROBES, MOST_STEPS = 16, 100
#: How many products there are between two looks at the bounds.
PAUSE = 5
#: Bounds this narrow, beside the spread of the vectors, say enough.
NARROW = 0.1
#: What rounding may have taken from the smallest eigenvalue that is promised.
SURE = 0.999


class Estimate(NamedTuple):
    """A number, and its standard error with all that is known to be cut off."""

    value: float
    error: float


def trace_of_logarithm(
    product: Product, size: int, least: float, draw: Any
) -> Estimate:
    r"""Return an estimate of the trace of log B, no eigenvalue being below `least`.

    The mean of :math:`z^\top \log(B)\, z` over random signs z is the trace. Each of
    them is an integral over the spectrum, which products with B bound from both sides:
    Gauss's rule is above it and Radau's, with a point at `least`, below, since the
    derivatives of the logarithm alternate.

    References
    ----------
    Golub & Meurant (2010), Matrices, Moments and Quadrature. Ubaru, Chen & Saad (2017),
    SIAM J. Matrix Analysis and Applications 38.
    """
    signs = draw.choice([-1.0, 1.0], size=(PROBES, size))
    spaces = [KrylovSpace(z, 0.0) for z in signs]
    growing, found = spaces, Estimate(0.0, np.inf)
    for step in range(1, MOST_STEPS + 1):
        moved = product(np.column_stack([space.newest for space in growing]))
        for space, column in zip(growing, moved.T, strict=True):
            space.extend(column)
        growing = [space for space in growing if space.beside[-1] > 0.0]
        if step % PAUSE and growing:
            continue
        low, high = size * np.array([_bounds(s, SURE * least) for s in spaces]).T
        spread = float(np.std(low + high, ddof=1)) / np.sqrt(4 * PROBES)
        width = 0.5 * float(np.mean(high - low))
        found = Estimate(0.5 * float(np.mean(low + high)), spread + width)
        if not growing or width <= NARROW * spread:
            break
    return found


def _bounds(space: KrylovSpace, least: float) -> tuple[float, float]:
    """Return Radau's and Gauss's value of the mean of the logarithm."""
    along, beside = np.array(space.along), np.array(space.beside)
    above = _rule(along, beside[:-1])
    if beside[-1] == 0.0:  # the space is whole, and the rule exact
        return above, above
    last = np.zeros(len(along))
    last[-1] = beside[-1] ** 2
    bands = np.zeros((3, len(along)))
    bands[0, 1:], bands[1], bands[2, :-1] = beside[:-1], along - least, beside[:-1]
    corner = least + float(solve_banded((1, 1), bands, last)[-1])
    return _rule(np.append(along, corner), beside), above


def _rule(along: Vector, beside: Vector) -> float:
    values, vectors = eigh_tridiagonal(along, beside)
    return float(np.log(np.maximum(values, 1e-300)) @ vectors[0] ** 2)
