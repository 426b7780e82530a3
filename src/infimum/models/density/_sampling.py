"""Drawing from windows: a direction, and a length from the window's own law."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from infimum.kernels.windows import Gaussian, Window
from infimum.models.density._window_sums import Widths
from infimum.typing import Matrix, Vector

__all__ = ["draw_around"]

#: Points of the table from which lengths are read off.
TABLE = 4096


def draw_around(
    X: Matrix, shape: Widths, window: Window, count: int, random_state: Any
) -> Matrix:
    """Return samples of X, drawn by weight, each moved by its window."""
    draw = check_random_state(random_state)
    chosen = draw.choice(len(X), count, p=shape.weights / shape.weights.sum())
    steps = draw.normal(size=(count, X.shape[1]))
    if not isinstance(window, Gaussian):
        steps /= np.linalg.norm(steps, axis=1, keepdims=True)
        steps *= _lengths(window, X.shape[1], draw.uniform(size=count))[:, None]
    return np.asarray(X[chosen] + shape.widths[chosen, None] * steps)


def _lengths(window: Window, dimension: int, shares: Vector) -> Vector:
    """Return the lengths below which such shares of the window's mass lie."""
    end = window.reach
    if not math.isfinite(end):
        end = 40.0 * float(getattr(window, "scale", 1.0)) * max(1.0, dimension / 4.0)
    at = np.linspace(0.0, end, TABLE)
    mass = window.profile(at) * at ** (dimension - 1)
    below = np.concatenate([[0.0], np.cumsum(0.5 * (mass[1:] + mass[:-1]))])
    return np.interp(shares, below / below[-1], at)
