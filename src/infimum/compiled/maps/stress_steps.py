"""One step of scaling by majorisation: distances are met, used and forgotten."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Matrix, Vector

__all__ = ["pull_points"]

#: Points whose distances are held at a time.
RUN = 256
#: Distances that count as 0 are taken for this, so that points can part again.
TOUCHING = 1e-5


#: Sums may be taken in any order; everything is finite.
FAST = {"reassoc", "contract", "nnan", "ninf", "nsz"}


@inner_loop(fastmath=FAST, error_model="numpy")
def _squares(points: Matrix, i: int, start: int, stop: int, out: Vector) -> None:
    out[:] = 0.0
    for side in range(points.shape[0]):
        x = points[side, i]
        for j in range(start, stop):
            apart = x - points[side, j]
            out[j - start] += apart * apart


@inner_loop(fastmath=FAST, error_model="numpy")
def _judge(pull: Vector, wanted: Vector, sums: Vector) -> None:
    """Turn squared distances into the ratio of wanted to actual ones."""
    squares, stress = 0.0, 0.0
    for j in range(wanted.size):
        far = np.sqrt(pull[j])
        squares += pull[j]
        off = far - wanted[j]
        stress += off * off
        pull[j] = wanted[j] / (far if far > 0.0 else TOUCHING)
    sums[0] += squares
    sums[1] += stress


@loop(fastmath=FAST, error_model="numpy")
def pull_points(
    points: Matrix, wanted: Matrix, first: int, last: int, moved: Matrix, sums: Vector
) -> None:
    """Add (δᵢⱼ/‖xᵢ - xⱼ‖)(xᵢ - xⱼ) to i, take it from j: first ≤ i < last, j > i.

    Columns of `points` and `moved` are points. Adds Σ‖xᵢ - xⱼ‖² and
    Σ(‖xᵢ - xⱼ‖ - δᵢⱼ)² of these pairs to `sums`.
    """
    sides, n = points.shape
    pull = np.empty(RUN)
    for i in range(first, last):
        for start in range(i + 1, n, RUN):
            stop = min(n, start + RUN)
            _squares(points, i, start, stop, pull)
            _judge(pull, wanted[i, start:stop], sums)
            for side in range(sides):
                x, total = points[side, i], 0.0
                for j in range(start, stop):
                    force = pull[j - start] * (x - points[side, j])
                    total += force
                    moved[side, j] -= force
                moved[side, i] += total
