"""Gradient steps with momentum and a gain for each coordinate."""

from infimum.compiled.loop import loop
from infimum.typing import Matrix

__all__ = ["step_with_gains"]


@loop(error_model="numpy")
def step_with_gains(
    Y: Matrix,
    gradient: Matrix,
    velocity: Matrix,
    gains: Matrix,
    rate: float,
    momentum: float,
    least: float,
) -> float:
    """Move every point, and return the squared length of the gradient.

    A gain grows by 0.2 while its coordinate keeps going downhill and shrinks by a
    fifth when it turned back (Jacobs, 1988: delta-bar-delta).
    """
    square = 0.0
    for i in range(Y.shape[0]):
        for s in range(Y.shape[1]):
            g, v = gradient[i, s], velocity[i, s]
            square += g * g
            gain = gains[i, s] + 0.2 if g * v < 0.0 else gains[i, s] * 0.8
            gains[i, s] = max(gain, least)
            velocity[i, s] = momentum * v - rate * gains[i, s] * g
            Y[i, s] += velocity[i, s]
    return square
