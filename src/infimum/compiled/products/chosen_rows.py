"""Products with a few rows of a row-major matrix, named by `chosen` and not copied."""

from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["add_chosen", "dot_chosen"]

#: Reductions may be reordered, so that they run on vector registers; infinities and
#: NaN keep their meaning.
_REORDER = {"reassoc", "contract"}


@loop(fastmath=_REORDER)
def dot_chosen(rows: Matrix, chosen: Indices, x: Vector, out: Vector) -> None:
    """Write the product of each chosen row with `x`."""
    for k in range(chosen.size):
        total, i = 0.0, chosen[k]
        for j in range(x.size):
            total += rows[i, j] * x[j]
        out[k] = total


@loop(fastmath=_REORDER)
def add_chosen(rows: Matrix, chosen: Indices, factors: Vector, x: Vector) -> None:
    """Add the chosen rows, each times its factor, to `x`; it may be shorter."""
    for k in range(chosen.size):
        factor, i = factors[k], chosen[k]
        for j in range(x.size):
            x[j] += factor * rows[i, j]
