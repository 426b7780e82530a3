"""Bandwidths of Gaussian neighbourhoods that all count the same number of points."""

import math

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Matrix, Vector

__all__ = ["calibrate_rows"]

#: Steps of the search; bisection alone halves the bracket to rounding in so many.
STEPS = 100


@inner_loop(error_model="numpy")
def _weigh(squares: Vector, least: float, rate: float, out: Vector) -> float:
    """Write exp(-rate (d - least)) and return its sum."""
    total = 0.0
    for t in range(squares.size):
        out[t] = math.exp(-rate * (squares[t] - least))
        total += out[t]
    return total


@inner_loop(error_model="numpy")
def _next_rate(
    rate: float, excess: float, fall: float, low: float, high: float
) -> float:
    """Return Newton's step in log rate, or the middle if it leaves the bracket."""
    step = excess / fall if fall > 0.0 else np.inf
    trial = rate * math.exp(min(max(step, -3.0), 3.0))
    if low < trial < high:
        return trial
    return 0.5 * (low + high) if high < np.inf else 2.0 * rate


@loop(error_model="numpy")
def calibrate_rows(
    squares: Matrix, entropy: float, tol: float, out: Matrix, rates: Vector
) -> None:
    """Write rows of probabilities proportional to exp(-rate d) of a given entropy.

    The entropy falls as the rate grows. A Newton step in log rate is taken where it
    stays inside the bracket, else the bracket is halved. A row whose distances are all
    equal has one entropy only; so has a row asked for more than there is: both keep
    the rate at which the search ended. `entropy` and `tol` are in nats.
    """
    for i in range(squares.shape[0]):
        row, chances = squares[i], out[i]
        least = row.min()
        spread = row.mean() - least
        rate = 1.0 / spread if spread > 0.0 else 1.0
        low, high = 0.0, np.inf
        for _ in range(STEPS):
            total = _weigh(row, least, rate, chances)
            first = second = 0.0
            for t in range(row.size):
                apart = row[t] - least
                first += chances[t] * apart
                second += chances[t] * apart * apart
            first /= total
            second = second / total - first * first
            excess = math.log(total) + rate * first - entropy
            if abs(excess) <= tol:
                break
            if excess > 0.0:
                low = rate
            else:
                high = rate
            trial = _next_rate(rate, excess, rate * rate * second, low, high)
            if trial == rate:
                break
            rate = trial
        total = _weigh(row, least, rate, chances)
        for t in range(row.size):
            chances[t] /= total
        rates[i] = rate
