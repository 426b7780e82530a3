"""One step of momentum, Nesterov's or plain: decay, velocity and weights at once."""

from typing import Any

from infimum.compiled.loop import loop

__all__ = ["momentum_step"]


@loop(error_model="numpy")
def momentum_step(
    theta: Any, gradient: Any, velocity: Any, n_decayed: int, numbers: Any
) -> None:
    """Move theta against the gradient, in place.

    `numbers` are the decay of the first `n_decayed` entries, how much of the velocity
    stays, how much of it is gone ahead (0: plainly) and the rate, in the precision of
    theta.
    """
    decay, keep, ahead, rate = numbers[0], numbers[1], numbers[2], numbers[3]
    for i in range(len(theta)):
        g = gradient[i]
        if i < n_decayed:
            g += decay * theta[i]
        g *= rate
        v = keep * velocity[i] - g
        velocity[i] = v
        theta[i] = (theta[i] + ahead * v) - g if ahead > 0 else theta[i] + v
