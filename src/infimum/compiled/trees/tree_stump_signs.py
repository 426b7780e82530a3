"""The cut of two classes with the fewest weighted errors, from one running sum."""

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Mask, Vector

__all__ = ["cut_signs"]


@inner_loop()
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


@inner_loop()
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


@inner_loop()
def _scan_full(
    order: Indices,
    ends: Mask,
    start: int,
    stop: int,
    signed: Vector,
    total: float,
    margin: float,
) -> tuple[float, int, bool]:
    """Return the best cut of a feature that is known, and stored, for every row."""
    best, bar, place = -1.0, -1.0, -1
    left = 0.0
    for r in range(start, stop - 1):
        left += signed[order[r]]
        apart = abs(2.0 * left - total)
        if apart > bar and ends[r]:
            best, bar, place = apart, apart + margin, r
    return best, 2 * place + 1, False


@inner_loop()
def _scan(
    order: Indices,
    ends: Mask,
    start: int,
    stop: int,
    zero: int,
    signed: Vector,
    implicit: float,
    missing: float,
    gap: bool,  # noqa: FBT001
    total: float,
    margin: float,
) -> tuple[float, int, bool]:
    """Return the best cut of one feature whose known values lie in start … stop."""
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
    order: Indices,
    starts: Indices,
    known: Indices,
    zeros: Indices,
    ends: Mask,
    first: int,
    last: int,
    signed: Vector,
    total: float,
    margin: float,
) -> tuple[float, int, int, bool]:
    """Return the greatest |left - right| of the signed weights, its cut and feature.

    A cut 2r + 1 lies behind place r of `order`, a cut 2z behind the zeros that a sparse
    column leaves out before place z. A later cut wins only by more than `margin`:
    rounding must not choose between equals. The last answer is whether missing values
    go left.
    """
    best, cut, feature, side = -1.0, -1, -1, False
    for j in range(first, last):
        stop = known[j]
        missing = implicit = 0.0
        for r in range(stop, starts[j + 1]):
            missing += signed[order[r]]
        if zeros[j] >= 0:
            implicit = total - missing
            for r in range(starts[j], stop):
                implicit -= signed[order[r]]
        if zeros[j] < 0 and stop == starts[j + 1]:
            found = _scan_full(order, ends, starts[j], stop, signed, total, margin)
        else:
            found = _scan(
                order,
                ends,
                starts[j],
                stop,
                zeros[j],
                signed,
                implicit,
                missing,
                starts[j + 1] > stop,
                total,
                margin,
            )
        if found[0] > best + margin:
            best, cut, side = found
            feature = j
    return best, cut, feature, side
