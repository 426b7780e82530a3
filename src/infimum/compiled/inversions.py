"""Inversions of a permutation, counted bit by bit.

The numbers are parted by their highest bit, in their order; every 1 that stands before
a 0 is an inversion, and both halves go on with the next bit. No comparison decides
where to go, so that nothing is guessed wrong, and the halves go to different cores.
"""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.threads import in_parts
from infimum.typing import Indices

__all__ = ["count_inversions"]

#: Numbers up to which pairs are looked at one by one, as a power of two.
SMALL = 4
#: The parts, as a power of two, that go to different cores.
PARTS = 3
#: Numbers below which a second thread does not pay.
FEW = 50_000


def count_inversions(places: Indices) -> int:
    """Return the number of pairs i < j with places[i] > places[j].

    `places` holds each of 0, …, n - 1 once.
    """
    n = len(places)
    here = places.astype(np.int32)
    there = np.empty_like(here)
    bits = max(int(n - 1).bit_length(), 1)
    top = min(PARTS, bits) if n > FEW else 0
    total = int(_part(here, there, bits, bits - top))
    here, there = (there, here) if top % 2 else (here, there)
    width = 1 << (bits - top)

    def finish(parts: slice) -> int:
        low, high = parts.start * width, min(parts.stop * width, n)
        if low >= high:
            return 0
        return int(_count(here[low:high], there[low:high], bits - top))

    if top == 0:
        return total + finish(slice(0, 1))
    return total + sum(in_parts(1 << top, finish, 1 << top))


@inner_loop()
def _one_bit(here: Indices, there: Indices, bit: int) -> int:
    """Part blocks of 2^(bit + 1) numbers by one bit; return the inversions."""
    n, half, total = here.size, 1 << bit, 0
    for start in range(0, n, 2 * half):
        stop = min(n, start + 2 * half)
        low, high, ones = start, start + half, 0
        for k in range(start, stop):
            value = here[k]
            one = (value >> bit) & 1
            there[high if one else low] = value
            high += one
            ones += one
            low += 1 - one
            total += (1 - one) * ones
    return total


@loop()
def _part(here: Indices, there: Indices, bits: int, last: int) -> int:
    """Part by the highest bits, down to `last`; the two arrays change places."""
    total = 0
    for bit in range(bits - 1, last - 1, -1):
        total += _one_bit(here, there, bit)
        here, there = there, here
    return total


@loop()
def _count(here: Indices, there: Indices, bits: int) -> int:
    """Count the inversions within a part, whose numbers differ in `bits` bits."""
    total = 0
    small = min(SMALL, bits)
    for bit in range(bits - 1, small - 1, -1):
        total += _one_bit(here, there, bit)
        here, there = there, here
    width = 1 << small
    for start in range(0, here.size, width):
        stop = min(here.size, start + width)
        for i in range(start, stop):
            value = here[i]
            for j in range(i + 1, stop):
                total += value > here[j]
    return total
