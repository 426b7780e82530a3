"""Charges spread on the nodes of a grid by cubic B-splines, and fields read off it."""

import math

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Matrix, Vector

__all__ = ["box_around", "gather_field", "spread_charges"]


@inner_loop(error_model="numpy")
def _weights(t: float) -> tuple[float, float, float, float]:
    """Return the values of the four splines around a place t in [0, 1) of a cell."""
    s = 1.0 - t
    third = 1.0 / 6.0
    return (
        s * s * s * third,
        (4.0 - 6.0 * t * t + 3.0 * t * t * t) * third,
        (4.0 - 6.0 * s * s + 3.0 * s * s * s) * third,
        t * t * t * third,
    )


@inner_loop(error_model="numpy")
def _slopes(t: float) -> tuple[float, float, float, float]:
    """Return their derivatives."""
    s = 1.0 - t
    return (
        -0.5 * s * s,
        t * (1.5 * t - 2.0),
        s * (2.0 - 1.5 * s),
        0.5 * t * t,
    )


@loop(error_model="numpy")
def spread_charges(
    Y: Matrix, charges: Vector, low: Vector, spacing: float, grid: Matrix
) -> None:
    """Add the charge of each point to the sixteen nodes around it."""
    for i in range(Y.shape[0]):
        u, v = (Y[i, 0] - low[0]) / spacing, (Y[i, 1] - low[1]) / spacing
        row, column = math.floor(u), math.floor(v)
        along, across = _weights(u - row), _weights(v - column)
        for a in range(4):
            share = charges[i] * along[a]
            for b in range(4):
                grid[row + a, column + b] += share * across[b]


@loop(error_model="numpy")
def gather_field(
    Y: Matrix,
    low: Vector,
    spacing: float,
    grid: Matrix,
    potential: Vector,
    slope: Matrix,
) -> None:
    """Write the spline through the grid and its gradient at each point."""
    for i in range(Y.shape[0]):
        u, v = (Y[i, 0] - low[0]) / spacing, (Y[i, 1] - low[1]) / spacing
        row, column = math.floor(u), math.floor(v)
        along, across = _weights(u - row), _weights(v - column)
        steep, steeper = _slopes(u - row), _slopes(v - column)
        value = down = right = 0.0
        for a in range(4):
            flat = tilt = 0.0
            for b in range(4):
                node = grid[row + a, column + b]
                flat += across[b] * node
                tilt += steeper[b] * node
            value += along[a] * flat
            down += steep[a] * flat
            right += along[a] * tilt
        potential[i] = value
        slope[i, 0], slope[i, 1] = down / spacing, right / spacing


@loop(error_model="numpy")
def box_around(Y: Matrix) -> tuple[float, float, float, float]:
    """Return the least and the largest coordinates of points in the plane."""
    left = right = Y[0, 0]
    low = high = Y[0, 1]
    for i in range(1, Y.shape[0]):
        left, right = min(left, Y[i, 0]), max(right, Y[i, 0])
        low, high = min(low, Y[i, 1]), max(high, Y[i, 1])
    return left, low, right, high
