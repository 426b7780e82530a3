"""Factors of a sparse matrix: the best row for given columns, and entries of products.

Rows of factors are padded to whole blocks of `BLOCK` numbers, so that inner loops run
over whole vectors; what is padded stays zero.
"""

from typing import Any, NamedTuple

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.threads import in_parts
from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "BLOCK", "Entries", "Facing", "entry_products", "row_gram_products", "solve_rows",
]  # fmt: skip

#: Numbers of a row come in multiples of this.
BLOCK = 4


class Entries(NamedTuple):
    """Listed entries row by row, with the rows of the other side that they meet."""

    starts: Indices
    places: Indices
    targets: Vector
    weights: Vector


class Facing(NamedTuple):
    """The other side: its rows, and for entries not listed their weight and Gram."""

    other: Matrix
    base: Matrix
    background: float


def solve_rows(
    entries: Entries,
    facing: Facing,
    ridge: Vector,
    scales: Vector,
    known: Matrix,
    out: Matrix,
) -> None:
    """Write into each row x of `out` the least of ½ Σ w (t - (x + q)·v)² + ½ s ‖x‖².

    The sum is over the entries of the row, whose `places` name the rows v of the other
    side; every entry that is not listed has target 0 and weight `background`, whose
    Gram matrix is `base`. The penalty of coordinate k is ``ridge[k] * scales[row]``,
    and q is `known`.
    """
    given: Any = entries, facing, ridge, scales, known, out
    in_parts(len(out), lambda at: _solve(at.start, at.stop, *given))


def row_gram_products(entries: Entries, facing: Facing, given: Matrix) -> Matrix:
    """Return for each row q of `given` the Gram matrix of its entries times q."""
    out = np.empty_like(given)
    in_parts(
        len(out), lambda at: _multiply(at.start, at.stop, entries, facing, given, out)
    )
    return out


def entry_products(
    starts: Indices, places: Indices, rows: Matrix, columns: Matrix
) -> Vector:
    """Return u·v for each listed entry (u, v) of the product of two factors."""
    out = np.empty(len(places))
    in_parts(
        len(starts) - 1,
        lambda at: _dot(at.start, at.stop, starts, places, rows, columns, out),
    )
    return out


@loop(fastmath={"reassoc", "contract"})
def _solve(
    first: int,
    last: int,
    entries: Entries,
    facing: Facing,
    ridge: Vector,
    scales: Vector,
    known: Matrix,
    out: Matrix,
) -> None:
    (starts, places, targets, weights), (other, base, background) = entries, facing
    size = other.shape[1]
    gram, right = np.empty((size, size)), np.empty(size)
    for row in range(first, last):
        gram[:] = base
        right[:] = 0.0
        for entry in range(np.uintp(starts[row]), np.uintp(starts[row + 1])):
            v = other[np.uintp(places[entry])]
            pull, extra = weights[entry] * targets[entry], weights[entry] - background
            for a in range(size):
                right[a] += pull * v[a]
                share = extra * v[a]
                for b in range(size):
                    gram[a, b] += share * v[b]
        for a in range(size):
            for b in range(size):
                right[a] -= gram[a, b] * known[row, b]
        for a in range(size):
            gram[a, a] += ridge[a] * scales[row]
        _solve_definite(gram, right)
        out[row] = right


@inner_loop()
def _factorize(gram: Matrix) -> None:
    """Write the factor of a definite matrix into its lower triangle."""
    for a in range(len(gram)):
        for b in range(a):
            total = gram[a, b]
            for c in range(b):
                total -= gram[a, c] * gram[b, c]
            gram[a, b] = total / gram[b, b]
        total = gram[a, a]
        for c in range(a):
            total -= gram[a, c] * gram[a, c]
        gram[a, a] = np.sqrt(max(total, 1e-300))


@inner_loop()
def _solve_definite(gram: Matrix, right: Vector) -> None:
    """Solve a definite system in place, by the factor of its lower triangle."""
    size = len(right)
    _factorize(gram)
    for a in range(size):
        total = right[a]
        for c in range(a):
            total -= gram[a, c] * right[c]
        right[a] = total / gram[a, a]
    for a in range(size - 1, -1, -1):
        total = right[a]
        for c in range(a + 1, size):
            total -= gram[c, a] * right[c]
        right[a] = total / gram[a, a]


@loop(fastmath={"reassoc", "contract"})
def _multiply(
    first: int, last: int, entries: Entries, facing: Facing, given: Matrix, out: Matrix
) -> None:
    (starts, places, _, weights), (other, base, background) = entries, facing
    size = other.shape[1]
    for row in range(first, last):
        q = given[row]
        for a in range(size):
            total = 0.0
            for b in range(size):
                total += base[a, b] * q[b]
            out[row, a] = total
        for entry in range(np.uintp(starts[row]), np.uintp(starts[row + 1])):
            v = other[np.uintp(places[entry])]
            along = 0.0
            for a in range(size):
                along += q[a] * v[a]
            along *= weights[entry] - background
            for a in range(size):
                out[row, a] += along * v[a]


@loop(fastmath={"reassoc", "contract"})
def _dot(
    first: int,
    last: int,
    starts: Indices,
    places: Indices,
    rows: Matrix,
    columns: Matrix,
    out: Vector,
) -> None:
    for row in range(first, last):
        u = rows[row]
        for entry in range(np.uintp(starts[row]), np.uintp(starts[row + 1])):
            v = columns[np.uintp(places[entry])]
            total = 0.0
            for a in range(u.size):
                total += u[a] * v[a]
            out[entry] = total
