"""Rows of a node in the order of one feature.

A key is a rank above and a row's place in the node below, in one whole number. Keys are
thrown into about as many buckets as there are keys, which leaves little to sort.
"""

import numpy as np

from infimum.compiled.trees.tree_parts import borrower
from infimum.typing import Indices

__all__ = ["order_keys"]

#: Keys that are put in order by insertion; buckets, as a power of 2, at the most.
FEW, BITS = 24, 12


@borrower
def _insert(keys: Indices, out: Indices, start: int, stop: int) -> None:
    """Write keys start..stop in order; the two may be the same."""
    for t in range(start, stop):
        key, at = keys[t], t
        while at > start and out[at - 1] > key:
            out[at] = out[at - 1]
            at -= 1
        out[at] = key


@borrower
def _quick(keys: Indices, start: int, stop: int, stack: Indices) -> None:
    """Put keys start..stop almost in order: what is left are runs of a few."""
    stack[0], stack[1], size = start, stop - 1, 2
    while size:
        size -= 2
        low, high = stack[size], stack[size + 1]
        while high - low > FEW:
            a, b, c = keys[low], keys[(low + high) >> 1], keys[high]
            pivot = max(min(a, b), min(max(a, b), c))
            i, j = low, high
            while i <= j:
                while keys[i] < pivot:
                    i += 1
                while keys[j] > pivot:
                    j -= 1
                if i <= j:
                    keys[i], keys[j] = keys[j], keys[i]
                    i += 1
                    j -= 1
            # The longer part waits, so that few wait at a time.
            if j - low > high - i:
                stack[size], stack[size + 1] = low, j
                low = i
            else:
                stack[size], stack[size + 1] = i, high
                high = j
            size += 2


@borrower
def _throw(
    keys: Indices, spare: Indices, buckets: Indices, base: int, shift: int, number: int
) -> None:
    """Write keys bucket by bucket; leave the end of each bucket in `buckets`."""
    for b in range(number + 1):
        buckets[b] = 0
    for t in range(keys.size):
        buckets[((keys[t] - base) >> shift) + 1] += 1
    for b in range(1, number):
        buckets[b] += buckets[b - 1]
    for t in range(keys.size):
        b = (keys[t] - base) >> shift
        spare[buckets[b]] = keys[t]
        buckets[b] += 1


@borrower
def order_keys(
    keys: Indices, spare: Indices, buckets: Indices, count: int, low: int, high: int
) -> None:
    """Sort the first keys, whose ranks lie in low..high."""
    zero = int(np.int64(0))  # of one type with places, or loops are compiled twice
    if count <= FEW:
        _insert(keys, keys, zero, count)
        return
    bits = 5
    while (1 << bits) < count and bits < BITS:
        bits += 1
    shift = 32
    while ((high - low) >> (shift - 32)) >= (1 << bits):
        shift += 1
    number = ((high - low) >> (shift - 32)) + 1
    _throw(keys[:count], spare, buckets, low << 32, shift, number)
    start = zero
    for b in range(number):
        stop = buckets[b]
        if shift > 32 and stop - start > 2 * FEW:  # noqa: PLR2004 - not one rank
            _quick(spare, start, stop, buckets[number + 1 :])
        _insert(spare, keys, start, stop)
        start = stop
