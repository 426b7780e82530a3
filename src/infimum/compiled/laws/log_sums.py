"""Sums, squares and logarithms of the columns of a table, in one reading.

The sum of logarithms is the logarithm of a product. A product of mantissas and a sum
of binary exponents have it, so that no logarithm is taken but one for each column.
"""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.threads import in_parts
from infimum.typing import Indices, Matrix, Vector

__all__ = ["log_sums"]

#: Mantissas below 2 that may be multiplied without overflow.
FACTORS = 1000
#: Rows of lanes in a block, which stays in the nearest cache.
TALL = 64
#: The bits of a mantissa, and those of 1.
MANTISSA, ONE = 0xFFFFFFFFFFFFF, 1023 << 52
#: Numbers that are worked on at once, at least: enough to hide the time of a product.
LANES = 64
#: Values below which a second thread does not pay.
FEW = 200_000


def log_sums(
    values: Matrix, start: float = 0.0, sign: float = 1.0, *, shares: bool = False
) -> Matrix:
    """Return Σv, Σv², Σ log v, the least and the greatest v of each column, in rows.

    v is ``start + sign * value``; a least one below the smallest normal number means
    that the logarithms are wrong, and so does a sum that is not finite. Where rows are
    `shares`, a last row says how far the sum of one of them is from 1.
    """
    flat, width = values.reshape(-1), values.shape[1]
    lanes = width * max(1, -(-LANES // width))
    n = len(values) * width // lanes

    def some(rows: slice) -> Matrix:
        part = flat[rows.start * lanes : rows.stop * lanes]
        return _log_sums(part, lanes, start, sign, width if shares else 0)

    found = in_parts(n, some, 4) if flat.size > FEW else [some(slice(0, n))]
    rest = np.full(lanes, (1.0 - start) / sign)
    left = flat[n * lanes :]
    rest[: left.size] = left
    ending = _log_sums(rest, lanes, start, sign, 0)
    ending[:3, left.size :] = 0.0
    ending[3, left.size :], ending[4:, left.size :] = np.inf, -np.inf
    table = np.array([*found, ending]).reshape(-1, 6, lanes // width, width)
    sums, least = table[:, :3].sum(axis=(0, 2)), table[:, 3].min(axis=(0, 1))
    sums_and_ends = np.vstack([sums, least, table[:, 4].max(axis=(0, 1))])
    if not shares:
        return sums_and_ends
    few = np.abs(left.reshape(-1, width).sum(axis=1) - 1.0).max(initial=0.0)
    apart = max(float(few), float(table[:, 5].max()))
    return np.vstack([sums_and_ends, np.full(width, apart)])


@loop(fastmath={"contract", "nsz"})
def _log_sums(
    values: Vector, lanes: int, start: float, sign: float, width: int
) -> Matrix:
    out = np.empty((6, lanes))
    out[:3], out[3], out[4:] = 0.0, np.inf, -np.inf
    powers, products = np.zeros(lanes, np.int64), np.ones(lanes)
    factors = products.view(np.int64)
    scratch = np.empty(lanes)
    count, done = values.size // lanes, 0
    for low in range(0, count, TALL):
        high = min(count, low + TALL)
        block = values[low * lanes : high * lanes]
        out[5, 0] = max(out[5, 0], _farthest(block, width) if width else 0.0)
        tall = high - low == TALL
        if tall and _measure(block, lanes, start, sign, out):
            _multiply(block, lanes, start, sign, scratch, powers, products)
        else:
            for row in range(low, high):
                _split(values[row * lanes :], start, sign, scratch, powers, products)
                if not tall:
                    _measure_row(values[row * lanes :], start, sign, out)
        done += high - low
        if done > FACTORS - 2 * TALL or high == count:
            done = 0
            for t in range(lanes):
                powers[t] += (factors[t] >> 52) - 1023
                factors[t] = (factors[t] & MANTISSA) | ONE
    for t in range(lanes):
        out[2, t] = np.log(products[t]) + (powers[t] - 1023 * count) * np.log(2.0)
    return out


@inner_loop(fastmath={"reassoc", "contract", "nsz"})
def _farthest(block: Vector, width: int) -> float:
    """Return how far the sum of a row is from 1."""
    most = 0.0
    for first in range(0, block.size, width):
        row = block[first : first + width]
        total = 0.0
        for j in range(width):
            total += row[j]
        most = max(most, abs(total - 1.0))
    return most


@inner_loop(fastmath={"contract", "nsz"})
def _measure(block: Vector, lanes: int, start: float, sign: float, out: Matrix) -> bool:
    """Add up a block; tell whether products of four of its values are ordinary."""
    sums, squares, least, most = out[0], out[1], out[3], out[4]
    low, high = np.inf, -np.inf
    for row in range(0, TALL * lanes, 4 * lanes):
        a, b = block[row : row + lanes], block[row + lanes : row + 2 * lanes]
        c, d = block[row + 2 * lanes : row + 3 * lanes], block[row + 3 * lanes :]
        for t in range(lanes):
            v, w = start + sign * a[t], start + sign * b[t]
            x, y = start + sign * c[t], start + sign * d[t]
            sums[t] += (v + w) + (x + y)
            squares[t] += (v * v + w * w) + (x * x + y * y)
            less, less_too = v if v < w else w, x if x < y else y
            less = less if less < less_too else less_too
            least[t] = less if less < least[t] else least[t]
            more, more_too = v if v > w else w, x if x > y else y
            more = more if more > more_too else more_too
            most[t] = more if more > most[t] else most[t]
    for t in range(lanes):
        low = least[t] if least[t] < low else low
        high = most[t] if most[t] > high else high
    return low > 1e-76 and high < 1e76


@inner_loop(fastmath={"contract", "nsz"})
def _measure_row(row: Vector, start: float, sign: float, out: Matrix) -> None:
    for t in range(out.shape[1]):
        v = start + sign * row[t]
        out[0, t] += v
        out[1, t] += v * v
        out[3, t] = v if v < out[3, t] else out[3, t]
        out[4, t] = v if v > out[4, t] else out[4, t]


@inner_loop(fastmath={"contract", "nsz"})
def _multiply(
    block: Vector,
    lanes: int,
    start: float,
    sign: float,
    scratch: Vector,
    powers: Indices,
    products: Vector,
) -> None:
    """Multiply four values at a time; then the mantissas of these products."""
    bits = scratch.view(np.int64)
    for row in range(0, TALL * lanes, 4 * lanes):
        a, b = block[row : row + lanes], block[row + lanes : row + 2 * lanes]
        c, d = block[row + 2 * lanes : row + 3 * lanes], block[row + 3 * lanes :]
        for t in range(lanes):
            v, w = start + sign * a[t], start + sign * b[t]
            x, y = start + sign * c[t], start + sign * d[t]
            scratch[t] = (v * w) * (x * y)
        for t in range(lanes):
            # Three of the four exponents' offsets, which a product does not have.
            powers[t] += (bits[t] >> 52) + 3 * 1023
            bits[t] = (bits[t] & MANTISSA) | ONE
        for t in range(lanes):
            products[t] *= scratch[t]


@inner_loop(fastmath={"contract", "nsz"})
def _split(
    row: Vector,
    start: float,
    sign: float,
    scratch: Vector,
    powers: Indices,
    products: Vector,
) -> None:
    """Multiply the mantissas of one row of values, and add their exponents."""
    bits = scratch.view(np.int64)
    for t in range(products.size):
        scratch[t] = start + sign * row[t]
    for t in range(products.size):
        powers[t] += bits[t] >> 52
        bits[t] = (bits[t] & MANTISSA) | ONE
    for t in range(products.size):
        products[t] *= scratch[t]
