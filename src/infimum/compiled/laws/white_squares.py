"""Squared lengths of rows after a triangular map, in one reading of the rows."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.threads import in_parts
from infimum.typing import Matrix, Vector

__all__ = ["white_squares"]

#: Rows worked on at a time, side by side.
ABREAST = 64
#: Numbers below which a second thread does not pay.
FEW = 100_000


def white_squares(X: Matrix, centre: Vector, lower: Matrix) -> Vector:
    """Return ‖L(x - centre)‖² of each row of X, with a lower triangular L."""
    out = np.empty(len(X))
    if X.size < FEW:
        _white_squares(X, centre, lower, out)
    else:
        in_parts(len(X), lambda rows: _white_squares(X[rows], centre, lower, out[rows]))
    return out


@loop(fastmath={"contract"})
def _white_squares(X: Matrix, centre: Vector, lower: Matrix, out: Vector) -> None:
    n, d = X.shape
    apart = np.zeros((d, ABREAST))
    squares, others, image = np.empty(ABREAST), np.empty(ABREAST), np.empty(ABREAST)
    for first in range(0, n, ABREAST):
        count = min(ABREAST, n - first)
        for i in range(count):
            for j in range(d):
                apart[j, i] = X[first + i, j] - centre[j]
        squares[:] = 0.0
        for k in range(0, d - 1, 2):
            _two_lines(apart, lower[k], lower[k + 1], k + 1, (image, others), squares)
        if d % 2:
            _last_line(apart, lower[d - 1], image, squares)
        out[first : first + count] = squares[:count]


@inner_loop(fastmath={"contract"})
def _last_line(apart: Matrix, line: Vector, image: Vector, squares: Vector) -> None:
    """Add the squares of the last coordinate of the image."""
    image[:] = 0.0
    for j in range(line.size):
        for i in range(ABREAST):
            image[i] += line[j] * apart[j, i]
    for i in range(ABREAST):
        squares[i] += image[i] * image[i]


@inner_loop(fastmath={"contract"})
def _two_lines(
    apart: Matrix,
    one: Vector,
    two: Vector,
    width: int,
    images: tuple[Vector, Vector],
    squares: Vector,
) -> None:
    """Add the squares of two coordinates of the image; the second line is longer."""
    a, b = images
    for i in range(ABREAST):
        a[i] = 0.0
        b[i] = two[width] * apart[width, i]
    j = 0
    while j + 1 < width:
        p, q, r, s = one[j], one[j + 1], two[j], two[j + 1]
        for i in range(ABREAST):
            x, y = apart[j, i], apart[j + 1, i]
            a[i] += p * x + q * y
            b[i] += r * x + s * y
        j += 2
    if j < width:
        for i in range(ABREAST):
            a[i] += one[j] * apart[j, i]
            b[i] += two[j] * apart[j, i]
    for i in range(ABREAST):
        squares[i] += a[i] * a[i] + b[i] * b[i]
