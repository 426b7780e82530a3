"""Which rows lie before a cut, and how the classes weigh on both sides."""

from infimum.compiled.loop import loop
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["mark_sides"]


@loop()
def mark_sides(
    order: Indices,
    places: Indices,
    sides: Mask,
    codes: Indices,
    weights: Vector,
    left: Mask,
    sums: Matrix,
) -> None:
    """Mark rows on the left of a cut; add their weights to ``sums[0]``, others' below.

    `places` are where a feature begins, is cut, stops being known and ends in `order`;
    `sides` whether the zeros that are not stored, and the missing, are left.
    """
    left[:] = sides[0]
    for r in range(places[0], places[1]):
        left[order[r]] = True
    for r in range(places[1], places[2]):
        left[order[r]] = False
    for r in range(places[2], places[3]):
        left[order[r]] = sides[1]
    for i in range(codes.size):
        sums[0 if left[i] else 1, codes[i]] += weights[i]
