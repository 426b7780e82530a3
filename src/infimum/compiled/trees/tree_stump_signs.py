"""The cut of two classes with the fewest weighted errors, from one running sum."""

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.trees.tree_parts import Columns
from infimum.typing import Vector

__all__ = ["cut_signs"]


@inner_loop(borrows=True)
def _better(
    value: float,
    cut: int,
    side: bool,  # noqa: FBT001
    found: tuple[float, int, bool],
    margin: float,
) -> tuple[float, int, bool]:
    if value > found[0] + margin:
        return value, cut, side
    return found


@inner_loop(borrows=True)
def _offer(
    left: float,
    missing: float,
    gap: bool,  # noqa: FBT001
    total: float,
    cut: int,
    found: tuple[float, int, bool],
    margin: float,
) -> tuple[float, int, bool]:
    """Keep the better of what was found and a cut, with missing values right or left.

    |left - right| = |2 left - total|.
    """
    found = _better(abs(2.0 * left - total), cut, False, found, margin)
    if gap:
        apart = abs(2.0 * (left + missing) - total)
        found = _better(apart, cut, True, found, margin)
    return found


@inner_loop(borrows=True)
def _scan_full(
    columns: Columns, j: int, signed: Vector, total: float, margin: float
) -> tuple[float, int, bool]:
    """Return the best cut of a feature that is known, and stored, for every row."""
    order, ends = columns.order, columns.ends
    best, bar, place = -1.0, -1.0, -1
    left = 0.0
    for r in range(columns.starts[j], columns.known[j] - 1):
        left += signed[order[r]]
        apart = abs(2.0 * left - total)
        if apart > bar and ends[r]:
            best, bar, place = apart, apart + margin, r
    return best, 2 * place + 1, False


@inner_loop(borrows=True)
def _scan(
    columns: Columns, j: int, signed: Vector, total: float, margin: float
) -> tuple[float, int, bool]:
    """Return the best cut of a feature with missing values or zeros left out."""
    order, ends = columns.order, columns.ends
    start, stop, zero = columns.starts[j], columns.known[j], columns.zeros[j]
    gap, missing, implicit = columns.starts[j + 1] > stop, 0.0, 0.0
    for r in range(stop, columns.starts[j + 1]):
        missing += signed[order[r]]
    if zero >= 0:
        implicit = total - missing
        for r in range(start, stop):
            implicit -= signed[order[r]]
    found = (-1.0, -1, False)
    last = stop if gap or zero == stop else stop - 1
    left = 0.0
    for r in range(start, stop):
        if r == zero:
            left += implicit
            found = _offer(left, missing, gap, total, 2 * r, found, margin)
        left += signed[order[r]]
        if ends[r] and r < last:
            found = _offer(left, missing, gap, total, 2 * r + 1, found, margin)
    if zero == stop and gap:
        left += implicit
        found = _offer(left, missing, gap, total, 2 * stop, found, margin)
    return found


@loop()
def cut_signs(
    columns: Columns, first: int, last: int, signed: Vector, total: float, margin: float
) -> tuple[float, int, int, bool]:
    """Return the greatest |left - right| of the signed weights, its cut and feature.

    A cut 2r + 1 lies behind place r of the order, a cut 2z behind the zeros that a
    sparse column leaves out before place z. A later cut wins only by more than
    `margin`: rounding must not choose between equals. The last answer is whether
    missing values go left.
    """
    best, cut, feature, side = -1.0, -1, -1, False
    for j in range(first, last):
        if columns.zeros[j] < 0 and columns.known[j] == columns.starts[j + 1]:
            found = _scan_full(columns, j, signed, total, margin)
        else:
            found = _scan(columns, j, signed, total, margin)
        if found[0] > best + margin:
            best, cut, side = found
            feature = j
    return best, cut, feature, side
